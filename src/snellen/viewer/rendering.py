"""Templates: everything is escaped, odd characters become visible, nothing is looked up outside the package."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse


def clean(value: Any) -> Any:
    r"""Text that can be sent: lone surrogates and control characters become U+FFFD.

    >>> clean("a\x00\ud800")
    'a\ufffd\ufffd'
    """
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    text = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
    return "".join(c if c >= " " or c in "\n\t\r" else "\ufffd" for c in text)


def percent(value: Any) -> str:
    """A score in [0, 1] for people, "–" when there is none.

    >>> percent(0.5), percent(None), percent(float("nan"))
    ('50.0', '–', '–')
    """
    return "–" if not isinstance(value, int | float) or math.isnan(value) else f"{100 * value:.1f}"


def brief(value: Any, n_chars: int = 160) -> str:
    """A text on one line, cut where it gets long.

    >>> brief("a  b " * 3, 5)
    'a b a…'
    """
    text = " ".join(str("" if value is None else value)[: 6 * n_chars].split())
    return text if len(text) <= n_chars else text[:n_chars] + "…"


def number(value: Any, n_digits: int = 2) -> str:
    """A number for people, "–" when there is none."""
    if not isinstance(value, int | float) or isinstance(value, bool) or math.isnan(value):
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{n_digits}f}"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("snellen.viewer", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=clean,
    )
    made.filters.update(percent=percent, brief=brief, number=number)
    return made


def render(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """One page of a template.

    Args:
        template: file name in `templates/`.
        status: HTTP status.
        values: what the template shows; plain text is escaped.
    """
    text = _environment().get_template(template).render(**values)
    return HTMLResponse(text.encode("utf-8", "replace"), status_code=status)


def safe(markup: str) -> Markup:
    """Markup of our own making (figures, tables), whose texts are escaped already."""
    return Markup(markup)  # noqa: S704  (made by the reports, which escape every text)
