"""The command line: a table of verbs, each imported only when it is called, so that `snellen --help` is instant.

To add a verb: write `cli/<verb>.py` with a click command named `command`, and add its row to COMMANDS.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from snellen.errors import SnellenError, UsageError, did_you_mean
from snellen.redaction import redact
from snellen.version import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("snellen.cli.run", "Examine a model on a benchmark (run the same command again to resume)."),
    "sweep": ("snellen.cli.sweep", "Run a grid: image sizes, prompts, crops, any option; paired differences."),
    "import": ("snellen.cli.import_", "Make a run of another tool's predictions."),
    "list": ("snellen.cli.list", "Benchmarks, models, scorers, prompts and judge protocols there are."),
    "show": ("snellen.cli.show", "One sample exactly as the model will see it, images saved to files."),
    "check": ("snellen.cli.check", "What is wrong with a benchmark: images, keys, duplicates, leaks."),
    "score": ("snellen.cli.score", "Score a run again, without the model."),
    "judge": ("snellen.cli.judge", "Judge a finished run, without the model."),
    "adjudicate": ("snellen.cli.adjudicate", "Let people decide what judges could not, and audit the judges."),
    "report": ("snellen.cli.report", "Write a run's reports again and show its table."),
    "compare": ("snellen.cli.compare", "Compare runs: is B better than A, at what, how sure."),
    "view": ("snellen.cli.view", "Look at runs in the browser: samples, pictures, side by side."),
    "gate": ("snellen.cli.gate", "Pass or fail a run against a baseline (exit 0, 1, 3)."),
    "doctor": ("snellen.cli.doctor", "Is this machine fit to run: Python, extras, GPU, write access, server."),
    "curate": ("snellen.cli.curate", "Make a benchmark that says more with less: matrix, passes, validation, drift."),
    "analyze": ("snellen.cli.analyze", "Correlations, clusters, vision gap, thinking gain, reliability, saturation."),
    "merge": ("snellen.cli.merge", "Make one run of the shards of a run."),
}
"""Verb → (module with `command`, one line for the overview)."""


class Verbs(click.Group):
    """A group whose commands are imported when called; the overview needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one verb."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verb when there is none of that name."""
        if args and args[0] not in COMMANDS:
            raise UsageError(f"there is no command {args[0]!r}{_nearest(args[0])}; `snellen --help` lists all")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The overview, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, row[1]) for name, row in COMMANDS.items()])


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="snellen")
def app() -> None:
    """An eye exam for vision-language models.

    Runs a model on a benchmark, scores the answers exactly, compares models with honest error bars, and curates
    benchmarks so that fewer items say more.
    """


def main(argv: list[str] | None = None) -> None:
    """Parse, call one verb, and turn every expected error into one sentence and an exit code."""
    try:
        app.main(args=argv, prog_name="snellen", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        _fail("stopped", 130)
    except click.exceptions.NoArgsIsHelpError as error:  # `snellen` or `snellen curate` alone: the overview
        error.show()
        sys.exit(2)
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except UsageError as error:
        _fail(str(error), 2)
    except SnellenError as error:
        _fail(str(error), 1)
    except KeyboardInterrupt:
        _fail("stopped", 130)
    except BrokenPipeError:
        _leave_quietly()


def _fail(sentence: str, code: int) -> None:
    sys.stderr.write(f"snellen: {redact(sentence)}\n")
    sys.exit(code)


def _leave_quietly() -> None:
    # The reader of our output went away (`snellen list | head`); a second flush at exit must not complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _nearest(word: str) -> str:
    hint = did_you_mean(word, COMMANDS, otherwise="")
    return f" ({hint})" if hint else ""
