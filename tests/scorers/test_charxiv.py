"""Answers about scientific charts: values, labels, layouts, trends, intervals (fair rules)."""

from __future__ import annotations

import pytest

from tests.scorers.answer_groups import Group, failures

# fmt: off
GROUPS = [
    Group(
        'charxiv_descriptive', 'what is its title?', 'Accuracy vs. Epoch',
        right=[
            'accuracy vs epoch', 'Accuracy versus Epoch', '"Accuracy vs. Epoch"',
            'The title of the plot is Accuracy vs. Epoch.', 'Title: Accuracy vs. Epoch',
            'It is titled "Accuracy vs. Epoch"', 'The plot is titled "Accuracy vs. Epoch".',
        ],
        wrong=[
            'Accuracy', 'Accuracy vs. Epochs', 'Not Applicable',
        ],
    ),
    Group(
        'charxiv_descriptive', 'what is the label of the x-axis?', 'Not Applicable',
        right=[
            'Not Applicable', 'N/A', 'n/a', 'none', 'None.', 'not applicable.', 'NA',
            'There is no label, so Not Applicable', 'It is not applicable.', 'Not-applicable',
        ],
        wrong=[
            'Epoch', 'applicable', 'not', 'unknown',
        ],
    ),
    Group(
        'charxiv_descriptive', 'rightmost labeled tick', '100',
        right=[
            '100', '100.00', '10^2', '1e2', '100%', 'The tick is 100', '100 ms', 'one hundred', 'about 100',
        ],
        wrong=[
            '1,00', '101', '1000', '10', '0',
        ],
    ),
    Group(
        'charxiv_descriptive', 'leftmost labeled tick', '-0.5',
        right=[
            '-0.5', '−0.5', '-1/2', '-.50', 'minus 0.5', '$-0.5$',
        ],
        wrong=[
            '0.5', '-5',
        ],
    ),
    Group(
        'charxiv_descriptive', 'highest tick', '10^4',
        right=[
            '10^4', '10^{4}', '$10^{4}$', '10000', '10,000', '1e4', '10⁴', '10**4', '1\\times10^4', '1 × 10^4',
            '10e3',
        ],
        wrong=[
            '104', '10^5',
        ],
    ),
    Group(
        'charxiv_descriptive', 'maximum of the colorbar', '0.8',
        right=[
            '0.8', '.8', '0.80', '4/5', '80%', '0,8',
        ],
        wrong=[
            '0.81', '0.8%', '8',
        ],
    ),
    Group(
        'charxiv_descriptive', 'names of the labels in the legend', 'Ours, BERT, GPT-2',
        right=[
            'Ours, BERT, GPT-2', 'Ours; BERT; GPT-2', 'Ours, BERT and GPT-2', '[Ours, BERT, GPT-2]',
            'The labels are Ours, BERT, GPT-2.', '"Ours", "BERT", "GPT-2"', 'ours, bert, gpt-2',
            '- Ours\n- BERT\n- GPT-2', 'Ours, BERT, GPT2', 'Ours BERT GPT-2',
        ],
        wrong=[
            'BERT, Ours, GPT-2', 'Ours, BERT', 'Ours, BERT, GPT-2, T5', 'Ours, BERT, GPT',
        ],
    ),
    Group(
        'charxiv_descriptive', 'What is the layout of the subplots?', '2 by 3',
        right=[
            '2 by 3', '2x3', '2 x 3', '2×3', '2*3', '2 rows and 3 columns', 'The layout is 2 by 3.',
            '2 rows by 3 columns', '2-by-3', '$2 \\times 3$',
        ],
        wrong=[
            '3x2', '6', '2', '23',
        ],
    ),
    Group(
        'charxiv_descriptive', 'number of subplots?', '6',
        right=[
            'six', '6 subplots', 'There are 6 subplots', '6.0',
        ],
        wrong=[
            '7', '6th', '16',
        ],
    ),
    Group(
        'charxiv_descriptive', 'general trend', 'Increases then stabilizes',
        right=[
            'Increases then stabilises', 'increasing and then stabilizing', 'rises then plateaus',
            'It increases and then stabilizes.', 'goes up, then levels off',
        ],
        wrong=[
            'decreases then stabilizes', 'stabilizes then increases', 'Increases', 'stabilizes',
            'increase then decrease',
        ],
    ),
    Group(
        'charxiv_descriptive', 'do any lines intersect?', 'Yes',
        right=[
            'Yes, they do', 'Yes they do', 'Yes!', 'yes, lines intersect',
        ],
        wrong=[
            'No', 'maybe',
        ],
    ),
    Group(
        'charxiv_descriptive', 'label of the y-axis', 'α (°)',
        right=[
            'α (°)', 'alpha (°)', '\\alpha (°)', '$\\alpha$ (°)', 'α(°)',
        ],
        wrong=[
            'β (°)',
        ],
    ),
    Group(
        'charxiv_descriptive', 'lines', 3,
        right=[
            '3', 'three',
        ],
        wrong=[
            '4',
        ],
    ),
    Group(
        'charxiv_descriptive', 'x', '',
        wrong=[
            '', '3',
        ],
    ),
    Group(
        'charxiv_descriptive', 'x', None,
        wrong=[
            '', 'None',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which model has the best score?', 'Model B',
        right=[
            'Model B', 'model B.', 'B', 'The best is Model B', 'It is Model B, not Model A', '\\boxed{Model B}',
            'Model B has the best score', 'Model B.', 'ModelB',
        ],
        wrong=[
            'Model A', 'A', 'e', 'Model', 'Model BB', 'Model A or Model B', 'not Model B',
        ],
    ),
    Group(
        'charxiv_reasoning', 'value of the red curve', '0.5',
        right=[
            '0.5', '0.50', '.5', '1/2', '50%', 'half', 'about 0.5', 'The value is 0.5.', '$0.5$',
        ],
        wrong=[
            '10.5', '5', '0.5 or 0.6', '0.49',
        ],
    ),
    Group(
        'charxiv_reasoning', 'How many times?', '3',
        right=[
            '3', 'three', '3 times', 'three times', 'They cross 3 times', 'They cross three times.', '3.0',
        ],
        wrong=[
            '13', '3 or 4', '3rd', '30',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which interval holds the maximum?', '[50, 100]',
        right=[
            '[50, 100]', '[50,100]', '50 to 100', '50-100', 'between 50 and 100', 'from 50 to 100', '50–100',
            '50 and 100',
        ],
        wrong=[
            '[100, 50]', '100', '[50, 200]',
        ],
    ),
    Group(
        'charxiv_reasoning', 'trend of the blue curve', 'decreasing then increasing',
        right=[
            'decreasing then increasing', 'It first decreases, then increases', 'down then up', 'falls then rises',
        ],
        wrong=[
            'increasing then decreasing', 'increasing',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which label is lowest?', 'No',
        right=[
            'No', 'no.', 'The label is No',
        ],
        wrong=[
            'I do not know', 'Nothing', 'unknown', 'none', 'Yes', 'None',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which source has the most?', 'Not Applicable',
        right=[
            'not applicable', 'N/A',
        ],
        wrong=[
            'applicable',
        ],
    ),
    Group(
        'charxiv_reasoning', 'What number is written?', '1500',
        right=[
            '1500', '1,500', '1.5e3', '1500.0', '1.5k', '1500 Hz', '1 500', 'fifteen hundred',
        ],
        wrong=[
            '15', '1501',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which label?', 'GPT-2',
        right=[
            'GPT-2', 'GPT 2', 'GPT2', 'The label is GPT-2.', 'gpt_2', '"GPT-2"',
        ],
        wrong=[
            'GPT', '2', 'GPT-3',
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.dataset}-{group.reference}"[:60])
def test_answers(group: Group) -> None:
    """Every right answer scores 1 and every wrong one 0, whatever stands around it."""
    assert failures(group) == []
