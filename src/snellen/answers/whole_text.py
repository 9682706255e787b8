"""Read a long answer: the whole text of a response, without what only wraps it."""

from __future__ import annotations

import re
from typing import Any

from snellen.answers.short import answer_text, boxes, pipe_boxes

_LABEL = re.compile(
    r"\A[\s>*_#`-]*+(?:(?:so|therefore|my|the)\s)?(?:final\s)?answer[*_]{0,3}\s?:[*_]{0,3}", re.IGNORECASE
)
_TAG = re.compile(r"</?(?:answer|final|final_answer)>", re.IGNORECASE)
_TYPE_SETTING = re.compile(r"\\(?:text(?:bf|it|rm|tt|sf|normal)?|math(?:rm|bf|it|sf|tt)|mbox)\s?\{([^{}]*)\}")
_FENCE = re.compile(r"^[ \t]*+```[^\n`]*$", re.MULTILINE)


def read_whole(output: Any) -> str:
    r"""The text of a response without its box, label, tags, fence and the reasoning before it.

    Args:
        output: raw model output; anything but a string reads as "".

    Returns:
        The text with its line ends, folded.

    >>> read_whole(r"\boxed{\text{OPEN 24}}"), read_whole("Answer: OPEN\n24")
    ('OPEN 24', 'OPEN\n24')
    """
    text = answer_text(output)
    inside = pipe_boxes(text) or boxes(text)
    text = next((one for one in reversed(inside) if one.strip()), text)
    text = _TYPE_SETTING.sub(r"\1", text) if inside and "\\" in text else text
    text = unlabelled(text)
    return _FENCE.sub("", text).strip() if "```" in text else text.strip()


def unlabelled(text: str) -> str:
    """A text without the answer label that opens it, answer tags and bold marks around all of it.

    >>> unlabelled("**Final Answer:** OPEN 24"), unlabelled("**OPEN 24**"), unlabelled("**OPEN** 24")
    ('OPEN 24', 'OPEN 24', '**OPEN** 24')
    """
    text = _TAG.sub("", _LABEL.sub("", text)).strip()
    return text[2:-2] if text[:2] == "**" == text[-2:] and text.count("**") == 2 else text
