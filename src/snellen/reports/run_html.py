"""`report.html`: a run on one self-contained page."""

from __future__ import annotations

import orjson

from snellen.reports.citations import citations
from snellen.reports.comparison_html import thresholds_section
from snellen.reports.example_cards import examples_section
from snellen.reports.judging_section import judging_section
from snellen.reports.page import escape, page
from snellen.reports.published_section import published_section
from snellen.reports.run_page_data import PageData
from snellen.reports.run_sections import cost, failures, headline, main_table, notes, rules, slices
from snellen.store import encode


def run_page(data: PageData) -> str:
    """The page as one string."""
    benchmark, model = data.spec.get("benchmark", {}), data.spec.get("model", {})
    title = f"{model.get('name')} on {benchmark.get('name')}"
    head = f"<header><h1>{escape(title)}</h1><p class='soft'>{escape(benchmark.get('title') or '')}</p></header>"
    return page(title, [head, *overview(data), examples_section(data), _spec(data)])


def overview(data: PageData) -> list[str]:
    """The sections with the numbers and figures of a run, without examples and spec."""
    model = data.spec.get("model", {})
    return [
        headline(data),
        notes(data.facts),
        main_table(data.summary),
        published_section(data),
        thresholds_section([(str(model.get("name")), data.thresholds)]) if data.thresholds else "",
        rules(data),
        judging_section(data),
        failures(data.summary),
        slices(data.slices),
        cost(data),
    ]


def _spec(data: PageData) -> str:
    spec = orjson.dumps(orjson.loads(encode(data.spec)), option=orjson.OPT_INDENT_2).decode("utf-8")
    cited = "".join(f"<li>{escape(what)}: {escape(paper)}</li>" for what, paper in citations(data.summary, data.spec))
    cite = f"<p>Cite what was used:</p><ul>{cited}</ul>" if cited else ""
    return (
        f"<h2>How it was run</h2>{cite}<details><summary>the whole spec</summary><pre>{escape(spec)}</pre></details>"
        "<p class='soft'>Made by snellen. The numbers are in report.json, one row a sample in scores.parquet.</p>"
    )
