"""Retries, pacing and the budget: the only place where anything is asked twice.

Exponential back-off with full jitter (Brooker, "Exponential Backoff and Jitter", AWS 2015); additive increase and
multiplicative decrease of the number in flight (Chiu and Jain 1989) where the user leaves concurrency to us.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from snellen.errors import ModelError, SnellenError, StoreError
from snellen.types import Response, Usage

BASE_WAIT_S = 0.5
MAX_WAIT_S = 60.0
MAX_RETRY_AFTER_S = 300.0
_ATTEMPTS_BY_KIND = {"timeout": 3, "bad_reply": 3, "gone": 1}
_ASKED_AT_RESUME = ("server", "out_of_memory")
"""Failures that are not worth a second try at once (a model of ours that raises), but are when the run goes on."""
_ATTEMPTS_BARE_500 = 3  # many servers answer a permanent fault with a bare 500
_ATTEMPTS_UNREACHED = 3  # a server that was never reached is most likely not there


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that got no answer, after all attempts."""

    kind: str
    """As `ModelError.kind`."""
    message: str
    """One sentence."""
    status: int | None
    """HTTP status, if any."""
    retryable: bool
    """Whether a later run may do better."""
    n_attempts: int
    """Calls made."""
    stops_the_run: bool = False
    """Every other question would fail the same way."""


Outcome = Response | Failure


@dataclass(slots=True)
class Retrier:
    """Asks until there is an answer or a reason to stop."""

    n_retries: int
    """Attempts after the first for what may pass."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Replaced in tests."""
    rng: random.Random = field(default_factory=random.Random)
    """Jitter only; no result depends on it."""
    reached: bool = False
    """Whether any call has been answered."""
    on_throttle: Callable[[], None] = lambda: None
    """Called at each sign of overload."""

    async def ask(self, call: Callable[[], Awaitable[Response]]) -> Outcome:
        """One answer or one Failure; never raises ModelError."""
        attempt = 0
        while True:
            attempt += 1
            try:
                response = await _answer_of(call)
            except ModelError as error:
                if error.status is not None:
                    self.reached = True
                if error.kind == "rate_limit" or error.status in (503, 529):
                    self.on_throttle()
                if attempt >= self._n_allowed(error):
                    return _failure(error, attempt)
                await self.sleep(self.wait_s(attempt, error.retry_after_s))
            else:
                self.reached = True
                return response if attempt == 1 else replace(response, n_attempts=attempt)

    def _n_allowed(self, error: ModelError) -> int:
        if not error.retryable:
            return 1
        most = self.n_retries + 1
        if error.status == 500:
            return min(most, _ATTEMPTS_BARE_500)
        if error.kind == "connection" and not self.reached:
            return min(most, _ATTEMPTS_UNREACHED)
        return min(most, _ATTEMPTS_BY_KIND.get(error.kind, most))

    def wait_s(self, attempt: int, retry_after_s: float | None) -> float:
        """Seconds before the next attempt: what the server asked, else exponential; both with jitter."""
        if retry_after_s is not None:
            return min(retry_after_s, MAX_RETRY_AFTER_S) + self.rng.uniform(0, 0.25)
        return self.rng.uniform(0.5, 1.0) * min(MAX_WAIT_S, BASE_WAIT_S * 2.0 ** (attempt - 1))


async def _answer_of(call: Callable[[], Awaitable[Response]]) -> Response:
    """What a model said; whatever it raises or returns concerns this one sample.

    Raises:
        ModelError: it raised, or what it returned is no answer.
    """
    try:
        said: object = await call()
    except (ModelError, StoreError):
        raise
    except Exception as error:
        message = str(error) if isinstance(error, SnellenError) else f"{type(error).__name__}: {str(error)[:500]}"
        raise ModelError(f"the model raised {message}", kind="server") from error
    if isinstance(said, str):
        return Response(said)
    if not isinstance(said, Response) or not isinstance(said.text, str | None):
        what = (
            f"a Response with a text of {type(said.text).__name__}"
            if isinstance(said, Response)
            else repr(type(said))
        )
        raise ModelError(f"the model returned {what}; a Response is expected", kind="bad_reply")
    return _plain_response(said)


