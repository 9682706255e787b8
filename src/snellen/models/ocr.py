"""A real model under test that needs no server: an OCR engine that answers from the words it reads.

It understands no picture: where the text does not bear on the question it guesses as `prior` does. RapidOCR (PP-OCR
detection and recognition, ONNX) brings its weights in its wheel, so nothing is downloaded.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import rapidocr  # noqa: F401 - the extra must be there before a run starts

from snellen.errors import ModelError, UsageError
from snellen.images import decode
from snellen.models.ocr_answers import answer
from snellen.models.ocr_layout import Line
from snellen.models.prior import guess, question_of
from snellen.types import GenerationOptions, PreparedImage, Prompt, Response

DETECTION_SIDE_PX = 480
"""Shorter sides are enlarged to this before text is looked for."""
LEAST_CONFIDENCE = 0.5
_CROP_SIDE_PX = 200
"""A picture this low may be one word that fills it, which the detector cuts up or overlooks."""
_FEW_LINES = 3
_SURE = 0.9
_N_REMEMBERED = 256


class Ocr:
    """Reads the images of a prompt in a few threads and answers from their text."""

    takes_images = True

    def __init__(self, *, n_threads: int | None = None) -> None:
        self.name = "ocr"
        self.start_concurrency = n_threads or min(4, os.cpu_count() or 1)
        self._pool: ThreadPoolExecutor | None = None
        self._own = threading.local()
        self._lock = threading.Lock()
        self._read: OrderedDict[str, tuple[Line, ...]] = OrderedDict()

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Read and answer.

        Raises:
            ModelError: the engine failed on an image (final).
        """
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.start_concurrency, thread_name_prefix="snellen-ocr")
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._respond, prompt)

    async def aclose(self) -> None:
        """Let the threads end and drop what they loaded."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
        self._own = threading.local()

    def _respond(self, prompt: Prompt) -> Response:
        started = time.perf_counter()  # of the reading itself: waiting for a free thread is not the model's time
        text = self._answer(prompt)
        return Response(text, latency_s=time.perf_counter() - started, served_model=self.name)

    def _answer(self, prompt: Prompt) -> str:
        lines: list[Line] = []
        for part in prompt.parts:
            if isinstance(part, PreparedImage):
                lines += self._lines(part)
        question = question_of(prompt)
        return answer(question, lines, prompt.choices) or guess(question, prompt.choices)

    def _lines(self, image: PreparedImage) -> tuple[Line, ...]:
        key = f"{image.source_sha256} {image.width}"
        with self._lock:
            if key in self._read:
                self._read.move_to_end(key)
                return self._read[key]
        try:
            lines = self._recognise(image.data)
        except Exception as error:
            raise ModelError(f"ocr: {type(error).__name__}: {str(error)[:300]}", kind="server") from error
        with self._lock:
            self._read[key] = lines
            if len(self._read) > _N_REMEMBERED:
                self._read.popitem(last=False)
        return lines

    def _recognise(self, data: bytes) -> tuple[Line, ...]:
        import numpy as np

        pixels = np.ascontiguousarray(np.asarray(decode(data))[:, :, ::-1])
        lines, _ = self._run(pixels, detect=True)
        if pixels.shape[0] <= _CROP_SIDE_PX and len(lines) <= _FEW_LINES:
            whole, confidence = self._run(pixels, detect=False)
            if not lines or confidence >= _SURE:
                return whole
        return lines

    def _run(self, pixels: Any, *, detect: bool) -> tuple[tuple[Line, ...], float]:
        """Lines, and the lowest confidence among them."""
        # All three switches are given at every call: the engine remembers those of the last one.
        found = self._engine()(pixels, use_det=detect, use_cls=False, use_rec=True)
        height, width = pixels.shape[:2]
        boxes = getattr(found, "boxes", None) if detect else None
        lines, lowest = [], 1.0
        for at, (text, score) in enumerate(zip(found.txts or (), found.scores or (), strict=False)):
            if float(score) < LEAST_CONFIDENCE or not str(text).strip():
                continue
            line = _line(str(text), boxes[at]) if boxes is not None else Line(str(text), 0, 0, width, height)
            if not (detect and _fills(line, width, height)):
                lines.append(line)
                lowest = min(lowest, float(score))
        return tuple(lines), lowest

    def _engine(self) -> Any:
        """One engine a thread: it keeps state between calls."""
        engine = getattr(self._own, "engine", None)
        if engine is None:
            engine = self._own.engine = make_engine()
        return engine


def _line(text: str, box: Any) -> Line:
    xs, ys = [float(point[0]) for point in box], [float(point[1]) for point in box]
    return Line(text, min(xs), min(ys), max(xs), max(ys))


def _fills(line: Line, width: int, height: int) -> bool:
    """The engine reads the whole picture as one line when it finds no text: on a photo that is noise."""
    return height > _CROP_SIDE_PX and line.right - line.left >= width - 2 and line.bottom - line.top >= height - 2


def make_engine() -> Any:
    """Load RapidOCR with one thread, silent, from the weights in its wheel."""
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "Global.use_cls": False,
            "Global.log_level": "error",
            "Det.limit_side_len": DETECTION_SIDE_PX,
        }
    )


def open_model(rest: str, *, ocr_threads: int | None = None, **_settings: Any) -> Ocr:
    """Open "ocr".

    Args:
        rest: nothing.
        ocr_threads: images read at once; the number of cores, at most 4.

    Raises:
        UsageError: something stands behind the name.
    """
    if rest:
        raise UsageError(f"ocr takes nothing behind its name, got {rest!r}")
    return Ocr(n_threads=ocr_threads)
