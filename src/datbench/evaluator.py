"""The evaluator: tasks for the model, requests for the judge, scores and the report."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from datbench.rows import LazyTask, read_samples
from datbench.schema import (
    DatBenchReport,
    DatBenchSample,
    InferenceTask,
    JudgeRequest,
    JudgeResponse,
    SampleScore,
    VLMResponse,
)
from datbench.summary import summarise
from datbench.verdicts import parse_judge_verdict
from snellen.protocols.datbench import rewrite
from snellen.rows import sample_from_row
from snellen.scorers import SCORERS, score_answer
from snellen.types import Score


class DatBenchEvaluator:
    """Scores a model on one capability of DatBench.

    Args:
        hf_dataset: a `datasets` Dataset or stream, any iterable of rows, or a snellen benchmark; no image is decoded.
        capability: the config the rows came from ("chart").

    Attributes:
        samples: all samples in order.
        samples_by_id: id → sample; of two rows with one id the later.

    Raises:
        KeyError: a row lacks id, image, question or answer.
    """

    def __init__(self, hf_dataset: Any, capability: str) -> None:
        self.capability = capability
        self.samples: list[DatBenchSample] = list(read_samples(hf_dataset, capability))
        self.samples_by_id: dict[str, DatBenchSample] = {sample.id: sample for sample in self.samples}

    def get_inference_tasks(self) -> list[InferenceTask]:
        """One task a sample, in order; a picture is decoded when `task.image` is looked at, and not kept."""
        return [
            LazyTask(_fetch_of(sample), id=sample.id, question=_asked(sample), eval_mode=sample.eval_mode)
            for sample in self.samples
        ]

    def create_judge_tasks(self, vlm_responses: Iterable[VLMResponse]) -> list[JudgeRequest]:
        """One request a judge-mode sample that has a response, in the order of the data set."""
        answers = {str(response.id): response for response in vlm_responses}
        return [
            JudgeRequest(sample.id, _output(answers[sample.id]), sample.answer, rewrite(sample.judge_prompt or ""))
            for sample in self.samples
            if sample.eval_mode == "judge" and sample.id in answers
        ]

    def compute_metrics(
        self,
        vlm_responses: Iterable[VLMResponse],
        judge_responses: Iterable[JudgeResponse] | None = None,
        strict_judge: bool = False,
    ) -> DatBenchReport:
        """Score all samples that have a response.

        Direct samples are scored by their data set's rule, judge-mode samples by the verdict alone. One sample that
        cannot be scored counts 0 and says why in its details.

        Args:
            vlm_responses: the model's answers; of two with one id the later counts, unknown ids are passed over.
            judge_responses: the judge's answers, likewise.
            strict_judge: refuse missing and unreadable verdicts.

        Raises:
            ValueError: `strict_judge`, and a judge-mode sample has no readable verdict.
        """
        answers = {str(response.id): response for response in vlm_responses}
        verdicts = {str(response.id): response for response in judge_responses or ()}
        answered = [sample for sample in self.samples if sample.id in answers]
        if strict_judge:
            _refuse_gaps(answered, verdicts)
        _warn_if_unmatched(answered, verdicts)
        results: list[SampleScore] = []
        scores: list[Score | None] = []
        for sample in answered:
            output = _output(answers[sample.id])
            if sample.eval_mode == "judge":
                results.append(_judged(sample, output, verdicts.get(sample.id)))
                scores.append(None)
            else:
                score = _ruled(sample, output)
                results.append(_result(sample, output, float(score.value or 0.0), _details_of(score)))
                scores.append(score)
        return DatBenchReport(summarise(results, scores), results)


def _fetch_of(sample: DatBenchSample) -> Any:
    return lambda: sample.image


def _asked(sample: DatBenchSample) -> str:
    layout = sample.prompt_format if isinstance(sample.prompt_format, Mapping) else {}
    return f"{layout.get('prefix', '')}{sample.question}{layout.get('suffix', '')}"


def _output(response: VLMResponse) -> Any:
    return response.parsed_answer or response.raw_output


def dataset_of(sample: DatBenchSample) -> str:
    """Source data set of a sample, "" where the row names none."""
    info = sample.source_info
    return str(info.get("dataset") or "") if isinstance(info, Mapping) else ""


def _ruled(sample: DatBenchSample, output: Any) -> Score:
    """The score of a direct sample; whatever goes wrong is a 0 with its reason."""
    try:
        score = score_answer(sample_from_row(_row(sample)), output, "datbench-1.0")
    except Exception as error:  # one bad row never ends a batch
        return Score(0.0, reason=f"{type(error).__name__}: {error}")
    if score.value is None:
        return Score(0.0, score.answer, score.details, score.reason or "unscored")
    return score


def _row(sample: DatBenchSample) -> dict[str, Any]:
    return {
        "id": sample.id, "image": None, "question": sample.question, "answer": sample.answer,
        "all_answers": sample.all_answers, "eval_mode": sample.eval_mode, "metadata": _metadata(sample),
        "source_info": sample.source_info, "eval_metrics": sample.eval_metrics, "prompt_format": sample.prompt_format,
    }  # fmt: skip


def _metadata(sample: DatBenchSample) -> Any:
    """Data sets without a scorer of their own are compared as text: their metadata is never parsed."""
    return sample.metadata if dataset_of(sample) in SCORERS else {}


def _details_of(score: Score) -> dict[str, Any]:
    details = dict(score.details)
    details.setdefault("score", score.value)
    if score.reason:
        details["reason"] = score.reason
    return details


def _judged(sample: DatBenchSample, output: Any, response: JudgeResponse | None) -> SampleScore:
    verdict = None if response is None else parse_judge_verdict(response.verdict, response.raw_judge_output)
    state = "missing" if response is None else {True: "correct", False: "incorrect", None: "unparsed"}[verdict]
    details = {
        "score": 1.0 if verdict else 0.0,
        "eval_mode": "judge",
        "match": bool(verdict),
        "judge_verdict": state,
        "judge_raw_output": None if response is None else response.raw_judge_output,
        "judge_missing_response": response is None,
    }
    return _result(sample, output, 1.0 if verdict else 0.0, details)


def _result(sample: DatBenchSample, output: Any, score: float, details: dict[str, Any]) -> SampleScore:
    metrics = sample.eval_metrics if isinstance(sample.eval_metrics, Mapping) else {}
    metadata = {
        "capability": sample.capability,
        "eval_mode": sample.eval_mode,
        "dataset": dataset_of(sample),
        "is_circular": sample.is_circular,
        "discrimination": metrics.get("discrimination", 0.0),
        "score_details": details,
    }
    return SampleScore(sample.id, score, score >= 0.5, output, sample.answer, metadata)


def _refuse_gaps(answered: list[DatBenchSample], verdicts: Mapping[str, JudgeResponse]) -> None:
    missing, unparsed = [], []
    for sample in answered:
        if sample.eval_mode != "judge":
            continue
        response = verdicts.get(sample.id)
        if response is None:
            missing.append(sample.id)
        elif parse_judge_verdict(response.verdict, response.raw_judge_output) is None:
            unparsed.append(sample.id)
    if missing or unparsed:
        raise ValueError(
            f"strict_judge: {len(missing)} judge-mode samples have no judge response{_some(missing)}, "
            f"{len(unparsed)} have no readable verdict{_some(unparsed)}"
        )


def _some(ids: list[str]) -> str:
    return f" ({', '.join(ids[:5])}{', …' if len(ids) > 5 else ''})" if ids else ""


def _warn_if_unmatched(answered: list[DatBenchSample], verdicts: Mapping[str, JudgeResponse]) -> None:
    judged = [sample.id for sample in answered if sample.eval_mode == "judge"]
    if judged and not any(sample_id in verdicts for sample_id in judged):
        warnings.warn(
            f"no judge response matches any of the {len(judged)} judge-mode samples, which all score 0; run the "
            "requests of create_judge_tasks() through a judge and pass its answers as judge_responses",
            UserWarning,
            stacklevel=3,
        )
