"""Records out of free text."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.answers.objects import Bare, read_lines, read_object

READ = [
    ("strict JSON", '{"a": "b", "c": [1, 2]}', {"a": "b", "c": ["1", "2"]}),
    ("prose around it", 'Sure: {"a": "b"} done', {"a": "b"}),
    ("fence of any language", "```python\n{'a': 'b'}\n```", {"a": "b"}),
    ("fence on one line", '```json {"a":"b"} ```', {"a": "b"}),
    ("pipe box", '<|begin_of_box|>{"a":"b"}<|end_of_box|>', {"a": "b"}),
    ("boxed", r'\boxed{{"a": "b"}}', {"a": "b"}),
    ("boxed without own braces", r'\boxed{"a": "b"}', {"a": "b"}),
    (
        "Python quotes",
        "{'name': 'Joe's Cafe', 'n': None, 'ok': True}",
        {"name": "Joe's Cafe", "n": None, "ok": "True"},
    ),
    ("curly quotes", "{“a”: “b”, ”c”: ”d”}", {"a": "b", "c": "d"}),
    ("full-width signs", '｛"a"："b"｝', {"a": "b"}),
    ("trailing commas", '{"a": ["x", "y",], "b": "c",}', {"a": ["x", "y"], "b": "c"}),
    ("missing comma between lines", '{"a": "x"\n"b": "y"}', {"a": "x", "b": "y"}),
    ("pseudo-braces before", 'Using {key: value}: {"a": "b"}', {"a": "b"}),
    ("braces inside texts", 'Out: {"k":"v}"}', {"k": "v}"}),
    ("quotes inside texts", r'{"k": "a \"b\" c", "u": "\u0041\n"}', {"k": 'a "b" c', "u": "A\n"}),
    ("braces left out", '"a": "b", "c": {"d": "e"}', {"a": "b", "c": {"d": "e"}}),
    ("braces not closed", '{"a": {"b": "c", "d": [{"e": "f"', {"a": {"b": "c", "d": [{"e": "f"}]}}),
    ("text not closed", '{"a": "b", "c": "half', {"a": "b", "c": "half"}),
    ("first of several", '{"a": "1"}\n{"a": "2"}', {"a": "1"}),
    ("first of several, forgivingly", '{"a": "1",}\n{"a": "2"}', {"a": "1"}),
    ("list of one", '[{"a": "b"}]', {"a": "b"}),
    ("list of two", '[{"a": "1"}, {"a": "2"}]', [{"a": "1"}, {"a": "2"}]),
    ("citation before", 'See [1]. {"a": "b"}', {"a": "b"}),
    ("bare words", "{a: one, b: two words}", {"a": "one", "b": "two words"}),
    ("equals signs", '{"a" = "b"}', {"a": "b"}),
    ("empty", "{}", {}),
    ("a filled one behind an empty one", '{} or {"a": 1}', {"a": "1"}),
    ("text behind a fence", '```json\n{"a": "b"\n```\nNote: none', {"a": "b"}),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_forms_of_records(text: str, expected: Any) -> None:
    """A record is read in every form that models write it in."""
    assert read_object(text) == expected


@pytest.mark.parametrize("text", ["", "null", "42", '"text"', "I cannot read this.", "[1, 2]", "{", "{x y z}"])
def test_no_record(text: str) -> None:
    """Scalars, prose and lone braces are no record."""
    assert read_object(text) is None


def test_numbers_keep_their_written_form() -> None:
    """12.50 stays 12.50 and is told apart from a text."""
    record = read_object('{"a": 12.50, "b": "12.50", "c": 1e3}')
    assert isinstance(record, dict)
    assert (record["a"], record["c"]) == ("12.50", "1e3")
    assert isinstance(record["a"], Bare)
    assert not isinstance(record["b"], Bare)


@pytest.mark.parametrize(
    "text", ['{"a":' * 50_000, "[" * 100_000, "{" * 100_000, "{x " * 100_000, '{"a" ' * 50_000, "`" * 100_000]
)
def test_runaway_brackets_end(text: str) -> None:
    """Endless brackets hold no record and cost little."""
    assert not read_object(text)


def test_deep_nesting_is_no_record() -> None:
    """Nesting beyond the limit is refused rather than followed."""
    assert read_object('{"a":' * 300 + "1," + "}" * 300) is None


def test_lines() -> None:
    """Key and value lines give a record; lines without a colon do not count."""
    text = "Here:\n**Name**: Joe's Cafe\n- Date：2019-01-02\n* total = '12.50',\nno pair\n: none"
    assert read_lines(text) == {"Here": "", "Name": "Joe's Cafe", "Date": "2019-01-02", "total": "12.50"}
