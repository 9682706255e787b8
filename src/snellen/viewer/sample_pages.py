"""The samples of a run, listed with filters, and one sample with everything that is known about it."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from snellen.engine.verdict_ledger import answer_hash
from snellen.errors import UsageError
from snellen.reports.marks import marks_of
from snellen.viewer.adjudications import MAX_REASON_CHARS, STATES, Adjudication, adjudicate
from snellen.viewer.filters import ADJUDICATED, DIFFER, OUTCOMES, PER_PAGE, SORTS, VERDICTS, Filter
from snellen.viewer.library import Library, RunView, benchmark_of, model_of
from snellen.viewer.pictures import Pictures
from snellen.viewer.rendering import render
from snellen.viewer.run_pages import opened
from snellen.viewer.security import MAX_BODY_BYTES

MAX_TEXT_CHARS = 200_000
"""Of a response or a thought that is shown; the whole stands in responses.jsonl."""


class SamplePages:
    """Pages about single samples."""

    def __init__(self, library: Library, pictures: Pictures, form_token: str, by: str) -> None:
        self.library = library
        self.pictures = pictures
        self.form_token = form_token
        self.by = by

    def listing(self, request: Request) -> Response:
        """The samples that pass a filter, a page of them at a time."""
        view = opened(self.library, request.path_params["run"])
        wanted = Filter.read(request.query_params)
        table, rows = view.rows(wanted)
        n_pages = max(1, -(-len(rows) // PER_PAGE))
        page = min(max(1, _whole(request.query_params.get("page"), 1)), n_pages)
        part = rows.slice((page - 1) * PER_PAGE, PER_PAGE)
        lines = [_line(view, row) for row in table.take(part).to_pylist()]
        return render(
            "samples.html", run=view.name, title=f"{model_of(view.spec)} on {benchmark_of(view.spec)}",
            lines=lines, n_found=len(rows), n_all=table.num_rows, page=page, n_pages=n_pages,
            wanted=wanted, choices=_choices(view), query=wanted.query(), live=view.is_live(),
            previous=wanted.query(page=page - 1) if page > 1 else "",
            following=wanted.query(page=page + 1) if page < n_pages else "",
        )  # fmt: skip

    def sample(self, request: Request) -> Response:
        """One sample: pictures, prompt, answer, how it was read, scores, verdicts."""
        view = opened(self.library, request.path_params["run"])
        position, epoch = request.path_params["position"], _whole(request.query_params.get("epoch"), 0)
        record = view.samples().read(position)
        if record is None:
            raise HTTPException(404, "there is no such sample in this run")
        wanted = Filter.read(request.query_params)
        table, rows = view.rows(wanted)
        row, neighbours = _find(table, rows, position, epoch)
        if row is None:
            raise HTTPException(404, "there is no such sample in this run")
        shown = view.details(table, row)
        response = view.answers().read((str(record.get("key")), epoch)) or {}
        return render(
            "sample.html", run=view.name, title=f"{model_of(view.spec)} on {benchmark_of(view.spec)}",
            query=wanted.query(), sample=_about_sample(record), score=shown, rules=_rules(shown, view.spec),
            prompt=self.pictures.prompt(view.folder, view.spec, record), response=_about_response(response),
            marks=_marks(shown, record), images=_images(record), position=position, epoch=epoch,
            verdicts=view.verdicts(str(record.get("key")), epoch), may_adjudicate=bool(self.form_token),
            form_token=self.form_token, word=view.people().get((str(record.get("key")), epoch)), states=STATES,
            max_reason=MAX_REASON_CHARS, **neighbours,
        )  # fmt: skip

    def image(self, request: Request) -> Response:
        """One image of a sample."""
        view = opened(self.library, request.path_params["run"])
        record = view.samples().read(request.path_params["position"])
        if record is None:
            raise HTTPException(404, "there is no such sample in this run")
        number, small = request.path_params["number"], "small" in request.query_params
        found = self.pictures.image(view.folder, view.spec, record, number, small=small)
        if found is None:
            raise HTTPException(404, "the picture is not at hand: the benchmark's source is gone or changed")
        return Response(found[1], media_type=found[0], headers={"Cache-Control": "private, max-age=300"})

    async def adjudicate(self, request: Request) -> Response:
        """Write a person's decision."""
        if not self.form_token:
            raise HTTPException(403, "this viewer only reads; start it with --adjudicate to decide")
        form = parse_qs((await request.body())[:MAX_BODY_BYTES].decode("utf-8", "replace"), max_num_fields=20)
        values = {name: form.get(name, [""])[0] for name in ("form_token", "state", "reason", "epoch", "query")}
        if not hmac.compare_digest(values["form_token"].encode(), self.form_token.encode()):
            raise HTTPException(403, "a decision must come from the viewer's own page")
        view = opened(self.library, request.path_params["run"])
        position, epoch = request.path_params["position"], _whole(values["epoch"], 0)
        record = view.samples().read(position) or {}
        answer = view.answers().read((str(record.get("key")), epoch)) or {}
        if answer.get("status") != "ok":
            raise HTTPException(404, "there is no such answer in this run")
        word = Adjudication(
            str(record["key"]), epoch, str(record.get("id")), values["state"], values["reason"].strip(), self.by,
            answer_hash=answer_hash(str(answer.get("text") or "")),
        )  # fmt: skip
        try:
            adjudicate(view.folder, word)
        except UsageError as error:
            raise HTTPException(400, str(error)) from None
        query = Filter.read({k: v[0] for k, v in parse_qs(values["query"]).items()}).query(epoch=epoch or "")
        return RedirectResponse(f"/runs/{quote(view.name)}/samples/{position}?{query}", 303)


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else default


