# ruff: noqa: PT009, PT027 - unittest style on purpose, so that `python -m unittest discover -s tests` runs them
"""The drop-in evaluator: tasks, scores, verdicts and the report, as the public contract describes them."""

from __future__ import annotations

import json
import math
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any

from datbench import DatBenchEvaluator, JudgeResponse, VLMResponse

GOLDEN = Path(__file__).parent / "golden" / "evaluator_flow.jsonl"
_VERDICTS = (
    "judge-mode samples are scored from verdicts alone (the vectors' library took verdicts in and never used them)"
)
OVERRULED: dict[str, str] = {
    "evaluator_flow-067": _VERDICTS,
    "evaluator_flow-070": _VERDICTS,
    "evaluator_flow-073": _VERDICTS,
}
"""Vectors that the newer judging contract overrules, and where."""
BY_CONTRACT = ("direct_samples", "direct_accuracy", "judge_samples", "judge_accuracy")


def vectors(kind: str) -> list[dict[str, Any]]:
    """The reference vectors of one kind."""
    lines = GOLDEN.read_text("utf-8").split("\n")
    return [v for v in map(json.loads, filter(None, lines)) if v["kind"] == kind]


def close(got: Any, wanted: Any) -> bool:
    """Whether all that is wanted is there, floats to 1e-9."""
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(key in got and close(got[key], wanted[key]) for key in wanted)
    if isinstance(wanted, float) and isinstance(got, int | float):
        return math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(got == wanted)


def row(id: str = "a", **changes: Any) -> dict[str, Any]:
    """A direct countbench row."""
    return {
        "id": id, "image": None, "question": "How many?", "answer": "4", "all_answers": ["4"], "metadata": "{}",
        "source_info": {"dataset": "countbench"}, "eval_metrics": {"discrimination": 0.25}, **changes,
    }  # fmt: skip


def judged(id: str = "j", **changes: Any) -> dict[str, Any]:
    """A judge-mode row."""
    return row(id, eval_mode="judge", judge_prompt="Is it right?", **changes)


def response(sample: dict[str, Any], text: str = "4") -> VLMResponse:
    """A model's answer to a row."""
    return VLMResponse(sample["id"], text)


