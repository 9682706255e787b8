"""The SCORERS table: one row per source dataset, two rule sets each.

`fair` is the metric as its paper defines it. `datbench-1.0` is the public library's number, faults included; rules
that exist only for that live in `datbench_1_0/`, so that deleting the folder leaves a clean scorer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from snellen.errors import ScorerError, UsageError
from snellen.rows import sample_from_row
from snellen.scorers.datbench_1_0.summaries import mean_as
from snellen.scorers.lazy import RuleModule
from snellen.scorers.ocrbench_types import CHINESE_CATEGORIES, ENGLISH_CATEGORIES
from snellen.types import Metric, Sample, Score, Scorer, ScorerFunction, ScoringContext

Rules = Literal["fair", "datbench-1.0"]
RULES: tuple[Rules, ...] = ("fair", "datbench-1.0")

_ACCURACY = (Metric("accuracy"),)
_CC_OCR = "Yang et al., CC-OCR, 2024, arXiv 2412.02210"
_REFCOCO = "Kazemzadeh et al., ReferItGame, 2014; Yu et al., Modeling Context in Referring Expressions, 2016"
_REFCOCOG = "Mao et al., Generation and Comprehension of Unambiguous Object Descriptions, 2016, arXiv 1511.02283"

# The rules of a family are imported when one of them is first called: a run of one dataset need not load them all.
chartqapro = RuleModule("snellen.scorers.chartqapro")
counting = RuleModule("snellen.scorers.counting")
documents = RuleModule("snellen.scorers.documents")
grounding = RuleModule("snellen.scorers.grounding")
math = RuleModule("snellen.scorers.math")
numeric = RuleModule("snellen.scorers.numeric")
ocrbench = RuleModule("snellen.scorers.ocrbench")
pointing = RuleModule("snellen.scorers.pointing")
questions = RuleModule("snellen.scorers.questions")
scene_text = RuleModule("snellen.scorers.scene_text")
text = RuleModule("snellen.scorers.text")
vqa = RuleModule("snellen.scorers.vqa")
parity_chart = RuleModule("snellen.scorers.datbench_1_0.chart")
parity_chartqapro = RuleModule("snellen.scorers.datbench_1_0.chartqapro")
parity_choice = RuleModule("snellen.scorers.datbench_1_0.choice")
parity_counting = RuleModule("snellen.scorers.datbench_1_0.counting")
parity_documents = RuleModule("snellen.scorers.datbench_1_0.documents")
parity_grounding = RuleModule("snellen.scorers.datbench_1_0.grounding")
parity_kie = RuleModule("snellen.scorers.datbench_1_0.kie")
parity_logicvista = RuleModule("snellen.scorers.datbench_1_0.logicvista")
parity_mathvision = RuleModule("snellen.scorers.datbench_1_0.mathvision")
parity_mathvista = RuleModule("snellen.scorers.datbench_1_0.mathvista")
parity_ocrbench = RuleModule("snellen.scorers.datbench_1_0.ocrbench")
parity_points = RuleModule("snellen.scorers.datbench_1_0.points")
parity_realworld = RuleModule("snellen.scorers.datbench_1_0.realworld")
parity_scene_text = RuleModule("snellen.scorers.datbench_1_0.scene_text")
parity_text = RuleModule("snellen.scorers.datbench_1_0.text")
parity_vqa = RuleModule("snellen.scorers.datbench_1_0.vqa")

# fmt: off
_ROWS: tuple[Scorer, ...] = (
    # -- text ---------------------------------------------------------------------------------------------------
    Scorer(
        "docvqa", text.anls, parity_text.docvqa, (Metric("anls"),), parity_text.summarise_docvqa,
        paper="Mathew et al., DocVQA: A Dataset for VQA on Document Images, 2021, arXiv 2007.00398",
    ),
    Scorer(
        "infovqa", text.anls, parity_text.infovqa, (Metric("anls"),), parity_text.summarise_infovqa,
        paper="Mathew et al., InfographicVQA, 2022, arXiv 2104.12756",
    ),
    Scorer(
        "ocr-vqa", text.exact, parity_text.ocr_vqa, (Metric("exact_match"),), parity_text.summarise_ocr_vqa,
        paper="Mishra et al., OCR-VQA: Visual Question Answering by Reading Text in Images, 2019",
    ),
    Scorer(
        "text-vqa", vqa.text_vqa, parity_vqa.text_vqa, (Metric("vqa_accuracy"),), parity_vqa.summarise_text_vqa,
        paper="Singh et al., Towards VQA Models That Can Read, 2019, arXiv 1904.08920",
    ),
    Scorer(
        "vqa-v2", vqa.vqa_v2, parity_vqa.vqa_v2, (Metric("vqa_accuracy"),), parity_vqa.summarise_vqa_v2,
        required_metadata=("answer_type", "question_type"),
        paper="Goyal et al., Making the V in VQA Matter, 2017, arXiv 1612.00837",
    ),
    Scorer(
        "countbench", counting.exact_count, parity_counting.countbench, (Metric("exact_count"),),
        parity_counting.summarise_countbench,
        paper="Paiss et al., Teaching CLIP to Count to Ten, 2023, arXiv 2302.12066",
    ),
    Scorer(
        "tallyqa", counting.exact_count, parity_counting.tallyqa, (Metric("exact_count"),),
        parity_counting.summarise_tallyqa, required_metadata=("is_simple",),
        paper="Acharya et al., TallyQA: Answering Complex Counting Questions, 2019, arXiv 1810.12440",
    ),
    Scorer(
        "cc-ocr-multi_scene_ocr", scene_text.multi_scene_ocr, parity_scene_text.multi_scene_ocr,
        (Metric("f1"), Metric("recall"), Metric("precision")), parity_scene_text.summarise,
        paper="Yang et al., CC-OCR, 2024, arXiv 2412.02210",
    ),
    # -- documents and ocrbench ---------------------------------------------------------------------------------
    Scorer(
        "cc-ocr-doc_parsing", documents.score_document, parity_documents.score_document,
        (Metric("edit similarity or TEDS"),), mean_as("accuracy", "score"), paper=_CC_OCR,
    ),
    Scorer(
        "cc-ocr-kie", documents.score_kie, parity_kie.score_kie, (Metric("f1_score"), Metric("nted_score")),
        parity_kie.aggregate_kie, paper=_CC_OCR,
    ),
    Scorer(
        "ocrbench-v2", ocrbench.score_ocrbench, parity_ocrbench.score_ocrbench,
        (Metric("score"), *(Metric(name) for name in (*ENGLISH_CATEGORIES, *CHINESE_CATEGORIES))),
        parity_ocrbench.aggregate_ocrbench, paper="Fu et al., OCRBench v2, 2024, arXiv 2501.00321",
    ),
    # -- choice and grounding -----------------------------------------------------------------------------------
    Scorer(
        "ai2d", questions.indexed_question, parity_choice.ai2d, _ACCURACY, mean_as("accuracy"),
        paper="Kembhavi et al., A Diagram Is Worth A Dozen Images, 2016, arXiv 1603.07396",
    ),
    Scorer(
        "mmbench", questions.question, parity_choice.mmbench, _ACCURACY, mean_as("accuracy"),
        paper="Liu et al., MMBench: Is Your Multi-modal Model an All-around Player?, 2023, arXiv 2307.06281",
    ),
    Scorer(
        "mmmu", questions.question, parity_choice.mmmu, _ACCURACY, mean_as("accuracy"),
        paper="Yue et al., MMMU, 2023, arXiv 2311.16502",
    ),
    Scorer(
        "mmmupro", questions.question, parity_choice.mmmupro, _ACCURACY, mean_as("accuracy"),
        paper="Yue et al., MMMU-Pro, 2024, arXiv 2409.02813",
    ),
    Scorer(
        "realworldqa", questions.question, parity_realworld.realworldqa, _ACCURACY,
        mean_as("accuracy__RealWorldQA-Accuracy"), paper="xAI, RealWorldQA, 2024",
    ),
    *(
        Scorer(
            f"mme-realworld-{part}", questions.question, parity_realworld.mme_realworld, _ACCURACY,
            mean_as("accuracy", "score"), paper="Zhang et al., MME-RealWorld, 2024, arXiv 2408.13257",
        )
        for part in ("ocr", "ad", "mo", "dt")
    ),
    Scorer(
        "logicvista", questions.question, parity_logicvista.logicvista, _ACCURACY, mean_as("accuracy"),
        paper="Xiao et al., LogicVista, 2024, arXiv 2407.04973",
    ),
    *(
        Scorer(
            name, grounding.refcoco, parity_grounding.refcoco,
            (Metric("acc@0.5"), Metric("iou"), Metric("center_acc")), parity_grounding.summary,
            required_metadata=("bbox",), paper=paper,
        )
        for name, paper in (
            ("refcoco_testA", _REFCOCO), ("refcoco_testB", _REFCOCO), ("refcoco_plus_testA", _REFCOCO),
            ("refcoco_plus_testB", _REFCOCO), ("refcoco_m_val", _REFCOCO), ("refcocog_test", _REFCOCOG),
        )
    ),
    Scorer(
        "pixmo_points_eval", pointing.pixmo_points, parity_points.pixmo_points,
        (Metric("f1"), Metric("precision"), Metric("recall")), parity_points.summary,
        required_metadata=("points_target", "points_mask", "has_target"),
        paper="Deitke et al., Molmo and PixMo, 2024, arXiv 2409.17146",
    ),
    # -- chart and math -----------------------------------------------------------------------------------------
    Scorer(
        "chartqa", numeric.chartqa, parity_chart.chartqa, _ACCURACY, mean_as("accuracy__ChartQA-Relaxed"),
        paper="Masry et al., ChartQA, 2022, arXiv 2203.10244",
    ),
    Scorer(
        "chartqapro", chartqapro.chartqapro, parity_chartqapro.chartqapro, _ACCURACY, mean_as("accuracy"),
        paper="Masry et al., ChartQAPro, 2025, arXiv 2504.05506",
    ),
    *(
        Scorer(
            f"charxiv_{part}", numeric.charxiv, parity_chart.charxiv, _ACCURACY, parity_chart.charxiv_aggregate,
            paper="Wang et al., CharXiv: Charting Gaps in Realistic Chart Understanding, 2024, arXiv 2406.18521",
        )
        for part in ("descriptive", "reasoning")
    ),
    Scorer(
        "mathvista", math.mathvista, parity_mathvista.mathvista, _ACCURACY, mean_as("accuracy"),
        paper="Lu et al., MathVista, 2024, arXiv 2310.02255",
    ),
    *(
        Scorer(
            f"mathverse_{part}", math.mathverse, parity_mathvista.mathverse, _ACCURACY, lambda scores: {},
            paper="Zhang et al., MathVerse, 2024, arXiv 2403.14624",
        )
        for part in ("reasoning", "wo")
    ),
    Scorer(
        "mathvision", math.mathvision, parity_mathvision.mathvision, _ACCURACY,
        parity_mathvision.mathvision_aggregate,
        paper="Wang et al., Measuring Multimodal Mathematical Reasoning with MATH-Vision, 2024, arXiv 2402.14804",
    ),
)
# fmt: on

SCORERS: dict[str, Scorer] = {row.dataset: row for row in _ROWS}
"""Source dataset → its row."""

_generic = RuleModule("snellen.scorers.generic")
GENERIC: dict[str, ScorerFunction] = {
    name: getattr(_generic, name) for name in ("auto", "exact", "choice", "number", "box", "point")
}
"""Scorers for people's own data (`--scorer`, or a column `scorer`): name → fair rule."""

