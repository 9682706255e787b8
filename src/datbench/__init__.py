"""Drop-in for the public DatBench evaluation library: the same names, rows and numbers, scored by snellen.

    from datbench import DatBenchEvaluator, JudgeResponse, VLMResponse

    evaluator = DatBenchEvaluator(dataset, "chart")
    responses = [VLMResponse(task.id, model(task.image, task.question)) for task in evaluator.get_inference_tasks()]
    judged = [JudgeResponse(task.id, judge(task)) for task in evaluator.create_judge_tasks(responses)]
    report = evaluator.compute_metrics(responses, judged)
    report.save("results.json")

References: DatBench, arXiv 2601.02316.
"""

from __future__ import annotations

from datbench.evaluator import DatBenchEvaluator
from datbench.schema import (
    DatBenchReport,
    DatBenchSample,
    InferenceTask,
    JudgeRequest,
    JudgeResponse,
    SampleScore,
    VLMResponse,
)
from datbench.verdicts import parse_judge_verdict

__all__ = [
    "DatBenchEvaluator",
    "DatBenchReport",
    "DatBenchSample",
    "InferenceTask",
    "JudgeRequest",
    "JudgeResponse",
    "SampleScore",
    "VLMResponse",
    "parse_judge_verdict",
]