def _plain_response(said: Response) -> Response:
    """A live model's Response with absent text as "" and counts that are no counts left out."""
    usage = said.usage if isinstance(said.usage, Usage) else Usage()
    counts = (usage.n_in, usage.n_out, usage.n_reasoning)
    if said.text is not None and usage is said.usage and all(n is None or type(n) is int for n in counts):
        return said
    return replace(said, text=said.text or "", usage=Usage(*(n if type(n) is int else None for n in counts)))


def _failure(error: ModelError, attempt: int) -> Failure:
    may_pass = error.retryable or error.stops_the_run or error.kind in _ASKED_AT_RESUME
    return Failure(error.kind, str(error), error.status, may_pass, attempt, error.stops_the_run)


class Gate:
    """How many requests may be in flight: fixed, or found by additive increase and multiplicative decrease."""

    def __init__(self, limit: int | None, *, start: int = 8, most: int = 256) -> None:
        self.adaptive = limit is None
        self.limit = limit if limit is not None else start
        self._most = most
        self.in_flight = 0
        self.max_in_flight = 0
        self.closed = False
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._n_good = 0
        self._n_since_cut = 0

    async def enter(self) -> bool:
        """Wait for a free slot and take it; False once the gate is closed."""
        while self.in_flight >= self.limit and not self.closed:
            ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(ticket)
            try:
                await ticket
            except asyncio.CancelledError:
                if not ticket.cancelled():
                    self._wake()
                raise
        if self.closed:
            return False
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        return True

    def close(self) -> None:
        """Let nobody in any more; whoever waits is sent away."""
        self.closed = True
        while self._waiting:
            ticket = self._waiting.popleft()
            if not ticket.done():
                ticket.set_result(None)

    def leave(self, *, ok: bool) -> None:
        """Free the slot; a good answer at full use lets the limit grow."""
        self.in_flight -= 1
        self._n_since_cut += 1
        if self.adaptive and ok:
            self._n_good += 1
            if self._n_good >= self.limit and self.limit < self._most:
                self._n_good = 0
                self.limit += max(1, self.limit // 2 if self._n_since_cut > 4 * self.limit else 1)
                self.limit = min(self.limit, self._most)
        self._wake()

    def throttled(self) -> None:
        """A sign of overload: halve, at most once a round of answers."""
        if self.adaptive and self._n_since_cut >= self.limit // 2:
            self.limit = max(1, self.limit // 2)
            self._n_good = self._n_since_cut = 0

    def _wake(self) -> None:
        free = self.limit - self.in_flight
        while free > 0 and self._waiting:
            ticket = self._waiting.popleft()
            if not ticket.done():
                ticket.set_result(None)
                free -= 1


@dataclass(slots=True)
class Budget:
    """Tokens and money of the whole run, all attempts together; None = no limit."""

    max_tokens: int | None = None
    """Tokens, in and out."""
    max_cost: float | None = None
    """Money, in the unit of the prices."""
    prices: Mapping[str, float] = field(default_factory=dict)
    """{"input", "output"}: money a million tokens."""
    n_in: int = 0
    """Prompt tokens so far."""
    n_out: int = 0
    """Completion tokens so far."""
    n_calls: int = 0
    """Answers counted."""

    def add(self, usage: Usage, text: str = "") -> None:
        """Count one answer; where the server states no tokens, four characters of the answer count as one."""
        self.n_in += usage.n_in or 0
        self.n_out += usage.n_out if usage.n_out is not None else len(text) // 4
        self.n_calls += 1

    @property
    def cost(self) -> float | None:
        """Money so far; None without prices."""
        if not self.prices:
            return None
        return (self.n_in * self.prices["input"] + self.n_out * self.prices["output"]) / 1e6

    def reached(self, n_in_flight: int = 0) -> str:
        """Why nothing more may be asked, "" while it may: what is in flight is counted at the mean so far."""
        share = 1 + n_in_flight / self.n_calls if self.n_calls else 1.0
        n_tokens = (self.n_in + self.n_out) * share
        if self.max_tokens is not None and n_tokens >= self.max_tokens:
            return f"the token budget of {self.max_tokens} is reached ({self.n_in + self.n_out} used)"
        cost = self.cost
        if self.max_cost is not None and cost is not None and cost * share >= self.max_cost:
            return f"the cost budget of {self.max_cost:g} is reached ({cost:.4g} spent)"
        return ""