def _line(view: RunView, row: dict[str, Any]) -> dict[str, Any]:
    """One row of the list, with its question and what a person said."""
    record = view.samples().read(row["position"]) or {}
    word = view.people().get((row["key"], row["epoch"]))
    references = record.get("references") or ["(structured)"]
    return {**row, "question": str(record.get("question") or ""), "reference": str(references[0]), "word": word}


def _choices(view: RunView) -> dict[str, dict[str, str]]:
    """What each select offers: value → name for people."""
    found = view.facets()
    named = {
        name: {"": f"{name}: any", **{value: f"{value} ({n:,})" for value, n in values.items()}}
        for name, values in found.items()
    }
    named["verdict"] = {**VERDICTS, **{k: v for k, v in named["verdict"].items() if k}}
    named["failure"][""] = "failure: any"
    return {**named, "outcome": OUTCOMES, "differs": DIFFER, "people": ADJUDICATED, "sort": SORTS}


def _find(table: Any, rows: Any, position: int, epoch: int) -> tuple[int | None, dict[str, Any]]:
    """The table row of a sample and epoch, and its neighbours in the filtered list."""
    import pyarrow.compute as pc

    mask = pc.and_(pc.equal(table["position"], position), pc.equal(table["epoch"], epoch))
    found = pc.indices_nonzero(mask).to_pylist()
    if not found:
        return None, {}
    at = pc.index(rows, found[0]).as_py()
    places = {"before": at - 1 if at > 0 else -1, "after": at + 1 if 0 <= at < len(rows) - 1 else -1}
    named = {name: _place(table, rows[i].as_py()) if i >= 0 else None for name, i in places.items()}
    return found[0], {"at": at + 1, "n_found": len(rows), **named}


def _place(table: Any, row: int) -> tuple[int, int]:
    return table["position"][row].as_py(), table["epoch"][row].as_py()


def _about_sample(record: Mapping[str, Any]) -> dict[str, Any]:
    names = ("id", "question", "capability", "dataset", "category", "mode", "judge_prompt", "group")
    texts = {name: str(record.get(name) or "") for name in names}
    return {
        **texts,
        "references": [str(text) for text in record.get("references") or ()][:50],
        "choices": [str(text) for text in record.get("choices") or ()][:100],
        "metadata": _metadata(record),
        "error": str(record.get("error") or ""),
    }


def _metadata(record: Mapping[str, Any]) -> str:
    import orjson

    value = record.get("metadata")
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()[:20_000] if isinstance(value, dict) else ""


def _about_response(response: Mapping[str, Any]) -> dict[str, Any]:
    texts = {
        name: str(response.get(name) or "")
        for name in ("text", "reasoning", "finish_reason", "served_model", "kind", "message", "status", "at")
    }
    numbers = {name: response.get(name) for name in ("n_in", "n_out", "n_reasoning", "latency_s", "n_attempts")}
    cut = {name: len(texts[name]) > MAX_TEXT_CHARS for name in ("text", "reasoning")}
    return {**{name: text[:MAX_TEXT_CHARS] for name, text in texts.items()}, **numbers, "cut": cut}


def _rules(shown: Mapping[str, Any], spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How each rule set scores the answer, and which one counts: none where a judge or a person decided."""
    values = {"datbench-1.0": shown.get("datbench_1_0"), "fair": shown.get("fair")}
    judged = str(shown.get("scorer") or "").startswith("judge:")
    parity_first = spec.get("rules") == "datbench-1.0" and values["datbench-1.0"] is not None
    head = "" if judged else "datbench-1.0" if parity_first else "fair"
    own = {"answer": shown.get("answer"), "reason": shown.get("reason"), "details": shown.get("details") or {}}
    other = dict(shown.get("fair_details") or {})
    lines = []
    for name, value in values.items():
        told: Mapping[str, Any] = own if name == head else {}
        if head == "datbench-1.0" and name == "fair":
            answer, reason = other.pop("answer", ""), other.pop("reason", "")
            told = {"answer": answer or ("" if other else own["answer"]), "reason": reason, "details": other}
        if value is not None:
            lines.append({
                "name": name, "value": value, "headline": name == head, "answer": told.get("answer") or "",
                "reason": told.get("reason") or "", "details": _listed(told.get("details") or {}),
            })  # fmt: skip
    return lines


def _listed(details: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(str(name), str(value)[:2000]) for name, value in list(details.items())[:60]]


def _marks(shown: Mapping[str, Any], record: Mapping[str, Any]) -> Any:
    metadata = record.get("metadata")
    images = [one for one in record.get("images") or () if "width" in one]
    size = (int(images[0]["width"]), int(images[0]["height"])) if images else None
    details = {**(shown.get("fair_details") or {}), **(shown.get("details") or {})}
    return marks_of(details, metadata if isinstance(metadata, dict) else None, size)


def _images(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"number": i, "width": one.get("width"), "height": one.get("height"), "error": str(one.get("error") or "")}
        for i, one in enumerate(record.get("images") or ())
    ]