class GoldenFlowTests(unittest.TestCase):
    """Reference vectors of the whole flow."""

    def test_reports(self) -> None:
        """Direct samples give the public library's summary and results, to 1e-9."""
        for vector in vectors("report"):
            if vector["case"] in OVERRULED or "raises" in vector["expected"]:
                continue
            with self.subTest(vector["case"]):
                report = self._report(vector)
                self.assertTrue(close(report.summary, vector["expected"]["summary"]), report.summary)
                wanted = vector["expected"]["results"]
                self.assertEqual(len(report.results), len(wanted))
                for got, want in zip(report.results, wanted, strict=True):
                    self.assertTrue(close(vars(got), want), (got, want))

    def test_overruled_vectors_hold_for_their_direct_samples(self) -> None:
        """Where verdicts count now, the direct samples still score as the vector says."""
        for vector in vectors("report"):
            if vector["case"] not in OVERRULED:
                continue
            by_id = {result.id: result for result in self._report(vector).results}
            for want in vector["expected"]["results"]:
                if want["metadata"]["eval_mode"] != "judge":
                    self.assertTrue(close(vars(by_id[want["id"]]), want), want)

    def test_rows_at_which_the_public_library_raises(self) -> None:
        """A missing column is a KeyError; anything else scores 0 with its reason; nulls are borne."""
        for vector in vectors("report"):
            error = vector["expected"].get("raises")
            with self.subTest(vector["case"]):
                if error == "KeyError":
                    with self.assertRaises(KeyError):
                        self._report(vector)
                elif error == "AttributeError":
                    self.assertEqual(len(self._report(vector).results), 1)
                elif error is not None:
                    (result,) = self._report(vector).results
                    self.assertEqual(result.score, 0.0)
                    self.assertTrue(result.metadata["score_details"]["reason"])

    def test_inference_tasks(self) -> None:
        """Prefix, question and suffix are joined; absent parts are empty, null parts print as None."""
        for vector in vectors("inference_tasks"):
            with self.subTest(vector["case"]):
                tasks = DatBenchEvaluator(vector["rows"], vector["capability"]).get_inference_tasks()
                got = [{"id": t.id, "question": t.question, "eval_mode": t.eval_mode} for t in tasks]
                self.assertEqual(got, vector["expected"]["tasks"])

    def test_judge_tasks(self) -> None:
        """Requests are made for answered judge-mode samples; two-line rubrics are rewritten."""
        for vector in vectors("judge_tasks"):
            with self.subTest(vector["case"]):
                evaluator = DatBenchEvaluator(vector["rows"], vector["capability"])
                got = evaluator.create_judge_tasks([VLMResponse(**r) for r in vector["responses"]])
                self.assertEqual(len(got), len(vector["expected"]["judge_tasks"]))
                for task, want in zip(got, vector["expected"]["judge_tasks"], strict=True):
                    self.assertEqual((task.id, task.vlm_response, task.ground_truth),
                                     (want["id"], want["vlm_response"], want["ground_truth"]))  # fmt: skip
                    if want["rewritten"]:
                        self.assertTrue(task.judge_prompt.startswith(want["judge_prompt_head"]))
                        self.assertTrue(task.judge_prompt.endswith(want["judge_prompt_ends_with"]))
                        self.assertEqual(task.judge_prompt.count("exactly two lines"),
                                         want["judge_prompt_head"].count("exactly two lines"))  # fmt: skip
                    else:
                        self.assertEqual(task.judge_prompt, want["judge_prompt"])

    def _report(self, vector: dict[str, Any]) -> Any:
        evaluator = DatBenchEvaluator(vector["rows"], vector["capability"])
        verdicts = [JudgeResponse(**r) for r in vector.get("judge_responses", ())]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return evaluator.compute_metrics([VLMResponse(**r) for r in vector["responses"]], verdicts)


