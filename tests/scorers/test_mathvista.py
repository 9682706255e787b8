"""Answers to visual mathematics with options, integers, floats of stated precision and lists (fair rules)."""

from __future__ import annotations

import pytest

from tests.scorers.answer_groups import Group, failures

# fmt: off
GROUPS = [
    Group(
        'mathvista', 'perimeter', '12',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            '12', '12.0', '12.00', '12 cm', '12cm', 'The perimeter is 12.',
            'The perimeter of the triangle is 12 units.', '3+4+5=12', 'twelve', '120/10', '\\frac{24}{2}', 'x=12',
            '$12$', '12.', '**12**', 'Answer: 12 cm', 'I think it is 12.', 'Answer: 13\nAnswer: 12', '13\n12',
            '{"answer": 12}', '1200%', '12e0', '１２', '12 \n\nExplanation: 3+4+5',
        ],
        wrong=[
            '12.004', '1,2', '-12', '12 or 13', '12;13', '12!', '12th', '112', '12\n13', '12%', 'unknown', '12,000',
            'It is not 12',
        ],
    ),
    Group(
        'mathvista', 'slope', '0.67',
        metadata={'question_type': 'free_form', 'answer_type': 'float', 'precision': 2},
        right=[
            '0.67', '2/3', '0.667', '0.6749', '0.665', '.67', '67%', '\\frac{2}{3}', 'about 0.67',
        ],
        wrong=[
            '0.675', '0.6649', '-0.67', '0.7', '0.66',
        ],
    ),
    Group(
        'mathvista', 'length', '5.2',
        metadata={'question_type': 'free_form', 'answer_type': 'float', 'precision': 1},
        right=[
            '5.2', '5.20', '5.24', '5.15', '5.196', '3\\sqrt{3}', '\\sqrt{27}', '5.2 m', '5.2m', '5,2', '3√3 ≈ 5.2',
        ],
        wrong=[
            '5.25', '5.149', '5', '52',
        ],
    ),
    Group(
        'mathvista', 'population', '1,200,000',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            '1200000', '1.2 million', '1.2e6', '1,200,000 people', '1.2 \\times 10^6', '1.2M', '12 lakh',
            '1200 thousand',
        ],
        wrong=[
            '1.2',
        ],
    ),
    Group(
        'mathvista', 'shape', 'square',
        metadata={'question_type': 'free_form', 'answer_type': 'text'},
        right=[
            'square', 'Square.', 'a square', 'The shape is a square.', 'It is a square',
            'It is a square, not a circle', 'The square', '**square**',
        ],
        wrong=[
            'not a square', 'square root', 'squar', 'rectangle', 'rectangle or square', 'squares', 'a red square',
        ],
    ),
    Group(
        'mathvista', 'Is the function even?', 'No',
        metadata={'question_type': 'multi_choice', 'answer_type': 'text', 'choices': ['Yes', 'No']},
        right=[
            'No', 'no.', 'B', '(B)', '(B) No', 'No, it is not even', 'The answer is No', 'No, it is odd.',
            'The function is not even, so no', 'false',
        ],
        wrong=[
            'A', 'Yes', 'I do not know', 'Not enough data',
        ],
    ),
    Group(
        'mathvista', 'Find the angle.', '45°',
        metadata={'question_type': 'multi_choice', 'answer_type': 'text', 'choices': ['30°', '45°', '60°', '90°']},
        right=[
            '45°', '45', 'B', '(B)', '45 degrees', '45^\\circ', '\\boxed{45}', 'The angle is 45°', 'B. 45°',
        ],
        wrong=[
            '30', 'A', '(A) 30°', '45 or 60',
        ],
    ),
    Group(
        'mathvista', 'Find the angle.', '(B)',
        metadata={'question_type': 'multi_choice', 'answer_type': 'text', 'choices': ['30°', '45°', '60°', '90°']},
        right=[
            '45°', 'B', 'b',
        ],
        wrong=[
            'C', '60°',
        ],
    ),
    Group(
        'mathvista', 'Which one is it?', 'B',
        metadata={'question_type': 'multi_choice', 'answer_type': 'text', 'choices': ['red', 'green', 'blue'],
        'options': ['red', 'green', 'blue'], 'index2ans': {'A': 'red', 'B': 'green', 'C': 'blue'}},
        right=[
            'B', '(B)', 'b', 'B) green', 'green', 'Green.', 'It is green', 'the green one', 'a green thing',
            'Option B', 'Answer: B', 'B because of it', 'It is a green one', 'Answer: b',
        ],
        wrong=[
            'blue', 'green and blue', 'B or C', 'not B', 'C because of the big bar',
        ],
    ),
    Group(
        'mathvista', 'List', '[1, 2, 3]',
        metadata={'question_type': 'free_form', 'answer_type': 'list'},
        right=[
            '[1, 2, 3]', '[1,2,3]', '1, 2, 3', '1,2,3', '[3, 2, 1]', '1, 2 and 3', 'The list is [1, 2, 3].',
            '{1,2,3}', '(1,2,3)',
        ],
        wrong=[
            '[1, 2]', '[1,2,3,4]',
        ],
    ),
    Group(
        'mathvista', 'v', 'inf',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            'inf', 'infinity', '∞', '\\infty',
        ],
        wrong=[
            '-inf', 'nan', '1e999',
        ],
    ),
    Group(
        'mathvista', 'v', 'nan',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            'nan',
        ],
        wrong=[
            '5',
        ],
    ),
    Group(
        'mathvista', 'v', '0',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            '0', '-0', '0.0', 'zero', '0 apples',
        ],
        wrong=[
            '0.004', 'none',
        ],
    ),
    Group(
        'mathvista', 'v', 'x',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            'x', '$x$',
        ],
        wrong=[
            'y',
        ],
    ),
    Group(
        'mathvista', 'v', None,
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        wrong=[
            '', '5', 'None',
        ],
    ),
    Group(
        'mathvista', 'v', '',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        wrong=[
            '5',
        ],
    ),
    Group(
        'mathvista', 'v', '\\frac{1}{2}',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            '\\frac{1}{2}', '1/2', '0.5', '\\boxed{\\frac{1}{2}}',
        ],
    ),
    Group(
        'mathvista', 'v', ['3', 'three'],
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            '3', 'three',
        ],
        wrong=[
            'four',
        ],
    ),
    Group(
        'mathvista', 'v', 'yes',
        metadata={'answer_type': 'text'},
        right=[
            'so it is yes\nFinal answer: ""',
        ],
        wrong=[
            "''\n''",
        ],
    ),
    Group(
        'mathvista', 'v', '4',
        metadata={'question_type': 'free_form', 'answer_type': 'integer'},
        right=[
            'the result is 4\nAnswer: <answer>', "total = 4\nAnswer: ''", 'x = 4. so 4\nAnswer: <final>',
            'it could be 3\n= 4\nAnswer: ""',
        ],
        wrong=[
            '1,004 and 3e2 and .5\nAnswer: <answer>',
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.dataset}-{group.reference}"[:60])
def test_answers(group: Group) -> None:
    """The option by letter or text, the exact integer, the float rounded half up to its precision."""
    assert failures(group) == []
