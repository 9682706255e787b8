"""The error tree. Every error that a user can meet is one of these, and its text is one clear sentence.

SnellenError
├── UsageError          the command or call is wrong; exit 2, no traceback
├── BenchmarkError      the data is missing, unreadable or not what it should be
│   └── ImageError      one image is unreadable; becomes that sample's `error`
├── ModelError          a model did not answer (retryable or final)
│   └── JudgeError      a judge did not answer; the verdict is `unjudged`
├── ScorerError         a scorer refused (work bound, bad plug-in)
├── StoreError          the run directory is damaged, locked, full or read-only
└── BudgetReached       the run's own limit on tokens or money; resumable
"""

from __future__ import annotations

from collections.abc import Iterable


class SnellenError(Exception):
    """Root of all errors raised on purpose. The text says what, which sample, got vs expected, what to do."""


class UsageError(SnellenError):
    """The command or the call is wrong. The command line prints the sentence and exits with 2."""


class BenchmarkError(SnellenError):
    """The benchmark's data is missing, unreadable or not in the form its schema promises."""


class ImageError(BenchmarkError):
    """One image cannot be read; the run goes on and that sample is missing with this reason."""


class ModelError(SnellenError):
    """A model did not answer.

    Attributes:
        retryable: whether the same request may succeed later (timeouts, 429, 5xx).
        status: HTTP status, or None where there was none.
        kind: a short stable word for tables: "timeout", "connection", "rate_limit", "server", "bad_request",
            "auth", "not_found", "too_large", "bad_reply", "unsupported", "out_of_memory", "gone" (a local model or
            server that cannot start or has ended: the run stops and can be resumed).
        retry_after_s: what the server asked to wait, in seconds, or None.
    """

    def __init__(
        self,
        message: str,
        *,
        retryable: bool = False,
        status: int | None = None,
        kind: str = "server",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.status = status
        self.kind = kind
        self.retry_after_s = retry_after_s

    @property
    def stops_the_run(self) -> bool:
        """Whether every further request would fail the same way (a wrong key, an empty account, an unknown model)."""
        return self.kind in ("auth", "no_credit", "not_found", "gone")


class JudgeError(ModelError):
    """A judge did not answer; the sample is `unjudged`, never given a verdict by anything else."""


class ScorerError(SnellenError):
    """A scorer cannot work: its plug-in raises, its metadata is missing, its work bound is reached."""


class StoreError(SnellenError):
    """The run directory is locked, full, read-only or damaged."""


class BudgetReached(SnellenError):
    """The run's own limit on tokens or money is reached; the same command with a higher limit goes on."""


def did_you_mean(word: str, known: Iterable[str], *, otherwise: str) -> str:
    """The end of a sentence about a word that is not known: the nearest known one, else what there is.

    >>> did_you_mean("evechart", ["eyechart", "datbench"], otherwise="there are two")
    "did you mean 'eyechart'?"
    >>> did_you_mean("x", ["eyechart"], otherwise="there is one")
    'there is one'
    """
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else otherwise
