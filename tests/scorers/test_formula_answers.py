"""Mathematical references of every form and the answers that are equal to them (fair rules)."""

from __future__ import annotations

import pytest

from tests.scorers.answer_groups import Group, failures

# fmt: off
GROUPS = [
    Group(
        'mathvision', 'p', '50\\%',
        right=[
            '50\\%', '50%', '0.5', '\\frac{1}{2}', '50 percent', 'half',
        ],
        wrong=[
            '50',
        ],
    ),
    Group(
        'mathvision', 'e', 'x=5',
        right=[
            '5', 'x=5', 'x = 5', 'y=5',
        ],
        wrong=[
            '6',
        ],
    ),
    Group(
        'mathvision', 'm', '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
        right=[
            '\\boxed{\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}}', '\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}',
            '\\begin{vmatrix}1&2\\\\3&4\\end{vmatrix}', '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4.0 \\end{pmatrix}',
        ],
        wrong=[
            '\\begin{pmatrix}1&2\\\\3&5\\end{pmatrix}',
        ],
    ),
    Group(
        'mathvision', 'f', '5!',
        right=[
            '120', '5!', '5! = 120', '5\\times4\\times3\\times2\\times1',
        ],
        wrong=[
            '24',
        ],
    ),
    Group(
        'mathvision', 'a', '|-3|',
        right=[
            '3', '|-3|', '\\left|-3\\right|',
        ],
        wrong=[
            '-3',
        ],
    ),
    Group(
        'mathvision', 'pw', '2^{10}',
        right=[
            '1024', '2^10', '2^{10}', '4^5', '1,024',
        ],
        wrong=[
            '20',
        ],
    ),
    Group(
        'mathvision', 'b', '\\binom{5}{2}',
        right=[
            '10', '\\binom{5}{2}', 'C(5,2)', '\\binom{5}{3}', '{5 \\choose 2}',
        ],
        wrong=[
            '11',
        ],
    ),
    Group(
        'mathvision', 'l', '\\log_2 8',
        right=[
            '3', '\\log_{2}(8)', '\\log_2{8}',
        ],
    ),
    Group(
        'mathvision', 'n', '',
        wrong=[
            '5', '',
        ],
    ),
    Group(
        'mathvision', 'n', None,
        wrong=[
            '5', 'None',
        ],
    ),
    Group(
        'mathvision', 'q', 'c',
        metadata={'options': ['12', '15', '18', '20', '24']},
        right=[
            'C', '18',
        ],
        wrong=[
            'B',
        ],
    ),
    Group(
        'mathvision', 'q', '(C)',
        metadata={'options': ['12', '15', '18', '20', '24']},
        right=[
            'C', 'c', '18',
        ],
    ),
    Group(
        'mathvision', 'q', '18',
        metadata={'options': ['12', '15', '18', '20', '24']},
        right=[
            '18', 'C',
        ],
        wrong=[
            'B',
        ],
    ),
    Group(
        'mathvision', 'q', 'C',
        metadata={'options': None},
        right=[
            'C', 'c', '(C)',
        ],
        wrong=[
            'B',
        ],
    ),
    Group(
        'mathvision', 'q', 'C',
        metadata={'options': []},
        right=[
            'C',
        ],
        wrong=[
            'B',
        ],
    ),
    Group(
        'mathvision', 'q', 'B',
        metadata={'options_struct': [{'label': 'A'}, {'label': 'B'}]},
        right=[
            'B', '(B)',
        ],
        wrong=[
            'A',
        ],
    ),
    Group(
        'mathvision', 'q', 'B',
        metadata={'options': ['', '7']},
        right=[
            'B', '7',
        ],
        wrong=[
            'A',
        ],
    ),
    Group(
        'mathvision', 'q', 5,
        right=[
            '5', 'five',
        ],
        wrong=[
            '6',
        ],
    ),
    Group(
        'mathvision', 'q', 0.5,
        right=[
            '0.5', '1/2',
        ],
        wrong=[
            '5',
        ],
    ),
    Group(
        'mathvision', 'gr', '\\frac{\\sqrt{3}}{2}',
        right=[
            '\\frac{\\sqrt{3}}{2}', '\\sqrt{3}/2', '0.87', '0.866', 'sqrt(3)/2', '√3/2', '\\frac{\\sqrt3}2',
            '\\frac12\\sqrt3', '\\frac{3}{2\\sqrt{3}}', '\\cos 30^\\circ', '\\sin(60^\\circ)',
        ],
        wrong=[
            '0.86', '\\frac{\\sqrt{3}}{4}',
        ],
    ),
    Group(
        'mathvision', 'pi', '\\frac{\\pi}{4}',
        right=[
            '\\pi/4', 'π/4', '0.79', '0.785', '\\frac14\\pi', 'pi/4',
        ],
        wrong=[
            '\\frac{\\pi}{2}',
        ],
    ),
    Group(
        'mathvision', 'long', '100\\sqrt{2}+50\\pi',
        right=[
            '50\\pi+100\\sqrt{2}', '50(2\\sqrt2+\\pi)', '298.50',
        ],
        wrong=[
            '298.5',
        ],
    ),
    Group(
        'mathvision', 'neg', '-\\frac{3}{4}',
        right=[
            '-\\frac{3}{4}', '-3/4', '-0.75', '\\frac{-3}{4}', '\\frac{3}{-4}', '−3/4',
        ],
        wrong=[
            '0.75',
        ],
    ),
    Group(
        'mathvision', 'pm', '\\pm 3',
        right=[
            '\\pm 3', '±3', '3, -3', '-3, 3', '3 and -3', 'x = \\pm 3',
        ],
        wrong=[
            '3',
        ],
    ),
    Group(
        'mathvision', 'tri', '3,4,5',
        right=[
            '3,4,5', '3, 4, 5', '5,4,3', '(3,4,5)',
        ],
        wrong=[
            '3,4',
        ],
    ),
    Group(
        'mathvision', 'pt', '(-1, 2)',
        right=[
            '(-1,2)', '(-1, 2)', 'x=-1, y=2', '\\left(-1, 2\\right)',
        ],
        wrong=[
            '(1,2)',
        ],
    ),
    Group(
        'mathvision', 'pt', '(\\frac{1}{2}, \\sqrt{3})',
        right=[
            '(0.5, \\sqrt3)', '(1/2, √3)', '(\\frac12,\\sqrt{3})',
        ],
    ),
    Group(
        'mathvision', 'ratio', '1:2:3',
        right=[
            '1:2:3', '1 : 2 : 3',
        ],
        wrong=[
            '3:2:1',
        ],
    ),
    Group(
        'mathvision', 'ratio', '\\sqrt{2}:1',
        right=[
            '\\sqrt{2}:1', '\\sqrt2', '√2 : 1',
        ],
        wrong=[
            '1:\\sqrt2',
        ],
    ),
    Group(
        'mathvision', 'deg', '22.5^\\circ',
        right=[
            '22.5', '22.5°', '22\\frac12^\\circ', '45/2', '22.5 degrees',
        ],
        wrong=[
            '22.4',
        ],
    ),
    Group(
        'mathvision', 'cm', '5\\sqrt{2}\\mathrm{~cm}',
        right=[
            '5\\sqrt{2}', '5\\sqrt2 cm', '5\\sqrt{2}\\text{ cm}', '\\sqrt{50}', '7.07', '7.07 cm',
        ],
    ),
    Group(
        'mathvision', 'sq', '16 \\mathrm{~cm}^{2}',
        right=[
            '16', '16 cm^2', '16cm²', '16 cm2', '16\\text{ cm}^2', '16 square centimeters', '16 sq cm',
        ],
        wrong=[
            '17',
        ],
    ),
    Group(
        'mathvision', 'time', '3:30',
        right=[
            '3:30',
        ],
    ),
    Group(
        'mathvision', 'dollar', '\\$5',
        right=[
            '5', '$5', '\\$5', '$5.00', '5 dollars',
        ],
    ),
    Group(
        'mathvision', 'words', 'two',
        right=[
            '2', 'two',
        ],
    ),
    Group(
        'mathvision', 'frac', '\\frac{a}{b}',
        right=[
            'a/b', '\\frac{a}{b}', '\\frac ab',
        ],
        wrong=[
            'b/a',
        ],
    ),
    Group(
        'mathvision', 'poly', '2x^2+3x-1',
        right=[
            '2x^2+3x-1', '3x+2x^2-1', '2x^{2}+3x-1',
        ],
        wrong=[
            '2x^2-3x-1',
        ],
    ),
    Group(
        'mathvision', 'eq', 'y=2x+1',
        right=[
            'y=2x+1', 'y = 2x + 1', '2x+1', 'y=1+2x',
        ],
        wrong=[
            'y=2x',
        ],
    ),
    Group(
        'mathvision', 'ineq', 'x>3',
        right=[
            'x>3', '(3,\\infty)', '3<x',
        ],
        wrong=[
            'x \\ge 3',
        ],
    ),
    Group(
        'mathvision', 'Tuesday', 'Tuesday',
        right=[
            'Tuesday', 'tuesday.', 'Tue', 'It is Tuesday', '\\boxed{\\text{Tuesday}}', 'On Tuesday',
        ],
        wrong=[
            'Monday',
        ],
    ),
    Group(
        'mathvision', 'count', '8',
        right=[
            'The answer is 8 since 2^3=8', 'So there are 8.', 'Total: 8', '= 8', '2^3 = 8', '8 = 2^3',
            '8 different ways', '8 (eight)', 'Eight', 'There are $8$ such numbers.', 'Hence $n=8$.',
            'Therefore, we have \\[n = 8.\\]', 'We get\n\\[\nx = 8\n\\]',
            'The final answer is $\\boxed{8}$. I hope it is correct.', '$$\\boxed{8}$$', '\\[\\boxed{8}\\]',
            'Answer: $8$', '**Answer:** $8$', 'The answer is\n\n$$8$$', '\\boxed{8}\\text{ ways}',
            '\\boxed{ways = 8}', '\\boxed{x=8}', '\\boxed{8\\,\\text{cm}}', '8\\ \\text{ways}', '\\mathbf{8}',
            '\\boxed{\\mathbf{8}}', '\\boxed{\\dfrac{16}{2}}', '\\boxed{8.}', '\\boxed{8 }',
        ],
        wrong=[
            '8\\%', '18', '8 or 9', '7 or 8', 'less than 8', '80',
        ],
    ),
    Group(
        'charxiv_descriptive', 'label?', 'Not Applicable',
        right=[
            'not applicable',
        ],
        wrong=[
            'It is not applicable here to guess; the label is Time',
        ],
    ),
    Group(
        'charxiv_reasoning', 'w', 'Model B',
        right=[
            'I think it is Model B', 'Model B, since it is highest', 'Model B (0.9)', 'model-b',
        ],
        wrong=[
            'Models A and B', 'AB',
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.dataset}-{group.reference}"[:60])
def test_answers(group: Group) -> None:
    """Equal in value is right, in every notation."""
    assert failures(group) == []
