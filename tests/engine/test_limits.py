"""Retries, pacing and the budget, without a server and without waiting."""

from __future__ import annotations

import asyncio
import random

import pytest

from snellen.engine.limits import Budget, Failure, Gate, Retrier
from snellen.errors import ModelError
from snellen.types import Response, Usage


def ask(errors: list[ModelError], n_retries: int = 6, *, reached: bool = True):
    """Outcome, waits and signs of overload of a call that fails with each of the errors, then answers."""
    waits: list[float] = []
    throttled: list[int] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    queue = iter(errors)

    async def call() -> Response:
        error = next(queue, None)
        if error is not None:
            raise error
        return Response("ok")

    retrier = Retrier(n_retries, sleep=sleep, rng=random.Random(0), on_throttle=lambda: throttled.append(1))
    retrier.reached = reached
    return asyncio.run(retrier.ask(call)), waits, throttled


def error(
    status: int | None, kind: str = "server", *, retryable: bool = True, after: float | None = None
) -> ModelError:
    """A typed failure."""
    return ModelError("no", retryable=retryable, status=status, kind=kind, retry_after_s=after)


def test_what_may_pass_is_asked_again_with_growing_waits() -> None:
    """Exponential with jitter: each wait lies between half and the whole of its step."""
    outcome, waits, _ = ask([error(503)] * 4)
    assert isinstance(outcome, Response)
    assert outcome.n_attempts == 5
    assert all(0.5 * step <= wait <= step for wait, step in zip(waits, (0.5, 1, 2, 4), strict=True))


def test_retry_after_is_honoured_and_bounded() -> None:
    """What the server asks, up to five minutes."""
    _, waits, throttled = ask([error(429, "rate_limit", after=7.0), error(429, "rate_limit", after=9999.0)])
    assert 7.0 <= waits[0] <= 7.25
    assert 300.0 <= waits[1] <= 300.25
    assert len(throttled) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_final_statuses_are_asked_once(status: int) -> None:
    """They cannot pass."""
    outcome, waits, _ = ask([error(status, "bad_request", retryable=False)])
    assert isinstance(outcome, Failure)
    assert (outcome.n_attempts, waits) == (1, [])


@pytest.mark.parametrize(
    ("failure", "reached", "n_attempts"),
    [
        (error(500), True, 3),
        (error(None, "timeout"), True, 3),
        (error(200, "bad_reply"), True, 3),
        (error(502), True, 7),
        (error(None, "connection"), True, 7),
        (error(None, "connection"), False, 3),
    ],
)
def test_attempts_are_bounded_by_kind(failure: ModelError, reached: bool, n_attempts: int) -> None:
    """A bare 500 is often permanent; a server that was never reached is most likely not there."""
    outcome, _, _ = ask([failure] * 20, reached=reached)
    assert isinstance(outcome, Failure)
    assert outcome.n_attempts == n_attempts


def gate_run(gate: Gate, n: int, *, ok: bool = True) -> int:
    """Let n workers through a gate; the most that were inside at once."""

    async def work() -> None:
        assert await gate.enter()
        await asyncio.sleep(0)
        gate.leave(ok=ok)

    async def main() -> None:
        await asyncio.gather(*(work() for _ in range(n)))

    asyncio.run(main())
    return gate.max_in_flight


def test_a_fixed_gate_never_lets_more_in_and_uses_all_it_may() -> None:
    """The highest number in flight is the limit."""
    assert gate_run(Gate(5), 40) == 5


def test_an_adaptive_gate_grows_on_success_and_halves_on_overload() -> None:
    """Additive increase, multiplicative decrease."""
    gate = Gate(None, start=4, most=64)
    gate_run(gate, 400)
    grown = gate.limit
    assert grown > 8
    gate.throttled()
    assert gate.limit == grown // 2
    gate.throttled()
    assert gate.limit == grown // 2


def test_a_closed_gate_sends_everyone_away() -> None:
    """Those who wait and those who come later."""

    async def main() -> list[bool]:
        gate = Gate(1)
        await gate.enter()
        waiting = [asyncio.create_task(gate.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        gate.close()
        return [*await asyncio.gather(*waiting), await gate.enter()]

    assert asyncio.run(main()) == [False] * 4


def test_the_budget_counts_what_is_in_flight_at_the_mean_so_far() -> None:
    """It stops before, not after."""
    budget = Budget(max_tokens=100)
    budget.add(Usage(18, 2))
    assert budget.reached(3) == ""
    assert "token budget of 100" in budget.reached(4)


def test_money_is_counted_a_million_tokens() -> None:
    """10,000 in at 2 and 1,000 out at 10 cost 0.03."""
    budget = Budget(max_cost=0.03, prices={"input": 2.0, "output": 10.0})
    assert budget.reached() == ""
    budget.add(Usage(10_000, 1_000))
    assert budget.cost == pytest.approx(0.03)
    assert "cost budget" in budget.reached()


def test_an_answer_without_usage_is_estimated_not_free() -> None:
    """A budget holds on servers that state no tokens, too."""
    budget = Budget(max_tokens=10)
    budget.add(Usage(), "x" * 80)
    assert budget.reached()
