"""Near-duplicates: planted copies are found, different questions are not merged."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from snellen.curation.redundancy import SIDE_PX, ItemPrints, clusters, dhash, image_hashes, minhash, phash
from snellen.curation.select import select
from tests.curation.synthetic import matrix, rasch

N = 400


def _picture(seed: int) -> Image.Image:
    """A drawn scene of coloured shapes, different for each seed."""
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", (320, 240), tuple(rng.integers(120, 256, 3).tolist()))
    pen = ImageDraw.Draw(image)
    for _ in range(14):
        x, y = rng.integers(0, 260), rng.integers(0, 190)
        w, h = rng.integers(20, 110, 2)
        colour = tuple(rng.integers(0, 256, 3).tolist())
        (pen.ellipse if rng.random() < 0.5 else pen.rectangle)((x, y, x + w, y + h), fill=colour)
    return image


def _hashes(image: Image.Image) -> np.ndarray:
    grey = image.convert("L").resize((SIDE_PX, SIDE_PX), Image.Resampling.BOX)
    return image_hashes(np.asarray(grey, dtype=np.float64))


def _jpeg(image: Image.Image, quality: int) -> Image.Image:
    file = io.BytesIO()
    image.save(file, "JPEG", quality=quality)
    return Image.open(io.BytesIO(file.getvalue()))


def _spoilt(image: Image.Image, seed: int) -> Image.Image:
    """A copy after resizing, cropping up to 5 % off each side, and JPEG."""
    rng = np.random.default_rng(seed)
    scale = rng.uniform(0.5, 1.0)
    small = image.resize((round(image.width * scale), round(image.height * scale)))
    left, top, right, bottom = rng.uniform(0, 0.05, 4)
    box = (small.width * left, small.height * top, small.width * (1 - right), small.height * (1 - bottom))
    return _jpeg(small.crop(tuple(round(v) for v in box)), int(rng.integers(30, 90)))


def _question(k: int) -> str:
    things = ["red circle", "blue square", "largest shape", "left ellipse", "small rectangle", "green area", "corner"]
    return f"What is the colour number {k} of the {things[k % 7]} seen beside the {things[(k // 7) % 7]}?"


def _paraphrase(text: str, seed: int) -> str:
    front = ["Please tell me: ", "Look at the picture. ", "In this image, "][seed % 3]
    return front + text[0].lower() + text[1:].rstrip("?") + [", please?", " here?", "?"][seed % 3]


@pytest.fixture(scope="module")
def planted() -> tuple[ItemPrints, np.ndarray]:
    """400 items of which the last 12 (3 %) are spoilt and reworded copies of others; and where they come from."""
    originals = list(range(N - 12))
    source = np.random.default_rng(0).choice(originals, 12, replace=False)
    pictures = [_picture(k) for k in originals]
    images = [_hashes(p) for p in pictures] + [_hashes(_spoilt(pictures[s], int(s))) for s in source]
    texts = [_question(k) for k in originals] + [_paraphrase(_question(int(s)), int(s)) for s in source]
    answers = [f"answer {k}" for k in originals] + [f"answer {s}" for s in source]
    return ItemPrints(np.array(images), np.array([minhash(t) for t in texts]), answers), source


def test_planted_copies_are_found(planted: tuple[ItemPrints, np.ndarray]) -> None:
    """At least 11 of 12 spoilt copies join their original, and no two originals are merged."""
    prints, source = planted
    found = clusters(prints)
    assert (found[N - 12 :] == found[source]).sum() >= 11
    assert len(set(found[: N - 12].tolist())) == N - 12


def test_copies_hardly_reach_the_subset(planted: tuple[ItemPrints, np.ndarray]) -> None:
    """Of a tenth of the items at most 0.5 % are copies whose original is in the frame, at any share."""
    prints, source = planted
    y = rasch(16, N)
    y[:, N - 12 :] = y[:, source]
    pixels = np.concatenate([np.full(N - 12, 2.0), np.ones(12)])
    found = clusters(prints)
    n_copies = 0
    for seed in range(20):
        plan = select(matrix(y), 40, share=0.25, seed=seed, clusters=found, preference=pixels)
        n_copies += int((plan.chosen >= N - 12).sum())
    assert n_copies / (20 * 40) <= 0.005


def test_two_questions_about_one_picture_stay_apart() -> None:
    """Same picture, other question: no duplicate, whatever the answers."""
    h = _hashes(_picture(1))
    texts = [minhash("How many circles are there?"), minhash("Which word stands on the sign at the left?")]
    for answers in (["3", "stop"], ["3", "3"]):
        assert clusters(ItemPrints(np.array([h, h]), np.array(texts), answers)).tolist() == [0, 1]


def test_stock_question_about_two_pictures_stays_apart() -> None:
    """Same question and answer, other picture: no duplicate."""
    text = minhash("How many circles are there?")
    images = np.array([_hashes(_picture(1)), _hashes(_picture(2))])
    assert clusters(ItemPrints(images, np.array([text, text]), ["3", "3"])).tolist() == [0, 1]


def test_text_only_items() -> None:
    """Without pictures the wording decides."""
    none = np.zeros((3, len(_hashes(_picture(0)))), dtype=np.uint64)
    texts = [
        "What is the capital of the country France?",
        "What is the capital of the country, France ?",
        "Who wrote Emma?",
    ]
    found = clusters(ItemPrints(none, np.array([minhash(t) for t in texts]), ["Paris", "paris", "Paris"]))
    assert found.tolist() == [0, 0, 2]


def test_chains_join() -> None:
    """Near-duplicates of near-duplicates are one cluster, named by its first member."""
    h = _hashes(_picture(3))
    text = minhash("What stands on the table in the middle?")
    assert clusters(ItemPrints(np.array([h] * 4), np.array([text] * 4), ["cup"] * 4)).tolist() == [0, 0, 0, 0]


def test_hashes_survive_compression_and_size() -> None:
    """A quality-30 JPEG of half the size moves few bits, another picture many."""
    image = _picture(4)
    same, other = _hashes(_jpeg(image.resize((160, 120)), 30)), _hashes(_picture(5))
    mine = _hashes(image)
    for kind in (0, len(mine) // 2):
        assert np.bitwise_count(mine[kind] ^ same[kind]) <= 6
        assert np.bitwise_count(mine[kind] ^ other[kind]) >= 12


def test_blank_pictures_have_no_hash() -> None:
    """A blank page has no structure: it counts as no picture, and matches by text only."""
    blank = np.full((SIDE_PX, SIDE_PX), 255.0)
    assert dhash(blank) == 0
    assert phash(blank) == 0


def test_hostile_text() -> None:
    """Empty text, lone surrogates and NUL have a signature."""
    for text in ("", "\ud800", "\x00", " " * 1000):
        assert minhash(text).shape == (64,)