_EXACT = Scorer("", text.exact, parity_text.exact, (Metric("exact_match"),), mean_as("accuracy"))
"""What scores datasets without a row of their own."""

MAX_CHARS = 1_000_000
"""Longer outputs are unscored under both rule sets: the bound on the work for one sample."""


def score_answer(
    row: Mapping[str, Any] | Sample, output: Any, rules: Rules = "fair", context: ScoringContext | None = None
) -> Score:
    """Score one raw model output against one sample.

    Args:
        row: a DatBench row (mapping) or a Sample.
        output: the model's text as it came (None and, for parity, lists are accepted).
        rules: "fair" or "datbench-1.0".
        context: what is known over the run (coordinate convention, tolerance).

    Returns:
        The score; `value` is None when the sample is unscored, with the reason.

    Raises:
        UsageError: unknown rules.
        BenchmarkError: the row lacks a required column.
    """
    if rules not in RULES:
        raise UsageError(f"unknown rules {rules!r}; choose one of {', '.join(RULES)}")
    sample = row if isinstance(row, Sample) else sample_from_row(row)
    return score_sample(sample, output, rules, context or ScoringContext())


def score_sample(sample: Sample, output: Any, rules: Rules, context: ScoringContext, *, name: str = "") -> Score:
    """Score one output; total: whatever a rule does, a Score comes back and says why.

    Args:
        sample: what was asked.
        output: the model's text as it came (None and lists too).
        rules: "fair" or "datbench-1.0".
        context: what is known over the run.
        name: row of SCORERS to score by; "" means the sample's dataset. Unknown names are scored by exact match.
    """
    scorer = SCORERS.get(name or sample.dataset, _EXACT)
    if (n_chars := _n_chars(output)) > MAX_CHARS:
        return Score(None, reason=f"the output has {n_chars} characters; more than {MAX_CHARS} are not scored")
    if rules == "datbench-1.0" and scorer is not _EXACT and (fault := _metadata_fault(sample, scorer)):
        return Score(0.0, reason=fault, details={"score": 0.0})
    rule = scorer.fair if rules == "fair" else scorer.datbench_1_0
    try:
        return rule(sample, output, context)
    except ScorerError as error:
        return Score(None, reason=str(error))
    except Exception as error:
        value = 0.0 if rules == "datbench-1.0" else None
        return Score(value, reason=f"{type(error).__name__}: {str(error)[:200]}", details={"score": value})


def missing_metadata(sample: Sample, name: str = "") -> list[str]:
    """Metadata keys that the sample's scorer needs and the sample lacks; checked once when a benchmark is loaded.

    Args:
        sample: as loaded; a key that is there with a null value is not missing.
        name: row of SCORERS; "" means the sample's dataset.

    >>> missing_metadata(Sample("1", (), "How many?", dataset="tallyqa", metadata={}))
    ['is_simple']
    """
    scorer = SCORERS.get(name or sample.dataset, _EXACT)
    return [key for key in scorer.required_metadata if key not in sample.metadata]


def _metadata_fault(sample: Sample, scorer: Scorer) -> str:
    """Why the public library would raise on this row's metadata, "" when it would not."""
    if sample.metadata_error:
        return f"metadata: {sample.metadata_error}"
    missing = missing_metadata(sample, scorer.dataset)
    return f"metadata lacks {', '.join(missing)}" if missing else ""


def _n_chars(output: Any) -> int:
    if isinstance(output, str):
        return len(output)
    return sum(map(_n_chars, output)) if isinstance(output, list | tuple) else 0
