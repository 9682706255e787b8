"""`snellen gate`."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command(short_help="Pass or fail a run against a baseline, for a training loop or CI.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--baseline", required=True, type=click.Path(path_type=Path), help="Run to hold it against.")
@click.option("--max-drop", type=float, default=1.0, show_default=True, help="Largest drop allowed, in points.")
@click.option("--capability", "capabilities", multiple=True, help="Group that must pass (repeatable; all = each).")
@click.option("--allow", multiple=True, type=click.Choice(["data", "prompts", "rules"]), help="What may be mixed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all draws.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    run: Path,
    baseline: Path,
    max_drop: float,
    capabilities: tuple[str, ...],
    allow: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> None:
    """Hold RUN against a baseline. Exit code 0: the drop is ruled out. 1: it dropped. 3: the data cannot tell.

    \b
    snellen gate runs/step-2000 --baseline runs/step-1000 --max-drop 1.0
    """  # noqa: D301 - click reads the control character as "do not rewrap"
    from snellen import comparing
    from snellen.redaction import redact_known
    from snellen.store import encode

    result = comparing.gate(run, baseline, max_drop=max_drop, capabilities=capabilities, allow=allow, seed=seed)
    click.echo(redact_known(encode(result.as_record()).decode("utf-8") if as_json else result.sentence))
    sys.exit(int(result.outcome))
