# ruff: noqa: PT009, PT027 - unittest style on purpose, so that `python -m unittest discover -s tests` runs them
"""Where rows come from: real `datasets` objects, streams, lists, a snellen benchmark; nothing is decoded early."""

from __future__ import annotations

import importlib.util
import io
import os
import pickle
import resource
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from datbench import DatBenchEvaluator, InferenceTask, JudgeResponse, VLMResponse
from snellen.errors import ImageError

SHARED = Path(os.environ.get("SNELLEN_SHARED", Path(__file__).parents[2] / "shared"))
MINI = SHARED / "data" / "datbench-mini"
HAS_DATASETS = importlib.util.find_spec("datasets") is not None
MANY = 45_000


def picture(shade: int = 90, size: tuple[int, int] = (8, 6)) -> bytes:
    """A PNG."""
    buffer = io.BytesIO()
    Image.new("RGB", size, (shade % 256, 10, 10)).save(buffer, "PNG")
    return buffer.getvalue()


def row(i: int, image: Any) -> dict[str, Any]:
    """A direct row."""
    return {
        "id": f"r{i}", "image": image, "question": f"How many? {i}", "answer": str(i % 9),
        "all_answers": [str(i % 9)], "metadata": "{}", "eval_mode": "direct",
        "source_info": {"dataset": ("countbench", "docvqa", "chartqa")[i % 3]},
    }  # fmt: skip


def table(capability: str) -> Any:
    """One capability of the small set, as `datasets.load_dataset` gives it."""
    from datasets import load_dataset

    cache = tempfile.mkdtemp()
    return load_dataset("parquet", data_files=str(MINI / capability / "*.parquet"), split="train", cache_dir=cache)


