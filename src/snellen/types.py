"""The nouns, and the three protocols (Model, Benchmark, ScorerFunction) everything else is written against.

`benchmark → samples → prompts → responses → scores (+ verdicts) → statistics → report`
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

ImageSource = Any
"""What `snellen.images.read_bytes` takes: bytes, a path, a data URI, bare base64, {"bytes", "path"}, a PIL image."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of text that the model is shown."""

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image that the model is shown, as its benchmark holds it (not yet read)."""

    source: ImageSource


@dataclass(frozen=True, slots=True)
class PreparedImage:
    """An image exactly as the model is sent it."""

    data: bytes
    """Encoded bytes (JPEG, PNG or WebP)."""
    mime: str
    """"image/jpeg", "image/png" or "image/webp"."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    source_sha256: str
    """SHA-256 (hex) of the benchmark's own bytes."""
    source_width: int
    """Pixels of the original, upright (EXIF orientation applied)."""
    source_height: int
    """Pixels."""
    change: str = ""
    """What was done to it: "" when the bytes go out as they are, else such as "downscaled, re-encoded"."""


Part = TextPart | ImagePart
SentPart = TextPart | PreparedImage


@dataclass(frozen=True, slots=True)
class Sample:
    """One item of a benchmark. What a scorer needs stands in it; images are not read until they are asked for."""

    id: str
    """Unique within the benchmark."""
    parts: tuple[Part, ...]
    """Text and images in the order the benchmark shows them (prefix and suffix included)."""
    question: str
    """The bare question (no prefix, no suffix, no choices), which scorers and judges see."""
    references: tuple[str, ...] = ()
    """Accepted truths as text, the first is canonical; empty where the truth is structured (boxes, points)."""
    choices: tuple[str, ...] = ()
    """Option texts in order (A, B, C, …), without their letters; empty for free response."""
    dataset: str = ""
    """Source dataset, which picks the row of SCORERS ("docvqa"); "" falls back to the benchmark's scorer."""
    capability: str = ""
    """Skill group ("chart")."""
    category: str = ""
    """Finer group for stratified draws and slices; "" means the capability."""
    mode: str = "direct"
    """"direct" (scored by rule) or "judge" (scored from verdicts only)."""
    judge_prompt: str = ""
    """The sample's own rubric, where the benchmark ships one."""
    system: str | None = None
    """A system message that belongs to the sample."""
    group: str = ""
    """Rows of one circular item share it; "" for all others."""
    scorer: str = ""
    """Name of a scorer that overrides the dataset's ("choice", "number", "python:module:function")."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """The row's metadata, parsed; empty where it could not be read."""
    metadata_error: str = ""
    """Why `metadata` could not be read, "" when it could."""
    answer: Any = None
    """The row's `answer` exactly as stored (any type): the rules kept for parity look at its type."""
    all_answers: Any = None
    """The row's `all_answers` exactly as stored; [answer] where the row has no such key."""
    prefix: str = ""
    """Text the benchmark puts before the question."""
    suffix: str = ""
    """Text the benchmark puts behind the question (options often stand only here)."""
    image_sizes: tuple[tuple[int, int], ...] = ()
    """(width, height) in pixels of each image, upright; empty until known."""
    discrimination: float | None = None
    """Item discrimination published with the benchmark, if any."""
    weight: float | None = None
    """Survey weight of the sample in its subset; None = equal weights."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """What is known of a sample without touching its images; enough to choose which samples to run."""

    position: int
    """0-based row in the source."""
    id: str
    """The sample's id."""
    category: str = ""
    """Stratum for --per-category (category, else capability)."""
    group: str = ""
    """Circular group, "" for none; a selection keeps groups whole."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the model is shown, ready to send."""

    sample_id: str
    """Whose prompt it is (replayed, scripted and prior models look at it; servers never see it)."""
    parts: tuple[SentPart, ...]
    """Text and images in order."""
    system: str | None = None
    """System message, None for none."""
    question: str = ""
    """The bare question, for models that are no language models (OCR, prior)."""
    choices: tuple[str, ...] = ()
    """Option texts, for the same."""
    epoch: int = 0
    """Repeat index, 0-based."""


@dataclass(frozen=True, slots=True)
class GenerationOptions:
    """Options that change a model's answer; part of the prompt key."""

    max_tokens: int = 4096
    """Upper bound on new tokens."""
    temperature: float | None = 0.0
    """None leaves it to the server."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Any further request fields (top_p, reasoning_effort, chat_template_kwargs, …)."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; None where the server did not say."""

    n_in: int | None = None
    """Prompt tokens."""
    n_out: int | None = None
    """Completion tokens, reasoning included."""
    n_reasoning: int | None = None
    """Reasoning tokens among them."""


