"""Tell a model's reasoning from its answer, whatever tags or channels it uses.

Everything before the last closing tag is thought, whether or not its opening tag is there (many chat templates write
the opening tag themselves). A block that is opened and never closed is thought to its end.
"""

from __future__ import annotations

import re

_NAMES = "think|thinking|thought|thoughts|reasoning|analysis"
_OPEN = re.compile(
    rf"<(?:seed:)?(?:{_NAMES})>|\[think\]|◁think▷|<\|begin_of_thought\|>|<\|start_thinking\|>", re.IGNORECASE
)
_CLOSE = re.compile(
    rf"</(?:seed:)?(?:{_NAMES})>|\[/think\]|◁/think▷|<\|end_of_thought\|>|<\|end_thinking\|>", re.IGNORECASE
)
_CHANNEL = re.compile(r"<\|channel\|>\s*(?P<name>\w++)[^<]*+<\|message\|>", re.IGNORECASE)
_CHANNEL_END = re.compile(r"<\|(?:end|return|start|call)\|>", re.IGNORECASE)
_ANSWER_WRAPPER = re.compile(
    r"<\|(?:begin_of_solution|end_of_solution|start_response|end_response)\|>", re.IGNORECASE
)
_MARKERS = ("<", "[", "◁")


def split_thinking(text: str) -> tuple[str, str]:
    """Split a raw output into what the model answers and what it thought on the way.

    Args:
        text: raw model output.

    Returns:
        (answer, thought). Without any mark of reasoning the text comes back as it is, with "" as thought.
        The answer is "" when the output ends inside its thought.

    >>> split_thinking("<think>A or C?</think>B")
    ('B', 'A or C?')
    >>> split_thinking("A or C? </think> B")
    ('B', 'A or C?')
    >>> split_thinking("<think>A or")
    ('', 'A or')
    """
    if not any(marker in text for marker in _MARKERS):
        return text, ""
    channels = list(_CHANNEL.finditer(text))
    if channels:
        return _split_channels(text, channels)
    return _split_blocks(text)


def _split_channels(text: str, channels: list[re.Match[str]]) -> tuple[str, str]:
    """Read a Harmony-style text: the last `final` channel is the answer, the other channels are thought."""
    answer, thoughts = "", [text[: channels[0].start()]]
    for channel, stop in zip(channels, [c.start() for c in channels[1:]] + [len(text)], strict=True):
        end = _CHANNEL_END.search(text, channel.end(), stop)
        body = text[channel.end() : end.start() if end else stop]
        if channel["name"].lower() == "final":
            answer = body
        else:
            thoughts.append(body)
    thoughts[0] = _CHANNEL_END.sub("", thoughts[0]).removesuffix("assistant")
    return answer.strip(), _joined(thoughts)


def _split_blocks(text: str) -> tuple[str, str]:
    opens = list(_OPEN.finditer(text))
    closes = list(_CLOSE.finditer(text))
    if not opens and not closes:
        return _unwrapped(text), ""
    last_close = closes[-1].end() if closes else 0
    open_tail = next((tag for tag in opens if tag.start() >= last_close), None)
    answer_end = open_tail.start() if open_tail else len(text)
    answer = text[last_close:answer_end]
    thought = _without_tags(text[:last_close] + (text[open_tail.end() :] if open_tail else ""))
    if not answer.strip() and closes:
        answer, thought = _before_blocks(text[:last_close], opens, closes, thought)
    return _unwrapped(answer).strip(), thought.strip()


def _before_blocks(
    text: str, opens: list[re.Match[str]], closes: list[re.Match[str]], thought: str
) -> tuple[str, str]:
    """An answer that stands before its own, properly opened, thought is still the answer."""
    if not opens or opens[0].start() > closes[0].start():
        return "", thought
    answer = text[: opens[0].start()]
    return (answer, _without_tags(text[opens[0].start() :])) if answer.strip() else ("", thought)


def _unwrapped(text: str) -> str:
    return _ANSWER_WRAPPER.sub("", text) if "<|" in text else text


def _without_tags(text: str) -> str:
    return _CLOSE.sub("", _OPEN.sub("", text))


def _joined(pieces: list[str]) -> str:
    return "\n".join(piece.strip() for piece in pieces if piece.strip())
