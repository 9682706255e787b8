"""CC-OCR document parsing as the public library scores it: exact branch names, tags-only tables."""

from __future__ import annotations

import re
from typing import Any

from snellen.errors import ScorerError
from snellen.scorers.datbench_1_0.boxed_text import first_pipe_box, greedy_box, halfwidth
from snellen.scorers.edit_distance import edit_distance
from snellen.scorers.tree_distance import MAX_NODES, UnitCosts, tree_distance
from snellen.scorers.trees import Node
from snellen.types import Sample, Score, ScoringContext

_LATEX_FENCE = re.compile(r"```latex\s*", re.IGNORECASE)
_FENCE = re.compile(r"```\s*")
_COMMAND = re.compile(r"\\(?:(?:documentclass|usepackage|geometry|title|author)\{|(?:begin|end)\{document\Z)")
_TABLE_OPEN = re.compile(r"<table>", re.IGNORECASE)
_TABLE_CLOSE = re.compile(r"</table>", re.IGNORECASE)
_TABLE_TAG = re.compile(r"<table[^>]*>", re.IGNORECASE)
_BETWEEN_TAGS = re.compile(r"(?<=>)\s+(?=<)")


def score_document(sample: Sample, output: Any, context: ScoringContext) -> Score:
    """Edit similarity for documents, formulas and molecules, tags-only TEDS for tables.

    Args:
        sample: `answer` holds the reference; metadata `l2_category` picks the branch by its exact name.
        output: raw model text.
        context: not used.

    Returns:
        The score with the library's details.
    """
    category = sample.metadata.get("l2_category", "doc")
    reference = "" if sample.answer is None else str(sample.answer)
    text = answer_text(output if isinstance(output, str) else "")
    if category == "table":
        value, extra = _table_score(text, reference)
    else:
        value, extra = _text_score(text, reference, str(category))
    details = {"score": value, "l2_category": category, "ground_truth": sample.answer, "model_output": output}
    return Score(value, answer=text, details=details | extra)


def answer_text(output: str) -> str:
    """First pipe box, else the boxed part up to the last brace of the text, else everything."""
    inner = first_pipe_box(output)
    return greedy_box(output) if inner is None else inner


def _text_score(text: str, reference: str, category: str) -> tuple[float, dict[str, Any]]:
    normal = {"formula": normal_formula, "molecular": normal_molecule}.get(category, normal_document)
    predicted, expected = normal(text), normal(reference)
    distance = edit_distance(predicted, expected)
    longer = max(len(predicted), len(expected))
    value = min(1.0, max(0.0, 1 - distance / longer)) if longer else 1.0
    return value, {"edit_distance": distance, "pred_length": len(predicted), "gt_length": len(expected)}


def normal_document(text: str) -> str:
    """Fences, the plain preamble commands and all blanks removed."""
    text = _without_commands(_without_fences(text))
    return text.replace(" ", "").replace("\n", "").replace("\t", "").replace("\r", "")


def _without_commands(text: str) -> str:
    """Cut each preamble command with its argument, which ends at the first closing brace of its own line."""
    *pieces, rest = text.split("}")
    kept: list[str] = []
    for piece in pieces:
        line_start = piece.rfind("\n") + 1
        command = _COMMAND.search(piece, line_start)
        kept.append(piece[: command.start()] if command else piece + "}")
    return "".join(kept) + rest


def normal_formula(text: str) -> str:
    """Fences, tabs, line feeds and spaces removed (a carriage return stays)."""
    return _without_fences(text).replace("\t", "").replace("\n", "").replace(" ", "")


def normal_molecule(text: str) -> str:
    """Lower-case SMILES tags, line feeds and spaces removed."""
    return text.replace("<smiles>", "").replace("</smiles>", "").replace("\n", "").replace(" ", "")


def _without_fences(text: str) -> str:
    return _FENCE.sub("", _LATEX_FENCE.sub("", text))


def _table_score(text: str, reference: str) -> tuple[float, dict[str, Any]]:
    predicted, expected = normal_table(text), normal_table(reference)
    tree = tag_tree(expected)
    distance = tree_distance(tag_tree(predicted), tree, UnitCosts())
    value = max(0.0, 1.0 - distance / _n_nodes(tree))
    return value, {"method": "teds", "pred_length": len(predicted), "gt_length": len(expected)}


def normal_table(text: str) -> str:
    """The first bare table if there is one; table tags without attributes, no blanks between tags, half width."""
    opening = _TABLE_OPEN.search(text)
    closing = _TABLE_CLOSE.search(text, opening.end()) if opening else None
    if opening and closing:
        text = f"<table>{text[opening.end() : closing.start()]}</table>"
    last = text.rfind(">") + 1  # behind it no tag closes, and looking for one from each "<table" would be quadratic
    text = _TABLE_TAG.sub("<table>", text[:last]) + text[last:]
    return halfwidth(_BETWEEN_TAGS.sub("", text).replace("\n", ""))


def tag_tree(text: str) -> Node:
    """The tags that the HTML parser finds, as a tree; a lone table where it finds nothing.

    Raises:
        ScorerError: there are too many tags for the work bound.
    """
    from lxml import html

    if text.count("<") > 2 * MAX_NODES:
        raise ScorerError("work bound: so many tags are not compared")
    try:
        element = html.fromstring(text)
    except Exception:  # whatever the parser refuses counts as an empty table
        return Node("table")
    root = Node(element.tag)
    waiting = [(element, root)]
    while waiting:
        source, node = waiting.pop()
        for child in source:
            made = Node(child.tag)
            node.children.append(made)
            waiting.append((child, made))
    return root


def _n_nodes(root: Node) -> int:
    total, waiting = 0, [root]
    while waiting:
        node = waiting.pop()
        total += 1
        waiting.extend(node.children)
    return total