class Broken:
    """A picture that must not be looked at."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the picture was looked at ({name})")


class IterableTests(unittest.TestCase):
    """Lists, generators, pictures of all kinds."""

    def test_bytes_are_decoded_when_looked_at(self) -> None:
        """Rows that hold bytes give PIL images, each time anew."""
        evaluator = DatBenchEvaluator([row(0, {"bytes": picture(), "path": None}), row(1, picture())], "counting")
        for task in evaluator.get_inference_tasks():
            self.assertEqual(task.image.size, (8, 6))
            self.assertIsNot(task.image, task.image)
        self.assertEqual(evaluator.samples[1].image.size, (8, 6))

    def test_other_pictures_pass_through(self) -> None:
        """A PIL image, None or a path text is handed on as it is."""
        image = Image.new("RGB", (3, 3))
        tasks = DatBenchEvaluator([row(0, image), row(1, None), row(2, "x.png")], "counting").get_inference_tasks()
        self.assertIs(tasks[0].image, image)
        self.assertEqual([tasks[1].image, tasks[2].image], [None, "x.png"])

    def test_tasks_print_and_copy(self) -> None:
        """Printing looks at no picture; a pickled task is a plain task that holds it."""
        (task,) = DatBenchEvaluator([row(0, {"bytes": picture(), "path": None})], "counting").get_inference_tasks()
        self.assertIn("InferenceTask(image=<read when looked at>", repr(task))
        copy = pickle.loads(pickle.dumps(task))
        self.assertEqual((type(copy), copy.id, copy.image.size), (InferenceTask, "r0", (8, 6)))
        copy.image = None
        self.assertIsNone(copy.image)

    def test_an_unreadable_picture_fails_only_when_looked_at(self) -> None:
        """Tasks and scores do not need it."""
        evaluator = DatBenchEvaluator([row(0, {"bytes": b"no picture", "path": None})], "counting")
        (task,) = evaluator.get_inference_tasks()
        with self.assertRaises(ImageError):
            _ = task.image
        self.assertEqual(evaluator.compute_metrics([VLMResponse("r0", "0")]).summary["total_samples"], 1)

    def test_a_generator_is_read_once(self) -> None:
        """Any iterable of rows will do."""
        evaluator = DatBenchEvaluator((row(i, picture(i)) for i in range(3)), "counting")
        self.assertEqual(len(evaluator.get_inference_tasks()), 3)

    def test_fortythousand_rows_without_a_picture_decoded(self) -> None:
        """Building, asking and scoring 45,000 rows looks at no picture and keeps no more than the scores."""

        def rows() -> Iterator[dict[str, Any]]:
            for i in range(MANY):
                yield row(i, Broken())

        evaluator = DatBenchEvaluator(rows(), "counting")
        tasks = evaluator.get_inference_tasks()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        report = evaluator.compute_metrics(VLMResponse(task.id, "3") for task in tasks)
        grown_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        self.assertEqual(report.summary["total_samples"], MANY)
        self.assertLess(grown_mb, 400)

    def test_a_snellen_benchmark(self) -> None:
        """A benchmark of snellen gives samples, questions and pictures too."""
        from snellen import benchmarks

        bench = benchmarks.load("eyechart", options={"per_level": 1})
        evaluator = DatBenchEvaluator(bench, "eyechart")
        tasks = evaluator.get_inference_tasks()
        self.assertGreater(len(tasks), 5)
        self.assertTrue(hasattr(tasks[0].image, "size"))
        report = evaluator.compute_metrics([VLMResponse(s.id, str(s.answer)) for s in evaluator.samples])
        self.assertEqual(report.summary["total_samples"], len(tasks))


@unittest.skipUnless(HAS_DATASETS, "datasets is not installed (pip install 'snellen[datasets]')")
class DatasetsTests(unittest.TestCase):
    """The real `datasets` library."""

    def made(self, n: int = 5) -> Any:
        """A Dataset with an Image column."""
        from datasets import Dataset
        from datasets import Image as ImageFeature

        data = Dataset.from_list([row(i, {"bytes": picture(i, (8 + i, 6)), "path": None}) for i in range(n)])
        return data.cast_column("image", ImageFeature())

    def test_a_dataset(self) -> None:
        """Rows are taken without their pictures; a picture comes by its position, decoded."""
        evaluator = DatBenchEvaluator(self.made(), "counting")
        tasks = evaluator.get_inference_tasks()
        self.assertEqual([tasks[i].image.size for i in (4, 0, 2)], [(12, 6), (8, 6), (10, 6)])
        self.assertEqual(evaluator.samples[3].all_answers, ["3"])

    def test_a_stream(self) -> None:
        """A stream is walked along; looking back begins it anew."""
        evaluator = DatBenchEvaluator(self.made().to_iterable_dataset(), "counting")
        tasks = evaluator.get_inference_tasks()
        self.assertEqual([task.image.size[0] for task in tasks], [8, 9, 10, 11, 12])
        self.assertEqual([tasks[i].image.size[0] for i in (3, 1, 1)], [11, 9, 9])

    def test_no_picture_is_decoded_before_it_is_looked_at(self) -> None:
        """Damaged pictures in a Dataset disturb neither tasks nor scores."""
        from datasets import Dataset
        from datasets import Image as ImageFeature

        data = Dataset.from_list([row(i, {"bytes": b"broken", "path": None}) for i in range(3)])
        for source in (
            data.cast_column("image", ImageFeature()),
            data.cast_column("image", ImageFeature()).to_iterable_dataset(),
        ):
            evaluator = DatBenchEvaluator(source, "counting")
            answers = [VLMResponse(task.id, "1") for task in evaluator.get_inference_tasks()]
            self.assertEqual(evaluator.compute_metrics(answers).summary["total_samples"], 3)

    @unittest.skipUnless(MINI.is_dir(), "no datbench-mini beside the checkout")
    def test_the_quick_start(self) -> None:
        """A user's quick start, from rows to saved report, on real rows with a made model and a made judge."""
        capability, load = "table", table

        def my_vlm(image: Any, question: str) -> str:
            return f"{image.size[0]}" if "many" in question else "Answer: (7,6)"

        def my_judge(task: Any) -> str:
            return f"answer: {str(task.ground_truth in task.vlm_response).lower()}"

        dataset = load(capability)
        evaluator = DatBenchEvaluator(dataset, capability)
        tasks = evaluator.get_inference_tasks()
        vlm_responses = [VLMResponse(id=task.id, raw_output=my_vlm(task.image, task.question)) for task in tasks]
        judge_tasks = evaluator.create_judge_tasks(vlm_responses)
        judge_responses = [JudgeResponse(id=task.id, raw_judge_output=my_judge(task)) for task in judge_tasks]
        report = evaluator.compute_metrics(vlm_responses, judge_responses)
        with tempfile.TemporaryDirectory() as folder:
            report.save(Path(folder) / "results.json")
            self.assertTrue((Path(folder) / "results.json").read_bytes())
        self.assertEqual(report.summary["judge_samples"], 29)
        self.assertEqual(report.summary["judge_unparsed_verdicts"], 0)
        self.assertGreater(report.summary["overall_accuracy"], 0)
        self.assertTrue(all(task.judge_prompt.endswith("answer: ") for task in judge_tasks))

    @unittest.skipUnless(MINI.is_dir(), "no datbench-mini beside the checkout")
    def test_all_capabilities_score_their_own_answers(self) -> None:
        """The canonical answers of the real rows score nearly all (one DocVQA answer meets a fault that is kept)."""
        for capability in ("chart", "counting", "document", "math", "scene", "spatial"):
            with self.subTest(capability):
                evaluator = DatBenchEvaluator(table(capability), capability)
                form = r"\boxed{%s}" if capability == "math" else "%s"
                answers = [VLMResponse(s.id, form % s.answer) for s in evaluator.samples]
                report = evaluator.compute_metrics(answers)
                self.assertGreater(report.summary["overall_accuracy"], 0.8, report.summary)


if __name__ == "__main__":
    unittest.main()
