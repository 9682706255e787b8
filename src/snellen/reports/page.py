"""The look that all pages share: one self-contained file, no script, no outside request, everything escaped."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy of a page on disk: even text that slipped through unescaped could load or run nothing."""

STYLE = """
:root{color-scheme:light dark;--ink:#1b1b1b;--soft:#5a5a5a;--line:#d4d4d4;--paper:#fff;--panel:#f6f6f4;
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#a06a00;--c5:#3d6fd1;--good:#00704f;--bad:#a93f00}
@media(prefers-color-scheme:dark){:root{--ink:#ececec;--soft:#a9a9a9;--line:#444;--paper:#161616;--panel:#202020;
--c0:#56b4e9;--c1:#f0904a;--c2:#3fcf9f;--c3:#e3a4c6;--c4:#e6b93f;--c5:#8fb0f5;--good:#3fcf9f;--bad:#f0904a}}
*{box-sizing:border-box}body{margin:0 auto;max-width:70rem;padding:1.5rem;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,sans-serif}h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin-top:2.2rem}
p.headline{font-size:2.4rem;font-weight:650;margin:.4rem 0 0;line-height:1.15}
p.headline small{font-size:1.05rem;font-weight:400;color:var(--soft)}
p.verdict{font-size:1.1rem;font-weight:600}.soft{color:var(--soft)}
.note{border-left:4px solid var(--c1);padding-left:.7rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:top}
td.text{white-space:normal;text-align:left;overflow-wrap:anywhere;min-width:9rem;max-width:26rem}
th:first-child,td:first-child,th.text{text-align:left}th{font-weight:600;color:var(--soft)}
tr.own td,tr.total td{font-weight:700}
svg{max-width:100%;height:auto;font:11px system-ui,sans-serif;fill:currentColor}
svg line,svg polyline,svg polygon{stroke:currentColor;fill:none}
svg .chance,svg .zero{stroke:var(--soft);stroke-dasharray:4 3}svg .fit,svg .line{stroke-width:2}
svg .threshold{stroke-width:5;opacity:.45}svg .band{opacity:.18;stroke:none;fill:currentColor}
svg .title{font-weight:600;font-size:12px}svg .grid{stroke:var(--line)}
svg .soft{fill:var(--soft)}svg .fill{fill:currentColor;stroke:none}
svg .area{fill:currentColor;fill-opacity:.16;stroke-width:2}
.c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}.c4{color:var(--c4)}.c5{color:var(--c5)}
div.cards,div.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr))}
.card{background:var(--panel);border-radius:.4rem;padding:.8rem;overflow-wrap:anywhere}
.card img{max-width:100%;max-height:14rem;display:block;margin:.4rem 0;background:#fff}
.card dl{margin:.3rem 0;display:grid;grid-template-columns:auto 1fr;gap:.1rem .6rem}.card dt{color:var(--soft)}
.card dd{margin:0;white-space:pre-wrap}.figures{display:flex;flex-wrap:wrap;gap:1.5rem;align-items:center}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--panel);padding:.8rem}
details>summary{cursor:pointer;color:var(--soft)}
tr.level td{color:var(--soft);border-bottom:0;padding-top:.8rem}td.up{color:var(--good)}td.down{color:var(--bad)}
@media print{body{max-width:none}.card{break-inside:avoid}}
"""


def page(title: str, parts: Iterable[str]) -> str:
    """A whole HTML page of parts that are already safe."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{STYLE}</style></head>'
        f"<body>{''.join(parts)}</body></html>\n"
    )


def escape(value: object) -> str:
    r"""Text as HTML; lone surrogates and control characters become visible marks.

    >>> escape("<b>\x00")
    '&lt;b&gt;\ufffd'
    """
    text = str(value).encode("utf-8", "replace").decode("utf-8")
    shown = "".join(c if c >= " " or c in "\n\t" else "\ufffd" for c in text)
    return html.escape(shown, quote=True)


def table(heads: Sequence[str], rows: Iterable[str], *, texts: Sequence[int] = ()) -> str:
    """A table that scrolls sideways on a narrow screen; the columns at `texts` hold words, not numbers."""
    head = "".join(
        f'<th scope="col"{" class=text" if i in texts else ""}>{escape(name)}</th>' for i, name in enumerate(heads)
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def row(cells: Sequence[object], *, kind: str = "", texts: Sequence[int] = ()) -> str:
    """One row; the cells at `texts` may wrap."""
    mark = f' class="{kind}"' if kind else ""
    shown = "".join(
        f'<td class="text">{escape(cell)}</td>' if i in texts else f"<td>{escape(cell)}</td>"
        for i, cell in enumerate(cells)
    )
    return f"<tr{mark}>{shown}</tr>"


def picture(mime: str, data: bytes, alt: str) -> str:
    """An image inside the page."""
    encoded = base64.b64encode(data).decode("ascii")
    return f'<img alt="{escape(alt)}" src="data:{escape(mime)};base64,{encoded}">'
