"""`snellen adjudicate`."""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli.printing import print_result


@click.command(short_help="Let people decide what judges could not, and audit the judges.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), help="Queue to write, .csv or .jsonl (default: RUN/queue.csv)."
)
@click.option("--audit", "n_audit", type=click.IntRange(0), default=50, show_default=True, help="Answers to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draw.")
@click.option("--show-votes", is_flag=True, help="Show the judges' verdicts to the person (they sway).")
@click.option("--read", "filled", type=click.Path(path_type=Path), help="Read a filled-in queue back.")
@click.option("--by", default="", help="Who decided.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the table.")
def command(
    run: Path,
    out: Path | None,
    n_audit: int,
    seed: int,
    show_votes: bool,
    filled: Path | None,
    by: str,
    as_json: bool,
) -> None:
    """Write the answers of RUN that people should look at, or read their verdicts back.

    \b
    snellen adjudicate RUN                      writes RUN/queue.csv: fill in its column "verdict"
    snellen adjudicate RUN --read RUN/queue.csv takes the verdicts over and scores the run again
    """  # noqa: D301 - click reads the control character as "do not rewrap"
    from snellen import adjudicating

    adjudicating.check_run(run)
    if filled is not None:
        n_read, result = adjudicating.read_queue(run, filled, by=by)
        if not as_json:
            click.echo(f"{n_read} verdicts of people taken over")
        print_result(result, as_json=as_json)
        return
    queue = adjudicating.write_queue(run, out or run / "queue.csv", n_audit=n_audit, seed=seed, show_votes=show_votes)
    click.echo(
        f"{queue.n_rows} answers: {queue.n_disagreements} disagreements, {queue.n_unreadable} without a readable "
        f"verdict, {queue.n_audit} drawn at random (each judged answer with probability {queue.probability:.3g})"
    )
    click.echo(
        f"fill in the column verdict (correct or incorrect), then: snellen adjudicate {run} --read {queue.path}"
    )
    click.echo(f"queue: {queue.path}")
