"""What may stand around an answer, and what makes it another one (fair rules of the charts)."""

from __future__ import annotations

import pytest

from tests.scorers.answer_groups import Group, failures

# fmt: off
GROUPS = [
    Group(
        'chartqa', 'What is the value of the grey bar?', '100',
        right=[
            'FINAL ANSWER: 100', 'Answer:\t100', '<Answer>100</Answer>',
            '<|begin_of_box|>7<|end_of_box|>\n\\boxed{100}', 'Answer: "100"', 'Answer: `100`',
            'Answer: 100 \n Explanation: it is so', '\\boxed{ }\nAnswer: 100', 'The final answer is 100',
            '- Answer: 100', '1. Answer: 100', '* Answer: 100', 'Answer : 100', 'answer=100', 'Answer = 100',
            'Answer is 100', '\\framebox{100}', '\\boxed{{100}}', '\\boxed{\\frac{200}{2}}',
            '< answer >100</ answer >', '<final>100', 'Ans: 100', '{"final_answer": "100"}', '[{"answer": 100}]',
            "{'answer': '100'}", 'Answer→100', 'Answer — 100', '"Answer: 100"', 'Answer: <answer>100</answer>',
            'Answer: 100 (approximately)', 'The answer is **100**.', 'The answer is \\boxed{100}.',
            'The answer is $100$.', 'Thus, the value of the grey bar is 100.', 'The grey bar has value 100',
            'It is 100 units.', 'Value: 100', 'grey bar: 100', '100 is the value of the grey bar.',
            '100 is my answer', 'I get 100', 'So we get 100.', 'The value is approximately 100.',
            'The value is roughly equal to 100', 'The value is 100 (as shown).', 'Therefore: 100', '=> 100',
            '= 100', 'The bar shows 100', 'The bar reads 100.', 'The grey bar reaches 100',
            'The grey bar represents 100 units.', 'answer:\n\n**100**\n', '**Final Answer:**\n100',
            '**Final Answer**: 100', 'Final Answer:\n\n$$\\boxed{100}$$',
            'Step 1: read the bar\nStep 2: it is 100\n\nAnswer: 100', '## 100', '100 .', '(100).', '100,', '100;',
            '100:', '<b>100</b>', '<p>100</p>', '100\n\nNote: values are approximate.',
            'Sure, here is the answer: 100', 'Okay. The value is 100.',
            'Looking at the chart, the grey bar is at 100.', 'Based on the chart, the value is 100.',
            'According to the chart, it is 100.', 'I would say 100', 'My answer is 100', 'Probably 100',
            'Maybe 100', '100, I think', '100 I think', 'Hmm, 100?', 'exactly 100', 'just 100', '100 (one hundred)',
            'one hundred (100)', 'La respuesta es 100', 'La réponse est 100', 'Die Antwort ist 100', '答えは100',
            '정답은 100', '答案为100', 'the answer is  100', '100 units, because the bar ends there',
            '100 or one hundred', '100%', '100.0 %', '100\n100', '100',
        ],
        wrong=[
            'Answer: 100 Answer: 7', '\\boxed{100} and \\boxed{7}', 'Answer: 7', 'Answer: \n', 'Answer: not 100',
            'The answer is not 100', 'It cannot be 100', 'either 100 or 90', 'between 90 and 100', '100–120',
            '90 < x < 110', '7', 'less than 50', '100 apples and 200 pears', 'the 100th bar', 'bar 7', 'No value',
            '10 0 0', '1 00', '1O0', 'l00', '100x5', '3', '100/0', '100 to 90', '$$', '**', 'Answer: ?',
            'Answer: ...',
        ],
    ),
    Group(
        'charxiv_descriptive', 'label of the x-axis?', 'Not Applicable',
        right=[
            'Not applicable because there is no label', 'The label is not applicable', 'There is no label',
            'No label', 'There is no x-axis label', 'None of them', 'The x-axis has no label', 'Answer: N/A',
            '**Not Applicable**', '\\text{Not Applicable}', 'Not Applicable (no label is shown)',
        ],
        wrong=[
            'Epoch', 'not sure', 'unknown', '', 'Applicable', 'No', 'x',
        ],
    ),
    Group(
        'charxiv_descriptive', 'layout', '2 by 3',
        right=[
            'two by three', '2by3', '2-by-3', '2 rows, 3 columns', '2 rows x 3 columns',
        ],
        wrong=[
            '3 by 2', '2 x 4', '23', '2.3', '2/3',
        ],
    ),
    Group(
        'charxiv_descriptive', 'legend labels', 'Ours, BERT, GPT-2',
        right=[
            'The legend shows Ours, BERT, and GPT-2', '1. Ours\n2. BERT\n3. GPT-2', 'Ours | BERT | GPT-2',
            'Ours,BERT,GPT-2.', '(Ours, BERT, GPT-2)', "['Ours', 'BERT', 'GPT-2']",
        ],
        wrong=[
            'Ours, GPT-2, BERT', 'Ours',
        ],
    ),
    Group(
        'charxiv_descriptive', 'title', 'Figure 1: Loss',
        right=[
            'Figure 1: Loss',
        ],
        wrong=[
            'Loss',
        ],
    ),
    Group(
        'charxiv_descriptive', 'tick', '2000',
        right=[
            '2,000', '2000.0', '2k',
        ],
        wrong=[
            '2001', '200',
        ],
    ),
    Group(
        'charxiv_descriptive', 'tick', '1.0',
        right=[
            '1', '1.00', 'one', '100%',
        ],
        wrong=[
            '0.1', '10',
        ],
    ),
    Group(
        'charxiv_descriptive', 'tick', '0.05',
        right=[
            '5%', '0.05', '.05', '5e-2', '0.050',
        ],
        wrong=[
            '5',
        ],
    ),
    Group(
        'charxiv_descriptive', 'tick', 'π',
        right=[
            '\\pi', 'pi',
        ],
        wrong=[
            '3.14',
        ],
    ),
    Group(
        'charxiv_descriptive', 'tick', '10^{-3}',
        right=[
            '0.001', '1e-3', '10^-3', '10⁻³',
        ],
        wrong=[
            '10^3', '-3',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which interval holds the maximum?', '[50, 100]',
        right=[
            '[50 - 100]', '50 to 100.', 'The interval is [50, 100].', '[50, 100]', 'between 50 and 100',
            'the interval from 50 to 100',
        ],
        wrong=[
            '[50, 100)', '(50, 100)',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which color?', 'Blue',
        right=[
            'blue', 'Blue.', 'It is blue.', 'The color is blue',
        ],
        wrong=[
            'light blue', 'blue and red', 'red',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Which method?', 'Ours (full)',
        right=[
            'Ours (full)', 'ours full',
        ],
        wrong=[
            'Ours',
        ],
    ),
    Group(
        'charxiv_reasoning', 'How many?', '12',
        right=[
            'a dozen', '12 curves', 'There are 12.', 'There are twelve curves.', 'There are 12 curves in total',
        ],
        wrong=[
            '12 and 13',
        ],
    ),
    Group(
        'charxiv_reasoning', 'Year?', '2015',
        right=[
            '2015',
        ],
        wrong=[
            '2016',
        ],
    ),
    Group(
        'charxiv_reasoning', 'value', '-2',
        right=[
            '-2', '−2', 'minus two', 'negative 2',
        ],
        wrong=[
            '2',
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.dataset}-{group.reference}"[:60])
def test_answers(group: Group) -> None:
    """The answer is found in its frame, and nothing else is taken for it."""
    assert failures(group) == []
