"""Runs for the viewer's tests, made by the engine from small files, and a client that may see them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from starlette.testclient import TestClient

import snellen
from snellen.viewer.app import create_app

HOST = "127.0.0.1:8642"
TOKEN = "the-token"

XSS = (
    "<script>alert(1)</script>", "<ScRiPt>alert(2)</ScRiPt>", "</script><script>alert(3)</script>",
    "<img src=x onerror=alert(4)>", "<svg onload=alert(5)>", "<svg/onload=alert(6)>", "<body onload=alert(7)>",
    "<iframe src=javascript:alert(8)></iframe>", "<a href=javascript:alert(9)>x</a>", "<input autofocus onfocus=alert(10)>",
    "<details open ontoggle=alert(11)>", "<video><source onerror=alert(12)></video>", "<object data=//evil.example>",
    "<embed src=//evil.example>", "<link rel=stylesheet href=//evil.example>", "<meta http-equiv=refresh content=0>",
    "<base href=//evil.example>", "<form action=//evil.example><button>x</button></form>", "\"><script>alert(19)</script>",
    "'><script>alert(20)</script>", "\" onmouseover=\"alert(21)", "' onmouseover='alert(22)", "`onmouseover=alert(23)",
    "{{ 7*7 }}{{ config }}", "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "${alert(26)}", "<!--<script>alert(27)</script>-->", "<![CDATA[<script>alert(28)</script>]]>",
    "<math><mi xlink:href=javascript:alert(29)>", "<style>@import '//evil.example'</style>",
    "<div style=background:url(javascript:alert(31))>", "<marquee onstart=alert(32)>", "&lt;script&gt;alert(33)&lt;/script&gt;",
    "&#60;script&#62;alert(34)&#60;/script&#62;", "<scr\x00ipt>alert(35)</scr\x00ipt>", "<textarea></textarea><script>alert(36)</script>",
    "<title></title><script>alert(37)</script>", "<noscript><p title='</noscript><img src=x onerror=alert(38)>'>",
    "javascript:alert(39)", "data:text/html,<script>alert(40)</script>", "\u202e<script>alert(41)</script>",
    "<template><script>alert(42)</script></template>", "![x](//evil.example/x.png)<img src=//evil.example/y.png>",
)  # fmt: skip
"""Texts that would do something in a careless page."""


def picture(path: Path, shade: int = 120) -> None:
    """A small picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (64, 48), (shade % 256, 90, 160)).save(path)


def make_run(
    root: Path,
    rows: Sequence[Mapping[str, Any]],
    answer: Callable[..., str],
    *,
    name: str = "model-a",
    **options: Any,
) -> Path:
    """A scored run over own questions.

    Args:
        root: everything is written under it: data/ and runs/.
        rows: question, answer and what else a row of a benchmark file may hold; a picture is drawn for each.
        answer: prompt → what the model says.
        name: of the model.
        options: of the run.

    Returns:
        The run directory.
    """
    file = root / "data" / f"{options.pop('file', 'questions')}.jsonl"
    lines = []
    for i, row in enumerate(rows):
        picture(root / "data" / "images" / f"{i}.png", 40 + i)
        lines.append(json.dumps({"id": f"q{i}", "image": f"images/{i}.png", **row}))
    file.write_text("\n".join(lines) + "\n")
    result = snellen.run(f"file:{file}", answer, name=name, out=str(root / "runs"), sight_check=False, **options)
    return result.folder


def client(root: Path, *, may_adjudicate: bool = False, known: bool = True) -> TestClient:
    """Somebody who looks at the runs under a folder; `known` = with the token's cookie."""
    app = create_app(root, token=TOKEN, hosts=[HOST], may_adjudicate=may_adjudicate, by="tester")
    cookies = {"snellen_8642": TOKEN} if known else {}
    return TestClient(app, base_url=f"http://{HOST}", cookies=cookies, follow_redirects=False)
