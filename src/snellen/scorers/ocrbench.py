"""OCRBench v2: one rule for each scoring method, with the four-part page score, TEDS and positions as published.

References:
    Fu et al., "OCRBench v2: An Improved Benchmark for Evaluating Large Multimodal Models on Visual Text Localization
    and Reasoning" (2024), arXiv:2501.00321.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from snellen.answers.folding import collapse, fold
from snellen.answers.long_answers import read_long
from snellen.answers.objects import read_object
from snellen.answers.short import answer_text
from snellen.answers.tables import read_table
from snellen.answers.whole_text import unlabelled
from snellen.scorers.edit_distance import edit_similarity
from snellen.scorers.ocrbench_answers import choice, counting, formula, is_formula, vqa
from snellen.scorers.ocrbench_fields import compare_records, read_record
from snellen.scorers.ocrbench_types import ESSAY_MARK, scoring_method
from snellen.scorers.page_text import PageScore, has_chinese, score_page
from snellen.scorers.placed_text import (
    Box,
    PlacedText,
    box_overlap,
    comparable_text,
    last_box,
    read_box,
    read_placed_texts,
    reference_boxes,
    spotting_f1,
)
from snellen.scorers.references import references_of
from snellen.scorers.table_similarity import table_similarity
from snellen.types import Sample, Score, ScoringContext

Rule = Callable[[Sample, Any, ScoringContext], Score]


def score_ocrbench(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Score one OCRBench v2 answer by the rule of its question type.

    Args:
        sample: metadata `type`, `eval`, `bbox`, `bbox_list`, `content`; references in `all_answers`.
        output: raw model text.
        context: the coordinate convention of boxes.

    Returns:
        The score; unscored where the reference itself cannot be used.
    """
    task_type, evaluation = sample.metadata.get("type", ""), sample.metadata.get("eval")
    method = scoring_method(task_type, evaluation)
    score = _RULES[method](sample, output, context)
    details = {"score": score.value, "task_type": task_type, "scoring_method": method, **score.details}
    return Score(score.value, answer=score.answer, details=details, reason=score.reason)


def _references(sample: Sample) -> list[str]:
    return references_of(sample, empty_falls_back=False)


def _plain(value: float, output: Any) -> Score:
    return Score(value, answer=answer_text(output))


def _english(sample: Sample, output: Any, context: ScoringContext) -> Score:
    references = _references(sample)
    if sample.metadata.get("type") == "math QA en" and any(map(is_formula, references)):
        return _plain(max(formula(output, references), vqa(output, references)), output)
    return _plain(vqa(output, references), output)


def _cased(sample: Sample, output: Any, context: ScoringContext) -> Score:
    return _plain(vqa(output, _references(sample), is_cased=True), output)


def _chinese(sample: Sample, output: Any, context: ScoringContext) -> Score:
    return _plain(vqa(output, _references(sample), is_tight=True), output)


def _choice(sample: Sample, output: Any, context: ScoringContext) -> Score:
    return _plain(choice(sample, output, _references(sample)), output)


def _formula(sample: Sample, output: Any, context: ScoringContext) -> Score:
    return _plain(formula(output, _references(sample)), output)


def _counting(sample: Sample, output: Any, context: ScoringContext) -> Score:
    method = str(sample.metadata.get("eval"))
    return _plain(counting(output, _references(sample), method, sample.question), output)


def _fields(sample: Sample, output: Any, context: ScoringContext) -> Score:
    records = [record for record in _reference_records(sample) if record is not None]
    if not records:
        return Score(None, answer=answer_text(output), reason="no reference holds a record")
    predicted = read_record(answer_text(output))
    best = max((compare_records(predicted, record) for record in records), key=lambda counts: counts.f1)
    details = {"n_matched": best.n_matched, "n_missing": best.n_missing, "n_extra": best.n_extra}
    return Score(best.f1, answer=answer_text(output), details=details)


def _reference_records(sample: Sample) -> list[Any]:
    answers = [sample.answer] if sample.all_answers is None else sample.all_answers
    listed = answers if isinstance(answers, list | tuple) else [answers]
    return [one if isinstance(one, dict) else _record_of(one) for one in listed]


def _record_of(reference: Any) -> Any:
    found = read_object(reference) if isinstance(reference, str) else None
    return found if isinstance(found, dict) else None


