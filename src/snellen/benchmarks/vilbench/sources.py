"""The five public data sets that ViLBench draws from, each from its own layout; one function a layout.

References: MAVIS (Zhang et al., 2024, arXiv 2407.08739), A-OKVQA (Schwenk et al., 2022, arXiv 2206.01718), G-LLaVA /
Geo170K (Gao et al., 2023, arXiv 2312.11370), CLEVR-Math (Lindström and Abraham, 2022, arXiv 2208.05358), ScienceQA
(Lu et al., 2022, arXiv 2209.09513).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.benchmarks.hub import HubSet
from snellen.benchmarks.row_sources import Row
from snellen.benchmarks.vilbench.keys import final_answer, option_lines, standard_key
from snellen.errors import BenchmarkError
from snellen.prompts import LETTER_HINT, choice_lines
from snellen.types import ImagePart, Sample, TextPart

FindImage = Callable[[str], Any]
"""Path of an image as the data set writes it → image source."""


@dataclass(frozen=True, slots=True)
class Source:
    """One data set."""

    name: str
    """As on the command line, behind "vilbench/"."""
    title: str
    """For people."""
    hub: HubSet
    """Where it lies."""
    read: Callable[[Row, str, FindImage], Sample]
    """(row, id, finder of images) → sample."""
    id_column: str = ""
    """Column that holds the id; "" numbers the rows."""
    archive: str = ""
    """Archive of the images, where rows hold paths."""


def mavis_geometry(row: Row, sample_id: str, _: FindImage) -> Sample:
    """MAVIS-Geometry: an index into four choices; the text-dominant wording, which states all conditions."""
    texts = row["text_en"]
    return _choice_sample(
        "mavis-geometry",
        sample_id,
        image=row["image_text_dominant"],
        question=_plain_question(texts["text_dominant_question"]),
        choices=row["choices"],
        key=row["answer_index"],
        metadata={"solution": texts.get("CoT_reasoning")},
    )


def a_okvqa(row: Row, sample_id: str, _: FindImage) -> Sample:
    """A-OKVQA: an index into four choices, and ten free answers written as a list in text."""
    if row.get("correct_choice_idx") is None:
        raise BenchmarkError(f"A-OKVQA {sample_id} has no key: the test split hides it; use validation")
    return _choice_sample(
        "a-okvqa",
        sample_id,
        image=row["image"],
        question=row["question"],
        choices=row["choices"],
        key=row["correct_choice_idx"],
        metadata={
            "direct_answers": _text_list(row.get("direct_answers")),
            "rationales": list(row.get("rationales") or ()),
        },
    )


def geoqa170k(row: Row, sample_id: str, find_image: FindImage) -> Sample:
    """GeoQA170K: a conversation; options stand in the question, the key behind "Answer:" at the solution's end."""
    said = {turn["from"]: turn["value"] for turn in row["conversations"][:2]}
    text = said["human"].replace("<image>", "").strip()
    question, choices = option_lines(text.rpartition("Question:")[2])
    image = row["image"]
    image = find_image(image) if isinstance(image, str) and not image.startswith("data:") else image
    solution, key = said["gpt"], final_answer(said["gpt"])
    metadata = {"solution": solution}
    if choices:
        return _choice_sample(
            "geoqa170k", sample_id, image=image, question=question, choices=choices, key=key, metadata=metadata
        )
    return _free_sample("geoqa170k", sample_id, image=image, question=question, answer=key, metadata=metadata)


def clevr_math(row: Row, sample_id: str, _: FindImage) -> Sample:
    """CLEVR-Math: a whole number from 0 to 10."""
    return _free_sample(
        "clevr-math",
        sample_id,
        image=row["image"],
        question=row["question"],
        answer=str(int(row["label"])),
        scorer="number",
        hint="Answer with the number only.",
        metadata={"template": row.get("template")},
    )


def scienceqa(row: Row, sample_id: str, _: FindImage) -> Sample:
    """ScienceQA with a picture: an index into two to five choices; its hint is part of the question."""
    context = str(row.get("hint") or "").strip()
    return _choice_sample(
        "scienceqa",
        sample_id,
        image=row["image"],
        question=row["question"] + (f"\nContext: {context}" if context else ""),
        choices=row["choices"],
        key=row["answer"],
        metadata={name: row.get(name) for name in ("subject", "topic", "grade", "skill", "solution")},
    )


