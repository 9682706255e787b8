"""Chart answers inside whole sentences, as models write them (fair rules)."""

from __future__ import annotations

import pytest

from tests.scorers.answer_groups import Group, failures

# fmt: off
GROUPS = [
    Group(
        'chartqa', 'What is the value of the tallest bar?', '45.2',
        right=[
            'Based on the chart, the value of the tallest bar in 2019 is **45.2%**, which is higher than the 2018 '
            'value of 40%.',
            'The tallest bar represents Germany with a value of 45.2.', 'The answer is 45.2 (approximately 45).',
            'Step 1: find the bar.\nStep 2: read its value.\n\n**45.2**',
            'To find the value, I looked at the chart. The tallest bar is Germany. Its value is 45.2.',
            'It is 45.2 on the y-axis.', '40 + 5.2 = 45.2', 'The sum is 40 + 5.2 = 45.2.', '$40 + 5.2 = 45.2$',
            'So, 45.2.', 'The value for Germany is 45.2', 'Germany: 45.2', '45.2 (Germany)', 'Germany (45.2)',
            'The value is **45.2**.', '> 45.2', "The tallest bar's value is 45.2.", '"45.2"',
            'The bar shows a value of approximately 45.2 percent.', 'The correct value is 45.2, not 40.',
            'Let me calculate: 90.4 / 2 = 45.2', 'Difference = 90.4 - 45.2 = 45.2', 'I estimate it to be 45.2',
            'The value is about 45', 'According to the data, 45.2% of people agreed.', 'There are 45.2 units.',
        ],
        wrong=[
            'It is 30.', 'Germany', 'The bar is the tallest', 'between 40 and 50', '40.2',
            'It went from 45.2 to 50', '45.2 to 50',
        ],
    ),
    Group(
        'chartqa', 'Which country has the tallest bar?', 'Germany',
        right=[
            'The tallest bar represents Germany with a value of 45.2.', 'Germany (45.2)', 'Germany',
            'Germany with 45.2%', 'Germany, with a value of 45.2', 'Germany has the tallest bar.',
            'The country with the tallest bar is Germany.', 'It is Germany.',
            'The answer is Germany, which has 45.2.', '**Germany**', 'The tallest bar belongs to Germany.',
            'Germany has the tallest bar, at 45.2', 'Answer: Germany (45.2%)',
            'Looking at the chart, Germany has the tallest bar.',
            'Based on the chart, the country with the tallest bar is Germany.', 'I would say Germany',
            'Germany is the tallest',
        ],
        wrong=[
            'France', 'Not Germany', 'Germany and France', 'France, not Germany', 'West Germany', 'German',
            'Germany or France', 'The tallest bar is not Germany', 'France (Germany is second)',
            'France is taller than Germany', 'East Germany',
        ],
    ),
    Group(
        'chartqa', 'Is it higher?', 'No',
        right=[
            'No', 'No, it is lower.', 'No. The blue line is lower.', 'It is not higher, so no.', "no, it's not",
            'The answer is no.', 'False', 'No - it is lower', 'Nope', '**No**', 'Answer: No, it is lower',
        ],
        wrong=[
            'Yes', 'Yes, it is.', 'Not sure', 'No idea', 'None', 'North', 'I do not know', 'Nobody knows',
        ],
    ),
    Group(
        'charxiv_reasoning', 'What is the name of the curve?', 'w/o aug',
        right=[
            'w/o aug', '"w/o aug"', 'w/o Aug.', 'The curve is "w/o aug"',
        ],
        wrong=[
            'aug',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which?', 'ResNet-50',
        right=[
            'ResNet-50', 'ResNet50', 'resnet 50', 'It is ResNet-50.',
        ],
        wrong=[
            'ResNet-18', 'ResNet',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which?', '$\\lambda = 0.1$',
        right=[
            'λ = 0.1', 'lambda = 0.1', '\\lambda=0.1',
        ],
        wrong=[
            'λ = 0.2',
        ],
    ),
    Group(
        'charxiv_descriptive', 'ylabel', 'Loss ($\\times 10^3$)',
        right=[
            'Loss (×10^3)',
        ],
        wrong=[
            'Loss',
        ],
    ),
    Group(
        'charxiv_descriptive', 'xlabel', '$x_1$',
        right=[
            'x_1', 'x1', 'x₁', '$x_{1}$',
        ],
        wrong=[
            'x_2',
        ],
    ),
    Group(
        'charxiv_descriptive', 'number of legends', '4',
        right=[
            '4', 'There are 4 labels in the legend.', 'Four', '4 discrete labels',
        ],
        wrong=[
            '5',
        ],
    ),
    Group(
        'charxiv_descriptive', 'difference between ticks', '0.2',
        right=[
            '0.2', 'The difference is 0.2', '0.20', '.2', '1/5',
        ],
        wrong=[
            '2',
        ],
    ),
    Group(
        'charxiv_descriptive', 'lines intersect?', 'No',
        right=[
            'No', 'No, they do not intersect.',
        ],
        wrong=[
            'Yes',
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.dataset}-{group.reference}"[:60])
def test_answers(group: Group) -> None:
    """What a sentence asserts is found, what it denies or only mentions is not."""
    assert failures(group) == []
