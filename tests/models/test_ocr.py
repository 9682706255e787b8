"""The OCR model on drawn pictures: it reads, answers, guesses where it cannot, and fails as a typed error."""

from __future__ import annotations

import asyncio
import io
from importlib.util import find_spec
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from snellen.errors import ModelError, UsageError
from snellen.images import ImagePolicy, prepare
from snellen.models import open_model
from snellen.types import GenerationOptions, PreparedImage, Prompt, TextPart

pytestmark = pytest.mark.skipif(find_spec("rapidocr") is None, reason="the ocr extra is not installed")


def open_reader() -> Any:
    """A reader on one thread; imported here, since its module needs the extra."""
    from snellen.models.ocr import Ocr

    return Ocr(n_threads=1)


def drawn(*lines: str, size: tuple[int, int] = (420, 220)) -> PreparedImage:
    """Lines of text on white."""
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(28)
    for number, line in enumerate(lines):
        pen.text((30, 20 + 60 * number), line, fill="black", font=font)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return prepare(buffer.getvalue(), ImagePolicy())


@pytest.fixture(scope="module")
def reader() -> Any:
    """One reader for all tests: loading the engine costs a second."""
    return open_reader()


def ask(reader: Any, question: str, *images: PreparedImage, choices: tuple[str, ...] = ()) -> str:
    """One question."""
    prompt = Prompt("s", (*images, TextPart(question)), question=question, choices=choices)
    return asyncio.run(reader.generate(prompt, GenerationOptions())).text


def test_it_reads_and_answers(reader: Any) -> None:
    """A label's value is found in a drawn picture, and picked among options."""
    page = drawn("Customer: Jo Wells", "Total  42", "Room   7")
    assert ask(reader, "What is the value of Total?", page) == "42"
    assert ask(reader, "What is the value of Room?", page, choices=("42", "7")) == "B"


def test_it_guesses_where_it_reads_nothing(reader: Any) -> None:
    """A blank picture is answered as the prior does, never with an error."""
    assert ask(reader, "How many birds are there?", drawn()) == "2"
    assert ask(reader, "How many birds are there?") == "2"


def test_a_word_that_fills_its_picture_is_read(reader: Any) -> None:
    """Crops of single words are read whole."""
    assert ask(reader, "What word is shown in the image?", drawn("STATION", size=(190, 64))) == "STATION"


def test_a_repeated_picture_is_read_once(reader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second question on a picture costs no reading."""
    page = drawn("Alpha 1", "Beta 2")
    first = ask(reader, "What is the value of Alpha?", page)
    monkeypatch.setattr(reader, "_recognise", lambda data: pytest.fail("read again"))
    assert (first, ask(reader, "What is the value of Beta?", page)) == ("1", "2")


def test_a_failing_engine_is_a_model_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong inside becomes that sample's failure."""
    reader = open_reader()
    monkeypatch.setattr("snellen.models.ocr.make_engine", lambda: 1 / 0)
    with pytest.raises(ModelError, match="ocr: ZeroDivisionError"):
        ask(reader, "What text is shown?", drawn("x"))
    asyncio.run(reader.aclose())
    asyncio.run(reader.aclose())


def test_it_is_opened_by_name() -> None:
    """Nothing stands behind its name."""
    assert open_model("ocr").name == "ocr"
    with pytest.raises(UsageError, match="takes nothing"):
        open_model("ocr:fast")