class ScoringTests(unittest.TestCase):
    """Direct and judge-mode samples."""

    def test_a_sample_without_response_is_skipped(self) -> None:
        """Only answered samples count."""
        rows = [row("a"), row("b")]
        report = DatBenchEvaluator(rows, "counting").compute_metrics([response(rows[0])])
        self.assertEqual((report.summary["total_samples"], report.summary["overall_accuracy"]), (1, 1.0))

    def test_unknown_ids_are_passed_over_and_later_responses_win(self) -> None:
        """Responses are taken by id."""
        rows = [row("a")]
        answers = [VLMResponse("zz", "4"), VLMResponse("a", "5"), VLMResponse("a", "4")]
        report = DatBenchEvaluator(rows, "counting").compute_metrics(answers)
        self.assertEqual([r.score for r in report.results], [1.0])

    def test_a_parsed_answer_is_taken_before_the_text(self) -> None:
        """parsed_answer wins where it is set; an empty one does not."""
        rows = [row("a"), row("b")]
        answers = [VLMResponse("a", "5", parsed_answer="4"), VLMResponse("b", "4", parsed_answer="")]
        report = DatBenchEvaluator(rows, "counting").compute_metrics(answers)
        self.assertEqual([r.vlm_output for r in report.results], ["4", "4"])

    def test_metadata_of_a_result(self) -> None:
        """Each result carries the capability, the mode, the data set and the discrimination."""
        report = DatBenchEvaluator([row()], "counting").compute_metrics([response(row())])
        metadata = report.results[0].metadata
        self.assertEqual(
            {k: metadata[k] for k in ("capability", "eval_mode", "dataset", "is_circular", "discrimination")},
            {"capability": "counting", "eval_mode": "direct", "dataset": "countbench", "is_circular": False,
             "discrimination": 0.25},
        )  # fmt: skip
        self.assertEqual(metadata["score_details"]["score"], 1.0)

    def test_one_bad_row_scores_zero_and_says_why(self) -> None:
        """Broken metadata ends nothing: that sample is 0 with its reason, the others are scored."""
        rows = [
            row("bad", metadata="{", source_info={"dataset": "tallyqa"}),
            row("odd", answer=None, all_answers=None),
            row("strange", metadata=7, source_info="?", eval_metrics=3, prompt_format=None),
            row("good"),
        ]
        report = DatBenchEvaluator(rows, "counting").compute_metrics([response(r) for r in rows])
        by_id = {r.id: r for r in report.results}
        self.assertEqual(by_id["bad"].score, 0.0)
        self.assertIn("metadata", by_id["bad"].metadata["score_details"]["reason"])
        self.assertEqual(by_id["good"].score, 1.0)
        self.assertEqual(report.summary["total_samples"], 4)

    def test_a_hostile_response_ends_nothing(self) -> None:
        """None, a list, NUL and lone surrogates are scored like any text."""
        rows = [row(str(i)) for i in range(4)]
        outputs: list[Any] = [None, ["4"], "\x00\ud800", "4" * 100_000]
        answers = [VLMResponse(r["id"], output) for r, output in zip(rows, outputs, strict=True)]
        self.assertEqual(len(DatBenchEvaluator(rows, "counting").compute_metrics(answers).results), 4)

    def test_a_missing_column_is_a_key_error(self) -> None:
        """id, image, question and answer are needed."""
        for column in ("id", "image", "question", "answer"):
            broken = row()
            del broken[column]
            with self.subTest(column), self.assertRaises(KeyError):
                DatBenchEvaluator([broken], "counting")

    def test_samples_by_id(self) -> None:
        """Samples stand in order, and by id."""
        evaluator = DatBenchEvaluator([row("a"), row("b", question="Which?")], "counting")
        self.assertEqual([s.id for s in evaluator.samples], ["a", "b"])
        self.assertEqual(evaluator.samples_by_id["b"].question, "Which?")

    def test_only_the_verdict_scores_a_judge_sample(self) -> None:
        """A right answer that is judged wrong is 0, a wrong one that is judged right is 1."""
        rows = [judged("a"), judged("b")]
        answers = [VLMResponse("a", "4"), VLMResponse("b", "nonsense")]
        verdicts = [JudgeResponse("a", "", "incorrect"), JudgeResponse("b", "answer: true")]
        report = DatBenchEvaluator(rows, "table").compute_metrics(answers, verdicts)
        self.assertEqual([r.score for r in report.results], [0.0, 1.0])
        details = report.results[1].metadata["score_details"]
        self.assertEqual(
            details,
            {"score": 1.0, "eval_mode": "judge", "match": True, "judge_verdict": "correct",
             "judge_raw_output": "answer: true", "judge_missing_response": False},
        )  # fmt: skip

    def test_missing_and_unparsed_verdicts_are_counted(self) -> None:
        """Both score 0, are told apart, and stay in the denominator."""
        rows = [judged(i) for i in ("a", "b", "c")]
        answers = [VLMResponse(r["id"], "4") for r in rows]
        verdicts = [JudgeResponse("a", "answer: yes"), JudgeResponse("b", "who knows")]
        summary = DatBenchEvaluator(rows, "table").compute_metrics(answers, verdicts).summary
        self.assertEqual((summary["total_samples"], summary["judge_samples"]), (3, 3))
        self.assertAlmostEqual(summary["judge_accuracy"], 1 / 3)
        self.assertEqual((summary["judge_missing_responses"], summary["judge_unparsed_verdicts"]), (1, 1))
        self.assertEqual(summary["direct_samples"], 0)

    def test_dataset_metrics_hold_both_kinds(self) -> None:
        """A data set with direct and judge-mode samples reports the scorer's metrics and the judge's numbers."""
        rows = [row("a"), judged("b")]
        answers = [VLMResponse("a", "4"), VLMResponse("b", "4")]
        report = DatBenchEvaluator(rows, "counting").compute_metrics(answers, [JudgeResponse("b", "false")])
        metrics = report.summary["dataset_metrics"]["countbench"]
        self.assertEqual(metrics["accuracy__CountBench-Accuracy"], 1.0)
        self.assertEqual((metrics["judge_samples"], metrics["judge_accuracy"]), (1, 0.0))
        self.assertEqual((metrics["judge_missing_responses"], metrics["judge_unparsed_verdicts"]), (0, 0))

    def test_no_matching_judge_response_warns(self) -> None:
        """A judge whose ids match nothing is named in a UserWarning."""
        evaluator = DatBenchEvaluator([judged("a")], "table")
        with self.assertWarns(UserWarning):
            evaluator.compute_metrics([VLMResponse("a", "4")], [JudgeResponse("zz", "true")])
        with self.assertWarns(UserWarning):
            evaluator.compute_metrics([VLMResponse("a", "4")])

    def test_direct_samples_alone_never_warn(self) -> None:
        """Without judge-mode samples there is nothing to warn of."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            DatBenchEvaluator([row()], "counting").compute_metrics([response(row())])

    def test_strict_judge_refuses_missing_and_unparsed(self) -> None:
        """strict_judge raises ValueError and names the samples."""
        evaluator = DatBenchEvaluator([judged("a")], "table")
        answers = [VLMResponse("a", "4")]
        for verdicts in ([], [JudgeResponse("a", "well")]):
            with self.subTest(verdicts), self.assertRaisesRegex(ValueError, "a"):
                evaluator.compute_metrics(answers, verdicts, strict_judge=True)
        report = evaluator.compute_metrics(answers, [JudgeResponse("a", "true")], strict_judge=True)
        self.assertEqual(report.summary["judge_accuracy"], 1.0)

    def test_total_correct_is_the_whole_part_of_the_sum(self) -> None:
        """Fractions are summed, then cut."""
        rows = [row(i, source_info={"dataset": "docvqa"}, answer="hello", all_answers=["hello"]) for i in ("a", "b")]
        report = DatBenchEvaluator(rows, "document").compute_metrics(
            [VLMResponse("a", "hello"), VLMResponse("b", "hxllo")]
        )
        self.assertEqual(report.summary["total_correct"], 1)
        self.assertGreater(report.summary["overall_accuracy"], 0.5)

    def test_no_responses_at_all(self) -> None:
        """An empty evaluation is zeros, no error."""
        summary = DatBenchEvaluator([row()], "counting").compute_metrics([]).summary
        self.assertEqual(
            (summary["overall_accuracy"], summary["total_samples"], summary["dataset_metrics"]), (0.0, 0, {})
        )

    def test_judge_request_fields(self) -> None:
        """The parsed answer goes to the judge where there is one; unanswered samples get no request."""
        evaluator = DatBenchEvaluator([judged("a"), judged("b"), row("c")], "table")
        answers = [VLMResponse("a", "I think 4", parsed_answer="4"), VLMResponse("c", "4")]
        (task,) = evaluator.create_judge_tasks(answers)
        self.assertEqual(
            vars(task), {"id": "a", "vlm_response": "4", "ground_truth": "4", "judge_prompt": "Is it right?"}
        )

    def test_report_saves_as_json(self) -> None:
        """The file holds summary and results; numbers that JSON lacks become null."""
        rows = [row("a"), judged("b")]
        report = DatBenchEvaluator(rows, "counting").compute_metrics(
            [VLMResponse("a", "4 \ud800"), VLMResponse("b", "4")], [JudgeResponse("b", "true")]
        )
        report.summary["odd"] = {"nan": math.nan, "tuple": (1, 2)}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.json"
            report.save(str(path))
            saved = json.loads(path.read_text("utf-8"))
        self.assertEqual(set(saved), {"summary", "results"})
        self.assertIsNone(saved["summary"]["odd"]["nan"])
        self.assertEqual(set(saved["results"][0]),
                         {"id", "score", "is_correct", "vlm_output", "ground_truth", "metadata"})  # fmt: skip


if __name__ == "__main__":
    unittest.main()