def own_row(row: Row, sample_id: str, find_image: FindImage) -> Sample:
    """ViLBench's own file, or one like it: question, answer, image, optional choices and source."""
    question = _first(row, "question", "prompt", "problem")
    answer = _first(row, "answer", "gt_answer", "gt", "label")
    image = _first(row, "image", "images", "image_path")
    image = image[0] if isinstance(image, list) and len(image) == 1 else image
    image = find_image(image) if isinstance(image, str) and not image.startswith("data:") else image
    choices = _first(row, "choices", "options", default=())
    dataset = str(_first(row, "source", "dataset", "benchmark", default="vilbench"))
    metadata: Mapping[str, Any] = {"solution": row.get("solution")}
    if not choices:
        question, choices = option_lines(str(question))
    if choices:
        return _choice_sample(
            dataset, sample_id, image=image, question=question, choices=choices, key=answer, metadata=metadata
        )
    return _free_sample(dataset, sample_id, image=image, question=question, answer=str(answer), metadata=metadata)


SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        Source(
            "mavis-geometry", "MAVIS-Geometry",
            HubSet("CaraJ/MAVIS-Geometry", ("*visualization*.parquet",), "default", "visualization"), mavis_geometry,
        ),
        Source(
            "a-okvqa", "A-OKVQA, validation",
            HubSet("HuggingFaceM4/A-OKVQA", ("*validation-*.parquet",), "default", "validation"), a_okvqa,
            id_column="question_id",
        ),
        Source(
            "geoqa170k", "GeoQA170K, qa_tuning",
            HubSet("Luckyjhg/Geo170K", ("*qa_tuning*.json",), "default", "qa_tuning"), geoqa170k,
            archive="images.zip",
        ),
        Source(
            "clevr-math", "CLEVR-Math, general, test",
            HubSet("dali-does/clevr-math", ("*general*test*.parquet",), "general", "test"), clevr_math,
            id_column="id",
        ),
        Source(
            "scienceqa", "ScienceQA with pictures, test",
            HubSet("lmms-lab/ScienceQA", ("ScienceQA-IMG/test-*.parquet",), "ScienceQA-IMG", "test"), scienceqa,
        ),
    )
}  # fmt: skip
"""Name → data set, in the order of the paper."""


def _choice_sample(
    dataset: str,
    sample_id: str,
    *,
    image: Any,
    question: Any,
    choices: Sequence[Any],
    key: object,
    metadata: Mapping[str, Any],
) -> Sample:
    options = tuple(str(choice) for choice in choices)
    try:
        right = standard_key(key, options)
    except BenchmarkError as error:
        raise BenchmarkError(f"{dataset} {sample_id}: {error}") from None
    suffix = f"\n{choice_lines(options)}\n{LETTER_HINT}"
    return _sample(
        dataset, sample_id, image, str(question), suffix,
        references=(right.letter, right.text), choices=options, scorer="choice", metadata=metadata,
    )  # fmt: skip


def _free_sample(
    dataset: str,
    sample_id: str,
    *,
    image: Any,
    question: Any,
    answer: str,
    metadata: Mapping[str, Any],
    scorer: str = "",
    hint: str = "",
) -> Sample:
    suffix = f"\n{hint}" if hint else ""
    return _sample(
        dataset, sample_id, image, str(question), suffix,
        references=(answer,), choices=(), scorer=scorer, metadata=metadata,
    )  # fmt: skip


def _sample(
    dataset: str,
    sample_id: str,
    image: Any,
    question: str,
    suffix: str,
    *,
    references: tuple[str, ...],
    choices: tuple[str, ...],
    scorer: str,
    metadata: Mapping[str, Any],
) -> Sample:
    images = image if isinstance(image, list) else [image]
    return Sample(
        id=sample_id,
        parts=(*(ImagePart(one) for one in images), TextPart(question + suffix)),
        question=question,
        references=references,
        choices=choices,
        dataset=dataset,
        capability=dataset,
        category=dataset,
        scorer=scorer,
        metadata={name: value for name, value in metadata.items() if value not in (None, "", [])},
        answer=references[0],
        all_answers=list(references),
        suffix=suffix,
    )


def _plain_question(text: str) -> str:
    """A question without the options and instructions that its layout repeats behind it."""
    return option_lines(text.rpartition("Question:")[2])[0]


def _text_list(value: Any) -> list[str]:
    """A list of texts that may itself be written as text."""
    if isinstance(value, str):
        try:
            value = ast.literal_eval(value[:10_000])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [value]
    return [str(one) for one in value] if isinstance(value, list | tuple) else []


def _first(row: Row, *names: str, default: Any = ...) -> Any:
    for name in names:
        if row.get(name) is not None:
            return row[name]
    if default is ...:
        raise BenchmarkError(f"a row of ViLBench's own file needs one of {', '.join(names)}; it has {', '.join(row)}")
    return default
