r"""The public library's mathvision rule: text surgery on the whole reply, then equality at two decimals; faults kept.

Source: behaviour of the public DatBench library 1.0.0.
"""

from __future__ import annotations

import re
from typing import Any

from snellen.scorers.datbench_1_0.latex_value import NoValue, latex_value
from snellen.scorers.datbench_1_0.refusals import refusing
from snellen.types import Sample, Score

_LETTERS = "ABCDE"
_PHRASES = ("the final answer is", "the answer is", "the correct answer is", "the answer should be")
_BOX = re.compile(r"\\boxed\{")
_FOUND_DELETED = (
    "\n", "\\text", "\\mbox",
)  # fmt: skip
_UNITS_DELETED = (
    "\\left", "\\right", "^{\\circ}", "^\\circ", "{m}^3", "m^3", "{units}", "units", "{km}", "km",
)  # fmt: skip
_TIDY_DELETED = ("\\left", "\\right", "^{\\circ}", "^\\circ", "\\$", "$", "\\%")
_SQRT_BARE = re.compile(r"\\sqrt([^{])")


@refusing
def mathvision(sample: Sample, output: Any) -> Score:
    """1 where the reduced reply equals the reference letter or its option's value (faults kept)."""
    reference, value = _reference(sample)
    reduced = reduce_reply(str(output))
    hit = float(is_equal(reference, reduced) or is_equal(value, reduced))
    details = {
        "score": hit,
        "pred_answer": output,
        "normalized_prediction": output.strip() if isinstance(output, str) else output,
        "normalized_target": reference,
    }
    return Score(hit, answer=reduced, details=details)


def mathvision_aggregate(scores: list[Score]) -> dict[str, float]:
    """Share of full scores, rounded to six decimals."""
    n_right = sum(score.value == 1.0 for score in scores)
    return {"accuracy": round(n_right / len(scores), 6) if scores else 0.0}


def _reference(sample: Sample) -> tuple[str, str]:
    """(reference letter or text, text of the option it names or "")."""
    metadata = sample.metadata
    reference = str(metadata.get("correct_choice_letter") or sample.answer or "").strip()
    entries = metadata.get("options_struct")
    if entries:
        options = [entry["text"] for entry in entries]
    else:
        options = [str(one).strip() or chr(65 + at) for at, one in enumerate(metadata.get("options") or [])]
    index = ord(reference) - 65 if options and len(reference) == 1 else -1
    return reference, options[index] if 0 <= index < len(options) else ""


def reduce_reply(reply: str) -> str:
    r"""Cut a whole reply down to the expression that is compared.

    >>> reduce_reply("The answer is C."), reduce_reply(r"so \boxed{\text{C}}"), reduce_reply("x = 18")
    ('c', 'c', '18')
    """
    reduced = tidy(find_expression(_shorten(reply.strip())))
    for letter in "abcde":
        reduced = reduced.replace(f"({letter})", letter)
    for letter in "abcde":
        reduced = reduced.replace("{" + letter + "}", letter)
    return reduced.rstrip(".").lstrip(":").strip()


def _shorten(text: str) -> str:
    for letter in _LETTERS:
        if text.endswith((f" {letter}.", f" ({letter}).")) or text.startswith(
            (f"{letter}\n", f"({letter})\n", f"({letter}) {letter}\n")
        ):
            text = letter
    tail = text.rsplit("is ", 1)[-1].rstrip(".")
    if _is_float(tail):
        text = tail
    if "\\boxed{" not in text:
        return _after_phrases(text)
    for box in ("\\\\boxed{", "\\boxed{"):
        if text.count(box) > 1:
            return box + text.rsplit(box, 1)[1]
    return text


