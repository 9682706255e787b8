"""Answers to competition mathematics in every common form (fair rules)."""

from __future__ import annotations

import pytest

from tests.scorers.answer_groups import Group, failures

# fmt: off
GROUPS = [
    Group(
        'mathvision', 'How many cubes are there?', 'C',
        metadata={'options': ['12', '15', '18', '20', '24']},
        right=[
            'C', 'c', '(C)', 'C)', 'C.', '**C**', 'Answer: C', 'answer: c', '\\boxed{C}', '\\boxed{c}',
            '\\boxed{(C)}', '\\boxed{\\textbf{(C)}}', '\\boxed{C) 18}', '\\boxed{\\text{(C) } 18}', '$\\boxed{C}$',
            '<answer>C</answer>', 'Option C', 'The correct option is C', 'C: 18', '18', '18.', '18 cubes',
            'There are 18 cubes.', 'eighteen cubes', '\\boxed{18}', '\\boxed{18.0}', '\\frac{36}{2}', '36/2',
            '3 \\times 6 = 18', '3*6', 'It is C, not B', 'The answer is (C).',
            'I first thought of (A), but the right one is (C)', '<think>B</think>C', 'C\n\nI hope this helps!',
            'The total is 18, so the answer is C.', 'Hence 18', 'x = 18', '\\boxed{18 \\text{ cubes}}', '$18$',
            '1800%', '\\sqrt{324}', '6 + 12', 'So the number is 6+12=18.', '答案：C', '答案是18', 'C。', '(c)',
            '[C] 18',
            'c) 18', 'Choice C', 'the answer is c',
        ],
        wrong=[
            '20', 'D', 'B or C', 'C or D', 'It is B, not C', 'Not C', 'A, B, C, D, E', '3', '<think>C</think>B',
            'N/A', 'I cannot determine', '', None, 'Cubes', '-18', '18%', '18 or 20', '18, 20',
        ],
    ),
    Group(
        'mathvision', 'Which picture?', 'A',
        metadata={'options': ['A', 'B', 'C', 'D', 'E']},
        right=[
            'A', 'picture A', 'Picture A.', '(A)', 'The answer is A', 'It is picture A', 'a',
            'Figure A is the right one',
        ],
        wrong=[
            'B', '1',
        ],
    ),
    Group(
        'mathvision', 'Which option?', 'B',
        metadata={'options_struct': [{'label': 'A', 'text': '\\frac{1}{3}'}, {'label': 'B',
        'text': '\\frac{2}{3}'}], 'correct_choice_letter': 'B'},
        right=[
            'B', '\\frac{2}{3}', '2/3', '0.67', '0.6667', 'two thirds', '66.67%', '\\boxed{\\dfrac23}', '4/6',
        ],
        wrong=[
            '0.66', '\\frac{1}{3}', 'A', '0.7',
        ],
    ),
    Group(
        'mathvision', 'frac', '\\frac{1}{2}',
        right=[
            '1/2', '0.5', '.5', '\\dfrac{1}{2}', '\\frac12', '\\frac 1 2', '2/4', '50%', '50\\%', 'one half',
            'half', 'a half', '½', '0.50', '\\boxed{\\frac{1}{2}}', '\\boxed{0.5}', 'The fraction is \\frac{1}{2}.',
            '$\\frac{1}{2}$', '2^{-1}', '1:2', '\\cfrac{1}{2}', '1/2 of the square', '0,5', '1 / 2',
            '\\left(\\frac{1}{2}\\right)',
        ],
        wrong=[
            '0.51', '-\\frac{1}{2}', '\\frac{1}{3}', '2', '\\frac{2}{1}',
        ],
    ),
    Group(
        'mathvision', 'len', '2\\sqrt{3}',
        right=[
            '2\\sqrt{3}', '2\\sqrt3', '2√3', '\\sqrt{12}', '2*sqrt(3)', '2 sqrt(3)', '\\sqrt{3}\\cdot2',
            '\\frac{6}{\\sqrt{3}}', '3.46', '3.464', '3.4641', '2\\cdot 3^{1/2}', '12^{0.5}', '2\\sqrt{3} cm',
            '2\\sqrt{3}\\text{ cm}', '2\\sqrt{3}\\ \\mathrm{cm}', 'AB = 2\\sqrt{3}', 'AB=2\\sqrt{3} \\approx 3.46',
            '$2 \\sqrt{3}$', 'The length is 2√3.', '2 \\sqrt {3}', '\\boxed{2\\sqrt{3}}', '√12',
        ],
        wrong=[
            '3.5', '3.47', '\\sqrt{3}', '-2\\sqrt{3}', '\\pm 2\\sqrt{3}',
        ],
    ),
    Group(
        'mathvision', 'side', '\\sqrt{9}',
        right=[
            '3', '\\sqrt{9}', '3.0', '\\sqrt9',
        ],
        wrong=[
            '9', '-3',
        ],
    ),
    Group(
        'mathvision', 'area', '9\\pi',
        right=[
            '9\\pi', '9π', '9 pi', '9*pi', '9pi', '28.27', '28.274', '9\\pi cm^2', '9\\pi \\text{ square units}',
            '9\\pi square units', 'The area is 9\\pi.', 'A = 9\\pi', '\\pi \\cdot 3^2', '\\pi 9',
            '\\frac{18\\pi}{2}', '9\\pi \\approx 28.27', '9\\pi\\mathrm{~cm}^2',
        ],
        wrong=[
            '28.3', '28', '28.28', '28.26', '9 \\times 3.14', '9',
        ],
    ),
    Group(
        'mathvision', 'angle', '60',
        right=[
            '60', '60°', '60^\\circ', '60^{\\circ}', '60 degrees', '60 deg', 'sixty degrees',
            '\\angle ABC = 60^\\circ', '60.0', 'x=60', 'x = 60^\\circ', '\\boxed{60^\\circ}',
            'The angle measures 60 degrees.', 'The measure of the angle is 60^\\circ.', '60\\degree', '120/2',
            '180-120', '180 - 120 = 60', '180^\\circ - 120^\\circ = 60^\\circ', 'about 60', '60?', '6.0e1',
            '$60^{\\circ}$',
        ],
        wrong=[
            '60.001', '59.999', '6 0', '\\frac{\\pi}{3}', '160', '-60', '60 or 120', '60, 120', '60!',
        ],
    ),
    Group(
        'mathvision', 'angle', '60^\\circ',
        right=[
            '60', '60°', '60 degrees', '60^\\circ',
        ],
        wrong=[
            '61',
        ],
    ),
    Group(
        'mathvision', 'pair', '(1,2)',
        right=[
            '(1,2)', '(1, 2)', '1,2', '1, 2', 'x=1, y=2', 'x = 1 and y = 2', '(1.0, 2.0)', '\\left(1,2\\right)',
            '(\\frac{2}{2}, 2)', '(1;2)', 'The pair is (1,2).', '(1,2', '$(1,2)$', '\\boxed{(1,2)}', '(x,y)=(1,2)',
        ],
        wrong=[
            '(2,1)', '(1,2,3)', '1', '(1,3)',
        ],
    ),
    Group(
        'mathvision', 'interval', '[0,1]',
        right=[
            '[0,1]', '[0, 1]', '[0.0,1.0]', '0\\le x\\le 1', '0 \\leq x \\leq 1', 'x \\in [0,1]', '0 ≤ x ≤ 1',
        ],
        wrong=[
            '[0,1)', '(0,1)', '0<x<1', '[1,0]',
        ],
    ),
    Group(
        'mathvision', 'interval', '(-\\infty,3)',
        right=[
            '(-\\infty,3)', '(-∞, 3)', 'x<3', 'x < 3', '3>x', '(-inf, 3)', '(-infinity, 3)',
        ],
        wrong=[
            'x\\le3', '(-\\infty,3]', '(\\infty,3)',
        ],
    ),
    Group(
        'mathvision', 'interval', '(3,+\\infty)',
        right=[
            '(3,+\\infty)', '(3,\\infty)', 'x>3', '(3, ∞)',
        ],
        wrong=[
            '[3,\\infty)', '(3,-\\infty)',
        ],
    ),
    Group(
        'mathvision', 'ways', '1,234',
        right=[
            '1234', '1,234', '1 234', '1{,}234', '1234.0', '1,234 ways', '1\\,234',
        ],
        wrong=[
            '1.234',
        ],
    ),
    Group(
        'mathvision', 'ways', '6',
        right=[
            '6', '3!', '2\\cdot3', '\\binom{4}{2}', 'C(4,2)', '6.00', '600%', 'six', '6 ways', '\\$6', '$6', '|-6|',
            '\\max(3,6)', '\\gcd(12,18)', '\\operatorname{lcm}(2,3)', '2+4', '12/2', '2 \\times 3 = 6',
            '5+1=6 ways', '6 m^3', '6\\text{ m}^3', '6 units', '\\log_2 64', '6^1', '6=6', '06',
            'There are 6 ways.', 'there are six ways to do it', '6,0', 'n = 6', '\\sqrt{36}', '36^{1/2}',
            '216^{\\frac13}', '\\boxed{7}, so \\boxed{6}', '**6**', '6\\ldots', '6...', "6'", '((6))', '{6}', '[6]',
            '6]', '\\fbox{6}', '\\boxed{6', '\\text{6}', '\\mathrm{6}', '6\\,', '~6', '6~', '\\approx 6',
        ],
        wrong=[
            '6\\%', '6.4', '5.999', '6th', '2 \\times 3 = 5', '2\\times 4 = 6', '6x', '6 \\pm 1', '6 or 7',
            '\\boxed{6} or \\boxed{7}', '6_1', '6.5.1',
        ],
    ),
    Group(
        'mathvision', 'Truth value', '1',
        right=[
            '1', '1.00', '\\frac{3}{3}', '100%',
        ],
        wrong=[
            '5>3', 'True', '0.99', '1%',
        ],
    ),
    Group(
        'mathvision', 'Small', '0.004',
        right=[
            '0.004', '4e-3', '.004', '4\\times10^{-3}', '\\frac{1}{250}', '0.0040', '0.4%',
        ],
        wrong=[
            '0', '0.001',
        ],
    ),
    Group(
        'mathvision', 'Big', '1000',
        right=[
            '1000', '1,000', '10^3', '1e3', '1k', 'one thousand', '10^{3}', '1 000', 'a thousand', '10³',
        ],
        wrong=[
            '1000.004', '1000.01',
        ],
    ),
    Group(
        'mathvision', 'Expr', 'x+1',
        right=[
            'x+1', '1+x', 'x + 1', 'y = x+1', '(x+1)', '\\frac{2x+2}{2}', 'f(x) = x+1', '\\boxed{x+1}',
        ],
        wrong=[
            'x-1', 'x+2', 'x',
        ],
    ),
    Group(
        'mathvision', 'Expr', 'x^2-1',
        right=[
            '(x-1)(x+1)', 'x^2 - 1', '-1+x^2', 'x^{2}-1', 'x²-1', 'x*x-1',
        ],
        wrong=[
            'x^2+1',
        ],
    ),
    Group(
        'mathvision', 'Text', 'yes',
        right=[
            'yes', 'Yes.', '\\boxed{\\text{yes}}', '\\text{yes}', 'YES', 'The answer is yes', 'true', 'Yes, it is.',
        ],
        wrong=[
            'no', 'eyes',
        ],
    ),
    Group(
        'mathvision', 'List', '3,5',
        right=[
            '3,5', '3, 5', '5,3', '3 and 5', '5 and 3', '3;5', '{3,5}', '\\{3,5\\}', '[3,5]', 'x=3, x=5',
            'x = 3 or x = 5', '3 or 5', '\\boxed{3} and \\boxed{5}', '\\boxed{3,5}', '3\\text{ and }5',
        ],
        wrong=[
            '3', '3,5,7', '3,6', '3.5',
        ],
    ),
    Group(
        'mathvision', 'Set', '\\{1,2\\}',
        right=[
            '\\{1,2\\}', '\\{2,1\\}', '{1,2}', '{2, 1}', '1,2', '1 and 2', '\\left\\{1,2\\right\\}',
        ],
        wrong=[
            '\\{1\\}', '\\{1,2,3\\}',
        ],
    ),
    Group(
        'mathvision', 'Ratio', '3:4',
        right=[
            '3:4', '3/4', '0.75', '\\frac{3}{4}', '6:8', '75%', '3 : 4', '3 to 4', '$3:4$',
        ],
        wrong=[
            '4:3', '3:5',
        ],
    ),
    Group(
        'mathvision', 'Mixed', '3\\frac{1}{2}',
        right=[
            '3\\frac{1}{2}', '3.5', '7/2', '\\frac{7}{2}', '3 1/2', '3\\frac12', 'three and a half', '3½', '3,5',
            '350%',
        ],
        wrong=[
            '1.5', '\\frac{3}{2}',
        ],
    ),
    Group(
        'mathvision', 'beads', '12',
        right=[
            '12', 'twelve', '12 beads', '12.', '12?', '\\frac{24}{2}', '24/2', 'a dozen', '\\sqrt{144}', '1200\\%',
            '12 because there are 3 rows of 4', '3 rows of 4 = 12', '12 black beads', 'about 12',
            'The answer is about 12', '12,0', '12.0.', '2+10', '12 cm', '12 N m', '12 km/h', 'I counted 12 beads',
            'She needs 12 beads.', '\\boxed{12 \\text{ beads}}', '48/2/2', '12\\text{ beads}',
            '12 \\mathrm{~cm}^{2}', '144^{1/2}', '12m', '$12$ beads', '12 = 12', '0.12e2',
        ],
        wrong=[
            '12!', '12_3', '12.5.6', '1,2', '12 or 13', '12] or 13', '12) or 13', '12 \\pm 1', '12\\%', '121',
            '112',
        ],
    ),
    Group(
        'mathvision', 'Quarter', '0.125',
        right=[
            '0.125', '\\frac{1}{8}', '1/8', '.125', '12.5%', '0.1250', 'one eighth', '2^{-3}',
        ],
        wrong=[
            '0.12', '0.13', '0.115',
        ],
    ),
    Group(
        'mathvision', 'third', '\\frac{1}{3}',
        right=[
            '0.33', '0.333', '33.33%', '1/3', '0.3333333333333',
        ],
        wrong=[
            '0.3', '0.34',
        ],
    ),
    Group(
        'mathvision', 'matrix', '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
        right=[
            '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', '\\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}',
            '\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}',
        ],
        wrong=[
            '\\begin{pmatrix}1&2\\\\4&3\\end{pmatrix}',
        ],
    ),
    Group(
        'mathvision', 'fact', '5!',
        right=[
            '120', '5!', '5 \\cdot 4 \\cdot 3 \\cdot 2',
        ],
        wrong=[
            '5',
        ],
    ),
    Group(
        'mathvision', 'abs', '|x|',
        right=[
            '|x|', '\\left|x\\right|',
        ],
        wrong=[
            'x',
        ],
    ),
    Group(
        'mathvision', 'unit', '18 cm',
        right=[
            '18', '18 cm', '18cm', '18 \\text{ cm}',
        ],
        wrong=[
            '19 cm',
        ],
    ),
    Group(
        'mathvision', 'neg', '-4',
        right=[
            '-4', '−4', '-4.0', 'minus 4', '- 4', '$-4$', 'x=-4',
        ],
        wrong=[
            '4',
        ],
    ),
    Group(
        'mathvision', 'F', 'F',
        metadata={'options': ['1', '2', '3', '4', '5', '6']},
        right=[
            'F', 'F.', 'So it is F.', '\\boxed{F}', '6',
        ],
        wrong=[
            'five',
        ],
    ),
    Group(
        'mathvision', 'big', '9^{9}',
        right=[
            '387420489', '9^9',
        ],
        wrong=[
            '81',
        ],
    ),
    Group(
        'mathvision', 'sum', 'a+b',
        right=[
            'b+a', 'a + b',
        ],
        wrong=[
            'a-b',
        ],
    ),
]
# fmt: on


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group.dataset}-{group.reference}"[:60])
def test_answers(group: Group) -> None:
    """Equal in value is right, however it is written; near, denied, hedged or cut answers are not."""
    assert failures(group) == []
