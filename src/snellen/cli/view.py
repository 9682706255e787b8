"""`snellen view`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="Look at runs in the browser: samples, pictures, scores, side by side.")
@click.argument("runs", type=click.Path(path_type=Path), default=Path("runs"))
@click.option("--port", type=click.IntRange(1, 65535), help="Port on 127.0.0.1 (default: a free one from 8642).")
@click.option("--adjudicate", is_flag=True, help="Allow decisions about answers, written to adjudications.jsonl.")
@click.option("--by", default="", help="Who decides (default: the user's name).")
@click.option("--open/--no-open", "open_browser", default=False, help="Open the browser.")
def command(runs: Path, port: int | None, adjudicate: bool, by: str, open_browser: bool) -> None:
    """Serve the runs in RUNS (a folder of runs, or one run directory) on this machine, until Ctrl-C.

    The address holds a token; without it nothing is shown. Nothing is written unless --adjudicate is given.
    """
    from snellen import viewing

    def tell(address: str) -> None:
        click.echo(f"viewer: {address}\nCtrl-C ends it")
        if open_browser:
            click.launch(address)

    viewing.view(runs, port=port, may_adjudicate=adjudicate, by=by, tell=tell)
