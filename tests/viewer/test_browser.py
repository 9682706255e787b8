"""The viewer in headless Chromium: pages, filters, keys, decisions, hostile text, phone width, dark mode."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.viewer.viewed import XSS, make_run

CHROMIUM = os.environ.get("SNELLEN_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine"),
    # A mark, not a skip at import: the standard library's discovery imports this module too.
    pytest.mark.skipif(find_spec("playwright") is None, reason="playwright is not installed (extra browser)"),
]
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
BOXES = [
    {"question": "Where is the sign?", "answer": "[0.1, 0.2, 0.5, 0.6]", "scorer": "box", "capability": "grounding"}
]
ROWS = [
    *({"question": f"How many dogs in picture {i}?", "answer": str(i % 4), "capability": "counting"} for i in range(70)),
    *({"id": f"id {i} {one}", "question": f"Q {one}", "answer": one, "choices": [one, "other"], "capability": "hostile"}
      for i, one in enumerate(XSS)),
]  # fmt: skip


def says(prompt: Any) -> str:
    """Hostile questions come back; the others get a 2."""
    return prompt.question[2:] if prompt.question.startswith("Q ") else "<think>hm</think>2"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str, str]]:
    """(folder of runs, address with token, address of the site) of `snellen view --adjudicate` as a process."""
    root = tmp_path_factory.mktemp("browser")
    make_run(root, ROWS, says, scorer="exact")
    make_run(root, ROWS, lambda prompt: "3", name="model-b", scorer="exact")
    make_run(root / "grounded", BOXES, lambda prompt: "[0.2, 0.3, 0.6, 0.7]", name="pointer", file="boxes")
    (root / "grounded" / "runs").rename(root / "runs" / "grounded")
    command = [sys.executable, "-m", "snellen", "view", str(root / "runs"), "--adjudicate", "--by", "tester"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().removeprefix("viewer: ").strip()
        yield root / "runs", address, address.partition("/?")[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium."""
    from playwright import sync_api

    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any, served: tuple[Path, str, str]) -> Iterator[Any]:
    """A tab that has opened the printed address; any dialog, error or foreign request fails the test."""
    with _tab(browser, served) as tab:
        yield tab


class _tab:
    def __init__(self, browser: Any, served: tuple[Path, str, str], **how: Any) -> None:
        self.context = browser.new_context(**how)
        self.served = served
        self.troubles: list[str] = []

    def __enter__(self) -> Any:
        tab = self.context.new_page()
        site = self.served[2]
        tab.on("dialog", lambda dialog: (self.troubles.append(f"dialog {dialog.message}"), dialog.dismiss()))
        tab.on("pageerror", lambda error: self.troubles.append(f"error {error}"))
        tab.on("console", lambda message: self._said(message))
        tab.on("request", lambda request: self._asked(request.url, site))
        tab.goto(self.served[1])
        return tab

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console {message.text}")

    def _asked(self, url: str, site: str) -> None:
        if not url.startswith((site + "/", "data:,")):
            self.troubles.append(f"foreign request {url}")

    def __exit__(self, *_: object) -> None:
        self.context.close()
        assert self.troubles == []


def run_of(served: tuple[Path, str, str], model: str = "model-a") -> str:
    """Name of a run."""
    return next(path.name for path in served[0].iterdir() if model in path.name)


def test_the_token_leaves_the_address(page: Any, served: tuple[Path, str, str]) -> None:
    """After the first visit the token is in no address, and links go on working."""
    assert page.url == served[2] + "/"
    page.get_by_role("link", name="model-a").click()
    assert "model-a on" in page.locator("h1").inner_text()
    assert page.evaluate("document.cookie") == ""


def test_from_the_list_to_a_sample_by_keys(page: Any, served: tuple[Path, str, str]) -> None:
    """j, k, Enter, n, p and u move through lists, samples and pages."""
    run = run_of(served)
    page.goto(f"{served[2]}/runs/{run}/samples?capability=counting")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("j")
    assert page.locator("tr.chosen").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_url("**/samples/1?*")
    page.keyboard.press("n")
    page.wait_for_url("**/samples/2?*")
    page.keyboard.press("p")
    page.wait_for_url("**/samples/1?*")
    page.keyboard.press("u")
    page.wait_for_url("**/samples?capability=counting")
    page.keyboard.press("n")
    page.wait_for_url("**page=2")
    page.keyboard.press("p")
    page.wait_for_url("**page=1")


def test_filters_work_by_mouse_and_key(page: Any, served: tuple[Path, str, str]) -> None:
    """A chosen outcome filters at once; "/" goes to the search field; letters typed there do nothing else."""
    page.goto(f"{served[2]}/runs/{run_of(served)}/samples")
    page.get_by_label("outcome").select_option("wrong")
    page.wait_for_url("**outcome=wrong*")
    page.keyboard.press("/")
    page.keyboard.type("picture 11?")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=picture*")
    assert page.locator("tbody tr").count() == 1
    assert page.locator("tbody tr").inner_text().startswith("q11")