def _parsed_document(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """A record as the reference is compared by its fields, a page of text by its edit similarity."""
    if any(record is not None for record in _reference_records(sample)):
        return _fields(sample, output, context)
    references = [collapse(fold(one)) for one in _references(sample)]
    text = collapse(read_long(output, has_fences=any("```" in one for one in references)))
    value = max((edit_similarity(text, one) for one in references), default=0.0)
    return Score(value, answer=text, details={"pred_length": len(text)})


def _table(sample: Sample, output: Any, context: ScoringContext) -> Score:
    references = [table for one in _references(sample) if (table := read_table(fold(one)))]
    text = read_long(output)
    if not references:
        return Score(None, answer=text, reason="no reference holds a table") if _references(sample) else Score(0.0)
    found = read_table(text)
    if found is None:
        return Score(0.0, answer=text, reason="no table in the output")
    value = max(table_similarity(found, one) for one in references)
    return Score(value, answer=text, details={"form": found.form, "n_rows": len(found.rows)})


def _position(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Mean of the answer's score and its box's overlap; grounding counts the overlap alone, as its authors do."""
    references = _references(sample)
    as_box = read_box(references) if len(references) in (1, 4) and _are_coordinates(references) else None
    expected = reference_boxes(sample.metadata.get("bbox")) or ([as_box] if as_box else [])
    if not expected:
        return Score(None, answer=answer_text(output), reason="the row has no usable reference box")
    answer, box = _answer_and_box(answer_text(output), context)
    overlap = max(box_overlap(box, one) for one in expected) if box else 0.0
    details: dict[str, Any] = {"iou": overlap, "bbox": list(box) if box else None}
    if sample.metadata.get("type") == "text grounding en" or as_box:
        return Score(overlap, answer=answer, details=details)
    content = vqa(answer, references)
    return Score((content + overlap) / 2, answer=answer, details={**details, "content": content})


def _are_coordinates(references: Sequence[str]) -> bool:
    """Whether the references spell numbers only."""
    return not any(sign.isalpha() for one in references for sign in one)


def _answer_and_box(text: str, context: ScoringContext) -> tuple[str, Box | None]:
    """(answer text, box): from a record with an answer or a box, else both from the whole text."""
    record = read_object(text)
    if not isinstance(record, dict):
        return text, last_box(text, context)
    fields = {str(key).strip().lower(): value for key, value in record.items()}
    boxes = [value for key, value in fields.items() if "box" in key or key in ("coordinates", "position", "location")]
    answer = fields.get("answer", "" if boxes else text)
    while isinstance(answer, list) and len(answer) == 1:
        answer = answer[0]
    box = read_box(boxes[-1], context) if boxes else last_box(text, context)
    return answer if isinstance(answer, str) else "", box


def _spotting(sample: Sample, output: Any, context: ScoringContext) -> Score:
    expected = _expected_texts(sample)
    if not expected:
        blank = not answer_text(output).strip()
        return Score(0.0 if blank else None, reason="" if blank else "the row has no reference boxes")
    found = read_placed_texts(answer_text(output), context)
    return Score(spotting_f1(found, expected), answer=answer_text(output), details={"n_found": len(found)})


def _expected_texts(sample: Sample) -> list[PlacedText]:
    """Texts and boxes from the metadata, else from references that hold both."""
    boxes, texts = sample.metadata.get("bbox_list"), sample.metadata.get("content")
    if isinstance(boxes, list) and isinstance(texts, list) and boxes and len(boxes) == len(texts):
        pairs = [(comparable_text(str(text)), read_box(box)) for box, text in zip(boxes, texts, strict=True)]
        return [PlacedText(text, box) for text, box in pairs if box]
    return read_placed_texts(fold("\n".join(_references(sample))), ScoringContext())


def _page(sample: Sample, output: Any, context: ScoringContext) -> Score:
    references = _references(sample)
    text = fold(read_long(output, has_fences=any("```" in one for one in references)))
    if not references:
        blank = not text.strip() and bool(sample.all_answers)
        return Score(None if blank else 0.0, answer=text, reason="both sides are empty" if blank else "")
    pages = dict.fromkeys((text.strip(), unlabelled(text)))
    scores = [_page_score(page, fold(one)) for one in references for page in pages]
    best = max(scores, key=lambda parts: parts.value)
    details = {"bleu": best.bleu, "meteor": best.meteor, "f_measure": best.f_measure, "edit": best.edit}
    return Score(best.value, answer=text, details=details)


def _page_score(text: str, reference: str) -> PageScore:
    """Line breaks are blanks, in Chinese nothing."""
    joint = "" if has_chinese(text) or has_chinese(reference) else " "
    sides = (joint.join(line.strip() for line in side.splitlines()).strip() for side in (text, reference))
    return score_page(*sides)


def _handwriting(sample: Sample, output: Any, context: ScoringContext) -> Score:
    return (_page if ESSAY_MARK in sample.question else _chinese)(sample, output, context)


_RULES: dict[str, Rule] = {
    "multiple_choice": _choice,
    "vqa_case_sensitive": _cased,
    "vqa": _english,
    "vqa_fallback": _english,
    "cn_vqa": _chinese,
    "math_expression": _formula,
    "cn_math_expression": _formula,
    "counting": _counting,
    "kie_f1": _fields,
    "chart_parsing_f1": _fields,
    "doc_parsing_f1": _parsed_document,
    "teds": _table,
    "vqa_with_position": _position,
    "text_spotting": _spotting,
    "full_page_ocr": _page,
    "handwritten_extraction": _handwriting,
}
