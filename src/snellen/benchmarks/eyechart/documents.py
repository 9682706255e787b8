"""Documents: a form with small print, and a till receipt to add up."""

from __future__ import annotations

from random import Random

from snellen.benchmarks.eyechart.drawing import FAINT, GREY, Canvas, text_width
from snellen.benchmarks.eyechart.kinds import Item, Kind

WHITE = (255, 255, 255)
DESK = (226, 224, 218)
FIELDS = ("Order number", "Customer", "Batch", "Permit", "Locker", "Vehicle", "Reference", "Ticket")
_CODE = "ABCDEFGHJKLMNPRSTUVWXYZ"
WARES = (
    "Apples", "Bread", "Butter", "Candles", "Cheese", "Coffee", "Dates", "Eggs", "Figs", "Flour", "Garlic", "Grapes",
    "Honey", "Jam", "Lemons", "Lentils", "Matches", "Milk", "Mint", "Nuts", "Oats", "Olives", "Onions", "Paper",
    "Pasta", "Pears", "Peas", "Pepper", "Plums", "Rice", "Salt", "Soap", "Soda", "Sugar", "Tea", "Thread", "Tofu",
    "Vinegar", "Yeast", "Yogurt",
)  # fmt: skip


def _code(random: Random) -> str:
    return (
        "".join(random.choice(_CODE) for _ in range(2)) + "-" + "".join(random.choice("23456789") for _ in range(4))
    )


def draw_form(random: Random, level: float) -> Item:
    """A form of six fields in print `level` px tall; one field's entry is asked."""
    row = level * 2.4
    values = [_code(random) for _ in range(6)]
    names = random.sample(FIELDS, 6)
    label_w = max(text_width(name, level) for name in names)
    sheet_w = label_w + text_width("WW-8888", level) + level * 5
    sheet_h = row * 7.6
    width, height = max(320, round(sheet_w + 32)), max(240, round(sheet_h + 32))
    canvas = Canvas(width, height, DESK)
    left = 12 + random.uniform(0, width - sheet_w - 24)
    top = 12 + random.uniform(0, height - sheet_h - 24)
    canvas.rectangle((left, top, left + sheet_w, top + sheet_h), WHITE, outline=FAINT)
    canvas.text(left + level * 1.5, top + row * 0.75, "DELIVERY NOTE", level, align="left")
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        y = top + row * (i + 1.8)
        canvas.line([(left + level, y + row / 2), (left + sheet_w - level, y + row / 2)], FAINT, 0.75)
        canvas.text(left + level * 1.5, y, name, level, fill=GREY, align="left")
        canvas.text(left + sheet_w - level * 1.5, y, value, level, align="right")
    asked = random.randrange(6)
    question = f'What stands in the field "{names[asked]}"? Answer with the entry only, as it is written.'
    return Item((canvas.image(),), question, values[asked])


def draw_receipt(random: Random, level: float) -> Item:
    """A receipt of `level` lines whose total is torn off."""
    n = int(level)
    wares = random.sample(WARES, n)
    cents = [random.randrange(45, 995) for _ in range(n)]
    width, row = 280, 17
    height = 76 + n * row
    canvas = Canvas(width, height, DESK)
    canvas.rectangle((30, 10, width - 30, height - 14), WHITE)
    _torn_edge(canvas, random, width, height)
    canvas.text(width / 2, 30, "CORNER SHOP", 10)
    canvas.line([(44, 44), (width - 44, 44)], FAINT, 1)
    for i, (ware, price) in enumerate(zip(wares, cents, strict=True)):
        y = 58 + i * row
        canvas.text(46, y, ware, 8, align="left")
        canvas.text(width - 46, y, f"{price // 100}.{price % 100:02d}", 8, align="right")
    total = sum(cents)
    question = (
        "The total of this receipt is torn off. What do all its items cost together? "
        "Answer with the number only, with two decimals."
    )
    metadata = {"prices": [price / 100 for price in cents], "n_lines": n}
    return Item((canvas.image(),), question, f"{total // 100}.{total % 100:02d}", metadata=metadata)


def _torn_edge(canvas: Canvas, random: Random, width: int, height: int) -> None:
    points = [(30 + i * (width - 60) / 22, height - 22 + random.uniform(0, 9)) for i in range(23)]
    canvas.polygon([*points, (width - 30, height), (30, height)], DESK)


KINDS = (
    Kind(
        "form", "document", "px", (16, 8, 5, 3.2, 2), "exact", draw_form, "reads a form in print down to {level} px"
    ),
    Kind(
        "receipt", "document", "lines", (2, 5, 10, 20, 40), "number", draw_receipt,
        "adds up receipts of up to {level} lines",
    ),
)  # fmt: skip