def test_a_decision_survives_a_reload(page: Any, served: tuple[Path, str, str]) -> None:
    """C writes a reason, b decides; the decision is on the page after a reload, and in the file."""
    run = run_of(served)
    page.goto(f"{served[2]}/runs/{run}/samples/5")
    page.keyboard.press("c")
    page.keyboard.type("a b r: the label is off")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.wait_for_selector(".decision")
    page.reload()
    told = page.locator(".decision").inner_text()
    assert "the label is broken" in told
    assert "a b r: the label is off" in told
    assert '"state":"broken"' in (served[0] / run / "adjudications.jsonl").read_text()


def test_zoom_and_marks(page: Any, served: tuple[Path, str, str]) -> None:
    """Boxes are drawn where they belong, and zooming makes picture and boxes larger together."""
    run = next((served[0] / "grounded").iterdir()).name
    page.goto(f"{served[2]}/runs/grounded~{run}/samples/0")
    image, gold = page.locator(".frame img"), page.locator(".marks .gold")
    page.wait_for_function("document.querySelector('.frame img').naturalWidth > 0")
    small, box = image.bounding_box(), gold.bounding_box()
    assert abs((box["x"] - small["x"]) / small["width"] - 0.1) < 0.05
    assert page.locator(".marks .said").count() == 1
    page.get_by_role("button", name="400 %").click()
    large = image.bounding_box()
    assert large["width"] == pytest.approx(4 * 64, abs=2)
    assert gold.bounding_box()["width"] == pytest.approx(0.4 * 4 * 64, rel=0.1)
    page.keyboard.press("z")
    assert image.bounding_box()["width"] == pytest.approx(small["width"], abs=1)


def test_hostile_text_does_nothing(page: Any, served: tuple[Path, str, str]) -> None:
    """Pages full of payloads run no script, load nothing foreign, and show the payloads as text."""
    run = run_of(served)
    page.goto(f"{served[2]}/runs/{run}/samples?capability=hostile")
    page.wait_for_load_state("networkidle")
    assert "<script>alert(1)</script>" in page.locator("main").inner_text()
    for position in range(70, 70 + len(XSS)):
        page.goto(f"{served[2]}/runs/{run}/samples/{position}?q=%3Cscript%3E%22onmouseover%3D")
        page.keyboard.press("j")
    foreign = "[...document.querySelectorAll('script')].map(s => s.getAttribute('src')).join()"
    assert page.evaluate(foreign) == "/static/viewer.js"
    page.goto(f"{served[2]}/runs/{run}/report")
    page.wait_for_load_state("networkidle")


def test_side_by_side_from_the_list(page: Any, served: tuple[Path, str, str]) -> None:
    """Ticking two runs and pressing the button shows what differs, with the verdict in words."""
    page.goto(f"{served[2]}/")
    for model in ("model-a", "model-b"):
        page.get_by_label(re.compile(f"set {model} on")).check()
    page.get_by_role("button", name=re.compile("side by side")).click()
    page.wait_for_url("**/compare?*")
    assert page.locator("p.verdict").count() == 1
    assert page.locator("svg").count() >= 1
    assert page.locator("tbody tr").count() > 10


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("phone", {"viewport": {"width": 390, "height": 800}}),
        ("dark", {"color_scheme": "dark"}),
        ("no script", {"java_script_enabled": False}),
    ],
)
def test_phone_dark_and_without_script(browser: Any, served: tuple[Path, str, str], name: str, how: dict) -> None:
    """No page is wider than a phone; dark mode is dark and readable; everything is there without the script."""
    run = run_of(served)
    with _tab(browser, served, **how) as tab:
        for address in (
            "/",
            f"/runs/{run}",
            f"/runs/{run}/samples",
            f"/runs/{run}/samples/1",
            f"/runs/{run}/samples/75",
        ):
            tab.goto(served[2] + address)
            assert tab.locator("h1").count() == 1
            if name == "phone":
                assert tab.evaluate("document.documentElement.scrollWidth") <= 390
            if name == "dark":
                assert tab.evaluate(_CONTRAST) >= 4.5


_CONTRAST = """(() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((v) => {
      const s = v / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const worst = (selector) => Math.min(...[...document.querySelectorAll(selector)].map((one) => {
    const ink = light(getComputedStyle(one).color);
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05); }), 99);
  return worst("main p, main td, main th, main h1, main h2, main a:not(.button), main dd, main dt, main .tag");
})()"""


def test_every_field_has_a_name_and_focus_is_seen(page: Any, served: tuple[Path, str, str]) -> None:
    """Every field and button has an accessible name; the focused element has an outline."""
    run = run_of(served)
    for address in ("/", f"/runs/{run}/samples", f"/runs/{run}/samples/1"):
        page.goto(served[2] + address)
        unnamed = page.evaluate(
            "[...document.querySelectorAll('input:not([type=hidden]), select, button')].filter(one =>"
            " !(one.labels?.length || one.getAttribute('aria-label') || one.textContent.trim())).length"
        )
        assert unnamed == 0
        assert page.evaluate("[...document.querySelectorAll('main img')].every(i => i.hasAttribute('alt'))")
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert page.evaluate("document.documentElement.lang") == "en"
