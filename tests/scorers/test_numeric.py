"""Answers to chart questions in every common form: what counts and what does not (fair rules)."""

from __future__ import annotations

import pytest

from snellen.scorers import score_answer
from tests.scorers.answer_groups import Group, failures

# fmt: off
GROUPS = [
    Group(
        'chartqa', 'What is the value of the tallest bar?', '100',
        right=[
            '100', '105', 'Final Answer: 100', 'final answer - 100', '<answer>100</answer>', '<final>100</final>',
            '100%', 'Answer:\n100', '{"answer": 100}', '{"answer": "100"}', '{"reasoning": "x", "answer": "100"}',
            'about 100', '１００', ' 100 ', '100,0', '1e2', '10^2', '10²', 'The value is 100', '# 100', '"100"',
            '`100`', '[100]', '(100)', '100!', '100?', '~100', '≈100', 'approximately 100.',
            'The tallest bar is 100 units high.', 'The tallest bar has a value of 100.',
            '100 because it is the tallest', '100, as shown in the chart', 'I think 100',
            'I believe the answer is 100', 'It is 100, not 90', '90. No wait, 100',
            'First I thought 90, but it is 100', '<think>90</think>100', '90</think>100', '\\boxed{100}',
            '$\\boxed{100}$', '\\boxed{\\text{100}}', '\\boxed 100', '\\\\boxed{100}', 'Answer: \\boxed{100}',
            'Answer: 7\n\\boxed{100}', '<|begin_of_box|>100<|end_of_box|>', '<|begin_of_box|>100', '7\n100',
            'Answer: 100.', 'Answer: **100**', '**Answer: 100**', '### Answer\n100', '### Final Answer\n\n**100**',
            '__100__', '*100*', '* 100', '> 100', 'Réponse : 100', 'Antwort: 100', '答案：100', 'Respuesta: 100',
            'Ответ: 100', 'The result is 100', 'The correct answer is 100.', 'Result: 100', '€100', '100 dollars',
            '100 USD', 'USD 100', '0.1k', 'hundred', 'a hundred', 'ninety-five', 'One hundred.', '100/1', '200/2',
            '99 1/2', '100\x00', '100\u200b', '\u202e100', '100 (approx.)', '0100', '+100', '100.00', 'value: 100',
            'Value = 100', 'y = 100', '\\text{100}', '$100$', '\\$100', '\\(100\\)', '\\[100\\]', '100\\%',
            '100 percent', '"Answer": 100', "Answer: '100'", 'The answer is: 100', 'Hence, the answer is 100.',
            'The answer would be 100', 'My answer: 100', 'Answer 100', 'ANSWER: 100', 'answer is 100',
            'Answer: $LETTER\n100',
        ],
        wrong=[
            '90', '1.00', '100 or 101', '1,00', 'not 100', 'It is not 100', '<think>100</think>90', '<think>100',
            '\\boxed{}', 'Answer: 100\nAnswer: 7', '100\n7', '100k', 'N/A', 'n/a', '?', '🙂', '...', '', '   ', None,
            'none', 'Cannot be determined', "I'm sorry, I can't help with that.", '100-110', 'between 95 and 105',
            '100 to 105', '100; 101', '100, 101', '100 and 101', '10 0', '10.0.0', '100th',
        ],
    ),
    Group(
        'chartqa', 'What share of people said yes?', '24%',
        right=[
            '24', '24%', '0.24', '24.0%', '25%', 'twenty-four percent', '24 per cent', 'about 24%',
            'The share is 24%', '24 percentage points', '6/25', '24/100', '25.2%', '\\boxed{24\\%}',
            '\\boxed{24}\\%',
        ],
        wrong=[
            '26%', '2400', '0.24%', '25.3%', '24 out of 100',
        ],
    ),
    Group(
        'chartqa', 'What is the ratio?', '0.57',
        right=[
            '57%', '0.57', '.57', '57/100', '0.5985', '0.57:1', '57:100', '57 to 100', '5.7e-1', '0.57.',
            '57 percent',
        ],
        wrong=[
            '0.5986', '-0.57', '57.0', '0.57%',
        ],
    ),
    Group(
        'chartqa', 'In which year was the peak?', '2019',
        right=[
            '2019', '2019.0', '2,019', 'In 2019', 'The peak was in 2019.', 'It peaked in 2019', 'year 2019',
            'The year 2019', '2019, not 2018', 'in the year of 2019', '2019 was the peak', '2019?',
        ],
        wrong=[
            '2018', '2020', '1950', '2018 or 2019', '2018-2019',
        ],
    ),
    Group(
        'chartqa', 'What is the change in 2020?', '0',
        right=[
            '0', '0.0', 'zero', '0%', '-0', '0.00%', '+0', 'The change is 0',
        ],
        wrong=[
            '0.001', '1',
        ],
    ),
    Group(
        'chartqa', 'What is the net flow?', '-3.5',
        right=[
            '-3.5', '−3.5', '-3.50', 'minus 3.5', 'negative 3.5', '-3.325', '-3.675', '-$3.5', '-3,5',
        ],
        wrong=[
            '3.5', '-3.676', '35', '-35',
        ],
    ),
    Group(
        'chartqa', 'What were the total sales?', '1,234.5',
        right=[
            '1234.5', '1,234.5', '$1234.50', '1 234.5', '1.2345e3', '1.234,5', '1,172.775',
        ],
        wrong=[
            '12345', '1,172.774',
        ],
    ),
    Group(
        'chartqa', 'Is the blue line above the red one?', 'Yes',
        right=[
            'Yes', 'yes.', 'YES', 'Yes, it is above', 'yep', 'correct', 'True',
            'The blue line is above the red one, so yes', 'Yes - the blue line is above', 'The answer is yes',
            'I think yes', 'Yes because it is higher', 'It is true',
        ],
        wrong=[
            'No', 'No, it is not', 'false', 'Yes or no', 'eyes', 'yesterday', 'Not sure', 'Y',
        ],
    ),
    Group(
        'chartqa', 'Which country leads?', 'United States',
        right=[
            'United States', 'the United States', 'US', 'U.S.', 'U.S.A.', 'USA', 'united states of america',
            'The United States leads', 'It is the United States.', '**United States**', 'UnitedStates',
            'United_States', 'Answer: the US', 'united  states', 'United States, not China',
        ],
        wrong=[
            'United Kingdom', 'United', 'States', 'United States and China', 'Not the United States',
            'China, not the United States', 'United States or China', 'America',
        ],
    ),
    Group(
        'chartqa', 'Which country leads?', 'UK',
        right=[
            'United Kingdom', 'U.K.', 'uk',
        ],
        wrong=[
            'England',
        ],
    ),
    Group(
        'chartqa', 'Name the two colours.', '[red, blue]',
        right=[
            'red, blue', 'blue and red', 'red; blue', 'red\nblue', '- red\n- blue', '1. red\n2. blue',
            "['red', 'blue']", '["blue", "red"]', '(red, blue)', '{red, blue}', 'red blue', 'red & blue',
            'The colours are red and blue.', 'The two colours are red and blue', '[Red, BLUE]', 'Answer: red, blue',
            '[red, blue].', '\\boxed{red, blue}', '[red,blue]',
        ],
        wrong=[
            'red', 'red, blue, green', 'red, red', 'green, red',
        ],
    ),
    Group(
        'chartqa', 'Value?', '5',
        all_answers=['', '5'],
        right=[
            '5.25', '4.75',
        ],
        wrong=[
            '5.26',
        ],
    ),
    Group(
        'chartqa', 'Value?', '12',
        all_answers=[12],
        right=[
            '12',
        ],
        wrong=[
            '13',
        ],
    ),
    Group(
        'chartqa', 'Value?', 'nan',
        right=[
            'nan',
        ],
        wrong=[
            '5', 'inf',
        ],
    ),
    Group(
        'chartqa', 'Value?', 'inf',
        right=[
            'inf', 'infinity', '∞',
        ],
        wrong=[
            '-inf', '1e308',
        ],
    ),
    Group(
        'chartqa', 'Value?', '0.0000001',
        right=[
            '1e-7', '0.0000001', '1.05e-7', '10^-7',
        ],
        wrong=[
            '0',
        ],
    ),
    Group(
        'chartqa', 'Value?', '0.2',
        right=[
            '0.19', '0.21', '20%',
        ],
        wrong=[
            '0.189',
        ],
    ),
    Group(
        'chartqa', 'Pick', '1.4',
        right=[
            '1.4', '140%',
        ],
        wrong=[
            '1.4%', '140',
        ],
    ),
    Group(
        'chartqa', 'Pick', '3',
        right=[
            '3%',
        ],
        wrong=[
            '300%', '0.03',
        ],
    ),
    Group(
        'chartqa', 'Which colour?', 'Grey',
        right=[
            'gray', 'Grey.', 'grey', 'It is gray',
        ],
        wrong=[
            'dark grey', 'greyish',
        ],
    ),
    Group(
        'chartqa', 'What is the label?', 'St. Louis',
        right=[
            'St. Louis', 'St Louis', 'st louis',
        ],
        wrong=[
            'Louis',
        ],
    ),
    Group(
        'chartqa', 'When?', 'March 2019',
        right=[
            'Mar 2019', 'March, 2019', 'In March 2019',
        ],
        wrong=[
            '2019', 'March 2018',
        ],
    ),
    Group(
        'chartqa', 'What age group?', '18-24',
        right=[
            '18-24', '18 - 24', '18–24', '18 to 24', '18-24 years',
        ],
        wrong=[
            '18', '25-34',
        ],
    ),
    Group(
        'chartqa', 'Season?', '2019/20',
        right=[
            '2019/20', '2019-20',
        ],
        wrong=[
            '2020/21',
        ],
    ),
    Group(
        'chartqa', 'Season?', '2019/2020',
        right=[
            '2019/2020',
        ],
        wrong=[
            '2020/2021',
        ],
    ),
    Group(
        'chartqa', 'When?', 'March 3, 2020',
        right=[
            '3 March 2020', '2020-03-03', 'Mar 3, 2020', '3rd of March 2020', 'On March 3, 2020',
        ],
        wrong=[
            'March 2020', 'March 4, 2020',
        ],
    ),
    Group(
        'chartqa', 'What time?', '3:30 PM',
        right=[
            '3:30 PM', '3:30pm', '15:30', '3:30', '3:30 p.m.',
        ],
        wrong=[
            '3:30 AM', '4:30 PM',
        ],
    ),
    Group(
        'chartqa', 'What time?', '12:30',
        right=[
            '12:30', 'At 12:30',
        ],
        wrong=[
            '12.30', '12:31',
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.dataset}-{group.reference}"[:60])
def test_answers(group: Group) -> None:
    """Every right answer scores 1 and every wrong one 0, whatever stands around it."""
    assert failures(group) == []


@pytest.mark.parametrize(
    ("question", "reference", "response", "value"),
    [
        ("Is A larger than B?", "No", "A is not larger than B.", 1), ("Is A larger than B?", "Yes", "It is.", 1),
        ("Is A larger than B?", "Yes", "B is larger than A.", 0), ("Do any lines cross?", "No", "They do.", 0),
        ("Which model wins?", "Model B", "It's Model B", 1), ("What is the lowest tick?", "-0.5", "–0.5", 1),
    ],
)  # fmt: skip
def test_restated_claims_and_contractions(question: str, reference: str, response: str, value: int) -> None:
    """A claim said again answers yes or no; `'s` is a verb; a dash in front of a number is its minus."""
    row = {"id": "1", "image": None, "question": question, "answer": reference, "source_info": {"dataset": "chartqa"}}
    assert score_answer(row, response, "fair").value == value
