"""Chart answers with alternatives, turns, year flags and lists that earn their share (fair rules)."""

from __future__ import annotations

import pytest

from tests.scorers.answer_groups import Group, failures

# fmt: off
GROUPS = [
    Group(
        'chartqapro', 'What is the highest value?', '40',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '40', '42', '38', '[40]', "['40']", '40%', 'forty', 'about 40', '$40', 'Answer: [40]', '40, not 41',
            'The highest value is 40.', '```json\n{"answer": 40}\n```', ['40'], ['40', '41'],
        ],
        wrong=[
            '42.1', '37.9', '-40', '[40, 41]', '40 and 41', '40 million', '4000%', '0.4', [], None,
        ],
    ),
    Group(
        'chartqapro', 'In which year did it peak?', '2015',
        metadata={'question_type': 'Factoid', 'year_flags': ['YES']},
        right=[
            '2015', '2,015', '2015.0', 'In 2015', '[2015]', 'It peaked in 2015.',
        ],
        wrong=[
            '2014', '20.15', '2015-2016', '2015 or 2016',
        ],
    ),
    Group(
        'chartqapro', 'In which year did it peak?', '2015',
        metadata={'question_type': 'Factoid'},
        right=[
            '2015',
        ],
        wrong=[
            '2016',
        ],
    ),
    Group(
        'chartqapro', 'Which years?', '[2010, 2015]',
        metadata={'question_type': 'Factoid', 'year_flags': ['YES']},
        right=[
            '[2010, 2015]', '2010, 2015', '2015, 2010', '2010 and 2015', '["2010", "2015"]', '2010\n2015',
        ],
        wrong=[
            '[2011, 2016]',
        ],
        partial=[
            ('[2010]', 0.5), ('2010', 0.5), ('[2010, 2014]', 0.5), ('[2010, 2015, 2020]', 0.6666666666666666),
        ],
    ),
    Group(
        'chartqapro', 'Name both.', '[red, blue]',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            'red, blue', '[blue, red]', "['red', 'blue']", 'The colours are red and blue', 'red blue',
        ],
        wrong=[
            'green', '',
        ],
        partial=[
            ('red', 0.5), ('red and green', 0.5), ('red, blue, green', 0.6666666666666666),
        ],
    ),
    Group(
        'chartqapro', 'Name both.', '[South Korea, New Zealand]',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            'South Korea, New Zealand', '[South Korea, New Zealand]', 'New Zealand and South Korea',
            "['SouthKorea', 'NewZealand']",
        ],
        partial=[
            ('South Korea', 0.5),
        ],
    ),
    Group(
        'chartqapro', 'Values?', '[12.5, 3.4, 7]',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '[12.5, 3.4, 7]', '12.5, 3.4 and 7', '[13, 3.5, 7]', '[7, 3.4, 12.5]',
        ],
        partial=[
            ('[12.5, 3.4]', 0.6666666666666666), ('[14, 3.4, 7]', 0.6666666666666666),
        ],
    ),
    Group(
        'chartqapro', 'Values?', '[-5, 10%]',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '[-5, 10%]', '[-5, 10]', '-5, 10%',
        ],
        partial=[
            ('[5, 10]', 0.5),
        ],
    ),
    Group(
        'chartqapro', 'Which option?\na) rising\nb) falling\nc) flat\nd) mixed', 'b',
        metadata={'question_type': 'Multi Choice', 'year_flags': ['NO']},
        right=[
            'b', 'B', '(b)', 'b)', 'b) falling', '(b) falling', 'falling', 'Option B', 'The answer is b',
            'b falling', 'B. falling', 'It is falling.', 'Answer: (b)', 'b.', '\\boxed{b}', '**b**',
        ],
        wrong=[
            'a', 'rising', 'a or b', 'c) flat',
        ],
    ),
    Group(
        'chartqapro', 'Which option?', 'falling',
        metadata={'question_type': 'Multi Choice', 'year_flags': ['NO']},
        right=[
            'falling', 'Falling.', 'It is falling',
        ],
        wrong=[
            'rising',
        ],
    ),
    Group(
        'chartqapro', 'Which option?', 'F',
        metadata={'question_type': 'Multi Choice', 'year_flags': ['NO']},
        right=[
            'F', 'f', '(F)', 'F.',
        ],
        wrong=[
            'G',
        ],
    ),
    Group(
        'chartqapro', 'The claim holds: sales rose by 5%.', 'False',
        metadata={'question_type': 'Fact Checking', 'year_flags': ['NO']},
        right=[
            'False', 'false.', 'FALSE!', 'No', 'Refuted', 'The claim is false.', 'False, because sales fell',
            'Not true', 'The claim is not true', 'The claim is incorrect', '\\boxed{\\text{False}}', '**False**',
        ],
        wrong=[
            'True', 'yes', 'supported', 'true or false', "I don't know", 'Falsee',
        ],
    ),
    Group(
        'chartqapro', 'The claim holds.', 'True',
        metadata={'question_type': 'Fact Checking', 'year_flags': ['NO']},
        right=[
            'True', 'yes', 'Supported', 'The claim is true', 'The claim is supported by the chart.', 'correct',
        ],
        wrong=[
            'False', 'no', 'untrue', 'not true', 'incorrect',
        ],
    ),
    Group(
        'chartqapro', 'The claim holds: the gap is 4.', '100',
        metadata={'question_type': 'Fact Checking', 'year_flags': ['NO']},
        right=[
            '100', '100.0', '100%', 'one hundred',
        ],
        wrong=[
            '101', '1.00',
        ],
    ),
    Group(
        'chartqapro', 'What percentage of people voted?', '60',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '60', '60%', '0.6', '0.63', '60/100', '60 percent', '3/5', 'sixty percent', '57',
        ],
        wrong=[
            '0.64', '6000%', '0.006', '56',
        ],
    ),
    Group(
        'chartqapro', 'What percentage changed?', '1',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '1', '1%', '0.01',
        ],
        wrong=[
            '100%', '100',
        ],
    ),
    Group(
        'chartqapro', 'What is the share in 2020?', '24%',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '24', '24%', '0.24', '25.2%',
        ],
        wrong=[
            '0.3',
        ],
    ),
    Group(
        'chartqapro', 'change?', '0',
        metadata={'question_type': 'Hypothetical', 'year_flags': ['NO']},
        right=[
            '0', '0.0', '0%', 'zero',
        ],
        wrong=[
            '0.01',
        ],
    ),
    Group(
        'chartqapro', 'What will it be?', '1,250',
        metadata={'question_type': 'Hypothetical'},
        right=[
            '1250', '1,250', '1.25k', '1.25 thousand', '1,300',
        ],
        wrong=[
            '1,320',
        ],
    ),
    Group(
        'chartqapro', 'next?', '12',
        metadata={'question_type': 'Conversational', 'year_flags': ['YES', 'NO']},
        all_answers=['7', '12'],
        right=[
            '12', '12.5',
        ],
        wrong=[
            '7', '11',
        ],
    ),
    Group(
        'chartqapro', 'year?', '2012',
        metadata={'question_type': 'Conversational', 'year_flags': ['NO', 'YES']},
        all_answers=['7', '2012'],
        right=[
            '2012',
        ],
        wrong=[
            '2013',
        ],
    ),
    Group(
        'chartqapro', 'alt', 'color',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        all_answers=['color', 'hue'],
        right=[
            'color', 'colour', 'hue',
        ],
        wrong=[
            'tone',
        ],
    ),
    Group(
        'chartqapro', 'enough?', 'Unanswerable',
        metadata={'question_type': 'Unanswerable', 'year_flags': ['NO']},
        right=[
            'Unanswerable', 'unanswerable.', 'It is unanswerable.', 'The question is unanswerable',
            'Cannot be determined', 'It cannot be determined from the chart', 'not enough information',
            'The chart does not provide enough information.', 'This question cannot be answered from the chart.',
        ],
        wrong=[
            '42', '', 'Answerable',
        ],
    ),
    Group(
        'chartqapro', 'Turns', '["3", "5"]',
        metadata={'question_type': 'Conversational', 'year_flags': ['NO', 'NO', 'NO'], 'is_multi_turn': True},
        all_answers=['3', '5', 'blue'],
        right=[
            ['3', '5', 'blue'], ['3', '5', 'blue', 'x'], '3\n5\nblue',
            ['Answer: 3', '\\boxed{5}', 'The colour is blue'],
        ],
        wrong=[
            '3\n5', [], '', None,
        ],
        partial=[
            (['3', '6', 'blue'], 0.6666666666666666), (['3', '5'], 0.6666666666666666), (['3'], 0.3333333333333333),
            ('3', 0.3333333333333333), ([None, '5', 'blue'], 0.6666666666666666),
        ],
    ),
    Group(
        'chartqapro', 'Turns', '2010',
        metadata={'question_type': 'Conversational', 'year_flags': ['YES', 'NO'], 'is_multi_turn': True},
        all_answers=['2010', '4'],
        right=[
            ['2010', '4'], ['2010', '4.1'],
        ],
        partial=[
            (['2009', '4'], 0.5), (['2010', '5'], 0.5),
        ],
    ),
    Group(
        'chartqapro', 'Turns', 'b',
        metadata={'question_type': 'Multi Choice', 'year_flags': ['NO', 'NO'], 'is_multi_turn': True},
        all_answers=['b', '4'],
        right=[
            ['b) x', '4'], ['B', '4'],
        ],
        partial=[
            (['a', '4'], 0.5),
        ],
    ),
    Group(
        'chartqapro', 'Ratio', '0.5',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '50%', '.5', '0.5', '0.525', '1/2', 'half',
        ],
        wrong=[
            '5',
        ],
    ),
    Group(
        'chartqapro', 'Text', 'New York',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            'New York', 'New York.', 'NewYork', 'new-york', 'The answer: New York', 'It is New York.',
            'In New York',
        ],
        wrong=[
            'York', 'New', 'New York and Boston',
        ],
    ),
    Group(
        'chartqapro', 'e', '',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        wrong=[
            '', 'x',
        ],
    ),
    Group(
        'chartqapro', 'e', '5',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '[[5]]', "['5', ]", '[5 ]', '{5}',
        ],
        wrong=[
            '[None]',
        ],
    ),
    Group(
        'chartqapro', 'odd', '[a, b',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            'a, b', '[a, b]',
        ],
    ),
    Group(
        'chartqapro', 'Flag', '7',
        metadata={'question_type': 'Factoid', 'year_flags': 'YES'},
        right=[
            '7',
        ],
        wrong=[
            '7.3',
        ],
    ),
    Group(
        'chartqapro', 'Flag', '7',
        right=[
            '7', '7.3',
        ],
    ),
    Group(
        'chartqapro', 'md', '7',
        metadata={'question_type': None, 'year_flags': None},
        right=[
            '7',
        ],
    ),
    Group(
        'chartqapro', 'Which countries?', 'France',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            'France', '[France]',
        ],
        wrong=[
            'France, Spain',
        ],
    ),
    Group(
        'chartqapro', 'List three', '[1, 2, 3]',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '1, 2, 3', '1,2,3', '3,2,1',
        ],
    ),
    Group(
        'chartqapro', 'big', '1,500,000',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            '1.5 million', '1500000', '1.5M',
        ],
    ),
    Group(
        'chartqapro', 'date', 'January 2020',
        metadata={'question_type': 'Factoid', 'year_flags': ['NO']},
        right=[
            'Jan 2020', 'January, 2020',
        ],
        wrong=[
            '2020',
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.dataset}-{group.reference}"[:60])
def test_answers(group: Group) -> None:
    """Right answers score 1, wrong ones 0, parts of lists and turns their share."""
    assert failures(group) == []
