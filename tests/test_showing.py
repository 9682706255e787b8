"""`snellen show` and `snellen list`: a sample as it is sent, images in files, and what there is."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from snellen import listing
from snellen.benchmarks import load
from snellen.cli.list import command as list_command
from snellen.cli.show import command
from snellen.errors import UsageError
from snellen.images import ImagePolicy
from snellen.showing import ShownImage, lines_of, show
from snellen.types import Benchmark


@pytest.fixture
def name(tmp_path: Path) -> str:
    """Two questions, the second with a large picture and a missing one."""
    for file, size in (("a.png", (30, 20)), ("big.jpg", (900, 600))):
        buffer = io.BytesIO()
        Image.new("RGB", size, (9, 200, 30)).save(buffer, "PNG" if file.endswith("png") else "JPEG")
        (tmp_path / file).write_bytes(buffer.getvalue())
    rows = [
        {"id": "a/1", "image": "a.png", "question": "What?", "answer": "x", "system": "be kind"},
        {
            "id": "b",
            "image": ["big.jpg", "gone.png"],
            "question": "Which?",
            "answer": "B",
            "choices": ["red", "None"],
        },
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return f"file:{tmp_path / 'q.jsonl'}"


@pytest.fixture
def bench(name: str) -> Benchmark:
    """The same, opened."""
    return load(name)


def test_the_first_sample_is_shown_as_it_is_sent(bench: Benchmark, tmp_path: Path) -> None:
    """Order, system message and the very bytes of the picture."""
    shown = show(bench, out=tmp_path / "out")
    image, text = shown.content
    assert isinstance(image, ShownImage)
    assert image.path == tmp_path / "out" / "a_1-1.png"
    assert image.path.read_bytes() == (tmp_path / "a.png").read_bytes()
    assert (text, shown.system) == ("What?", "be kind")


def test_a_sample_is_found_by_its_id(bench: Benchmark, tmp_path: Path) -> None:
    """Downscaling and unreadable pictures are said; options stand with their letters."""
    shown = show(bench, "b", out=tmp_path / "out", policy=ImagePolicy(max_side_px=90))
    first, second, text = shown.content
    assert isinstance(first, ShownImage)
    assert "downscaled to 90 x 60" in first.about
    assert isinstance(second, ShownImage)
    assert second.path is None
    assert "does not exist" in second.about
    assert "A. red\nB. None" in str(text)
    lines = list(lines_of(shown))
    assert lines[0] == "sample b (position 1)"
    assert "references: B" in lines


def test_blind_and_prompt_change_what_is_shown(bench: Benchmark, tmp_path: Path) -> None:
    """As in a run: no picture, and the asked line."""
    shown = show(bench, out=tmp_path / "out", blind=True, prompt="direct", system="terse")
    assert [type(one) for one in shown.content] == [str]
    assert "short answer only" in str(shown.content[0])
    assert shown.system == "terse"
    assert not (tmp_path / "out").exists()


def test_an_unknown_id_names_the_nearest(bench: Benchmark, tmp_path: Path) -> None:
    """A slip is a usage error."""
    with pytest.raises(UsageError, match="did you mean 'a/1'"):
        show(bench, "a/2", out=tmp_path)
    with pytest.raises(UsageError, match="its ids look like a/1, b"):
        show(bench, "zzzzzz", out=tmp_path)


def test_the_command_prints_text_and_json(name: str, tmp_path: Path) -> None:
    """Both forms hold the same sample."""
    arguments = [name, "--id", "b", "--out", str(tmp_path / "out")]
    plain = CliRunner().invoke(command, arguments)
    assert plain.exit_code == 0
    assert "---- not shown to the model ----" in plain.output
    record = json.loads(CliRunner().invoke(command, [*arguments, "--json"]).output)
    assert (record["id"], record["references"], record["choices"]) == ("b", ["B"], ["red", "None"])
    assert Path(record["content"][0]["image"]).is_file()


def test_drawn_benchmarks_can_be_shown(tmp_path: Path) -> None:
    """No data is needed for the eye chart; another seed shows another picture."""
    texts = []
    for seed in ("1", "2"):
        result = CliRunner().invoke(command, ["eyechart", "--seed", seed, "--out", str(tmp_path / seed), "--json"])
        assert result.exit_code == 0, result.output
        texts.append(Path(json.loads(result.output)["content"][0]["image"]).read_bytes())
    assert texts[0] != texts[1]


def test_the_lists_hold_every_table() -> None:
    """Benchmarks, models, scorers with papers, prompts and protocols; an unknown list names the nearest."""
    lists = listing.entries()
    assert set(lists) == set(listing.LISTS)
    names = {entry.name for entry in lists["scorers"]}
    assert {"auto", "choice", "docvqa"} <= names
    assert any("arXiv" in entry.source for entry in lists["scorers"])
    with pytest.raises(UsageError, match="did you mean 'models'"):
        listing.entries("model")


def test_the_list_command_prints_one_or_all() -> None:
    """As text and as JSON."""
    assert "openai:NAME" in CliRunner().invoke(list_command, []).output
    models = json.loads(CliRunner().invoke(list_command, ["models", "--json"]).output)["models"]
    assert any(row["name"] == "ocr" and "snellen[ocr]" in row["source"] for row in models)