def _after_phrases(text: str) -> str:
    for phrase in _PHRASES:
        for form in (phrase, phrase.replace("the", "The", 1)):
            _, found, tail = text.rpartition(form)
            text = tail.strip()
            if found:
                text = text.split("\n", 1)[0].split(". ", 1)[0]
    return text


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def find_expression(text: str) -> str:
    r"""The box's content (or all), behind its last `=` and `\approx`, without blanks, units and type setting."""
    text = text.lower().replace("{}", "")
    box = _BOX.search(text)
    if box and (end := text.rfind("}")) >= box.end():
        text = text[box.end() : end]
    close = text.find("}")
    if close >= 0 and "{" not in text[:close]:
        text = text[:close]
    text = text.rsplit("=", 1)[-1].rsplit("\\approx", 1)[-1]
    text = text.replace(" ", "").replace("\\,", "").replace("∞", "\\infty").replace("+\\infty", "\\infty")
    text = _without(text.replace("\\\\", "\\"), _FOUND_DELETED).replace("bmatrix", "pmatrix")
    return _without(text, _UNITS_DELETED)


def tidy(text: str) -> str:
    r"""The clean-up of the MATH benchmark: one spelling of fractions, roots and decimals."""
    text = text.replace("\n", "").replace("\\!", "").replace("\\\\", "\\")
    text = text.replace("tfrac", "frac").replace("dfrac", "frac")
    text = _without(text, _TIDY_DELETED).replace(" .", " 0.").replace("{.", "{0.")
    if not text:
        return text
    if text[0] == ".":
        text = "0" + text
    for sign in ("=", "\\approx"):
        if text.count(sign) == 1:
            text = text.split(sign)[1]
    has_root = "sqrt" in text
    if has_root:
        text = _SQRT_BARE.sub(r"\\sqrt{\1}", text)
    text = text.replace(" ", "")
    if has_root:
        text = _braced_fractions(text)
    return "\\frac{1}{2}" if text == "0.5" else _slash_to_fraction(text)


def _without(text: str, parts: tuple[str, ...]) -> str:
    for part in parts:
        text = text.replace(part, "")
    return text


def _braced_fractions(text: str) -> str:
    head, *rest = text.split("\\frac")
    for at, piece in enumerate(rest):
        if piece.startswith("{"):
            continue
        if len(piece) < 2:
            return text
        second = piece[1] if piece[1] == "{" else "{" + piece[1] + "}"
        rest[at] = "{" + piece[0] + "}" + second + piece[2:]
    return "\\frac".join([head, *rest])


def _slash_to_fraction(text: str) -> str:
    if text.count("/") != 1 or len(text) > 2_000:
        return text
    above, below = text.split("/")
    try:
        is_canonical = text == f"{int(above)}/{int(below)}"
    except ValueError:
        return text
    return f"\\frac{{{above}}}{{{below}}}" if is_canonical else text


def is_equal(reference: str, reply: str) -> bool:
    r"""Equal as text, as bracketed lists, or as values at two decimals.

    >>> is_equal(r"\frac{1}{2}", "0.5"), is_equal("(1,2)", "(1, 2)"), is_equal("60", "60.004")
    (True, True, True)
    """
    reference, reply = reference.lower(), reply.lower()
    if not reference.replace(" ", "") or not reply.replace(" ", ""):
        return False
    if reference.strip() == reply.strip():
        return True
    reference, reply = _rounded_items(reference), _rounded_items(reply)
    if reference == reply:
        return True
    try:
        return round(latex_value(reply), 2) == round(latex_value(reference), 2)
    except (NoValue, OverflowError):
        return False


def _rounded_items(text: str) -> str:
    brackets = text[:1] + text[-1:]
    inside = text[1:-1]
    if brackets not in ("()", "[]") or "," not in inside or len(text) > 10_000:
        return text
    try:
        parts = [_rounded_item(part) for part in inside.split(",")]
    except (NoValue, OverflowError):
        return text
    return brackets[0] + ",".join(parts) + brackets[1]


def _rounded_item(part: str) -> str:
    return part if "infty" in part or part in ("a", "-a") else str(round(latex_value(part), 2))
