"""`snellen doctor`."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command(short_help="Is this machine fit to run: Python, extras, GPU, write access, server.")
@click.option("--base-url", help="Server to try (or OPENAI_BASE_URL).")
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True, help="Run folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(base_url: str | None, out: Path, as_json: bool) -> None:
    """Look at everything that a run needs; exit code 1 when something is broken."""
    from dataclasses import asdict

    from snellen import doctoring
    from snellen.store import encode

    findings = doctoring.examine(base_url=base_url, out=out)
    is_broken = any(finding.state == "problem" for finding in findings)
    if as_json:
        click.echo(encode({"ok": not is_broken, "findings": [asdict(f) for f in findings]}).decode("utf-8"))
    else:
        width = max(len(finding.name) for finding in findings)
        marks = {"ok": "✓", "note": "·", "problem": "✗"}
        for finding in findings:
            click.echo(f"{marks[finding.state]} {finding.name:<{width}}  {finding.text}")
    sys.exit(int(is_broken))