@dataclass(frozen=True, slots=True)
class Response:
    """What a model said in one successful call."""

    text: str
    """The answer text, without the reasoning."""
    reasoning: str = ""
    """Thought that was kept apart, by the server or by its tags."""
    finish_reason: str = "stop"
    """"stop", "length", "content_filter" or the server's own word."""
    usage: Usage = field(default_factory=Usage)
    """Tokens."""
    latency_s: float = 0.0
    """Seconds of the successful attempt."""
    n_attempts: int = 1
    """Calls made, the successful one included."""
    served_model: str = ""
    """The model name in the server's reply."""


@runtime_checkable
class Model(Protocol):
    """Anything that answers prompts. One attempt a call; retries and pacing live in `engine.limits`."""

    name: str
    """How the model is named in reports and in the run's identity."""
    takes_images: bool
    """False for a text-only model, which is refused outside a blind run."""

    async def generate(self, prompt: Prompt, options: GenerationOptions) -> Response:
        """Answer one prompt; raises ModelError. A local model gathers concurrent calls into batches inside."""
        ...

    async def aclose(self) -> None:
        """Free sockets, processes and memory; may be called twice."""
        ...


@runtime_checkable
class Benchmark(Protocol):
    """A named collection of samples that can be streamed twice and looked up by position."""

    name: str
    """As on the command line ("datbench/chart", "eyechart", "file:questions.jsonl")."""
    title: str
    """One line for people."""
    citation: str
    """Authors, title, year, identifier; "" for a user's own file."""
    fingerprint: str
    """Hash of the source (content or revision), never of settings alone."""
    facts: Mapping[str, Any]
    """Defaults that the benchmark states and the run freezes: any of max_tokens (int), rules
    ("datbench-1.0" | "fair"), scorer (str), protocol (judge protocol), headline (str), notes (list of str)."""

    def index(self) -> Iterator[IndexRow]:
        """All samples in order, light: no image is read."""
        ...

    def samples(self, positions: Collection[int] | None = None) -> Iterator[Sample]:
        """The samples at these positions (all when None), in ascending position, streamed in flat memory."""
        ...


@dataclass(frozen=True, slots=True)
class ScoringContext:
    """What is known over a whole run, or forced by the user, before one response is scored."""

    coordinates: str = "auto"
    """Convention of boxes and points in this model's text: "auto", "fraction" (0–1), "percent" (0–100),
    "thousand" (0–1000) or "pixel" (of the image as sent, see `image_sizes_sent`)."""
    image_sizes_sent: tuple[tuple[int, int], ...] = ()
    """(width, height) in pixels of the images as the model saw them; empty when unknown."""
    numeric_tolerance: float = 0.0
    """Relative tolerance of the generic number rule."""


@dataclass(frozen=True, slots=True)
class Score:
    """One response scored by one rule set."""

    value: float | None
    """In [0, 1]; None = unscored (the work bound was reached), never a stand-in for 0."""
    answer: str = ""
    """What was read out of the response."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Everything a user may want to see: parts of the metric, boxes, matched reference. JSON-able."""
    reason: str = ""
    """Why it is unscored, or why it is 0 when that is not plain ("no answer found", "metadata: …")."""

    @property
    def is_correct(self) -> bool:
        """Whether the score reaches one half, DatBench's cut."""
        return self.value is not None and self.value >= 0.5


ScorerFunction = Callable[[Sample, Any, ScoringContext], Score]
"""(sample, raw response text, context) → Score. Total: returns a Score for any text (and for None or a list, which
the parity rules accept), never raises, bounded work. The reading of the answer happens inside."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One aggregate that a dataset reports."""

    name: str
    """Key in reports ("anls")."""
    low: float = 0.0
    """Worst value."""
    high: float = 1.0
    """Best value."""
    higher_is_better: bool = True
    """Direction."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """One row of the SCORERS table."""

    dataset: str
    """Exact spelling of the source dataset."""
    fair: ScorerFunction
    """The metric as its paper defines it, faults mended."""
    datbench_1_0: ScorerFunction
    """The public library's number, faults included (the same function where no quirk exists)."""
    metrics: tuple[Metric, ...]
    """The first is primary: the mean of `Score.value`."""
    aggregate: Callable[[list[Score]], dict[str, Any]]
    """Per-dataset summary of the public library's rules over the scored samples (keys as the library prints them)."""
    required_metadata: tuple[str, ...] = ()
    """Metadata keys without which the rule cannot work; checked once at load."""
    paper: str = ""
    """Authors, title, year, identifier."""
    version: str = "1"
    """Raised whenever a score can change; stored with each score."""
