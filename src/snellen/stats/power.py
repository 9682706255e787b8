"""What a comparison can see at all: minimum detectable difference and required number of samples.

References:
    E. Miller, "Adding Error Bars to Evals", arXiv:2411.00640, section 5.
"""

from __future__ import annotations

from math import ceil
from statistics import NormalDist

from snellen.stats.intervals import NAN


def minimum_detectable_difference(standard_error: float, *, level: float = 0.95, power: float = 0.8) -> float:
    """Smallest true difference that a two-sided test at this level finds with this power.

    Args:
        standard_error: of the difference, in score units; NaN gives NaN.
        level: confidence, in (0, 1).
        power: chance of finding it, in (0, 1).

    Returns:
        (z_{level} + z_{power}) × standard error.

    >>> round(minimum_detectable_difference(0.01), 4)
    0.028
    """
    return _z_sum(level, power) * standard_error if standard_error > 0 else NAN


def required_n(standard_error: float, n: int, difference: float, *, level: float = 0.95, power: float = 0.8) -> float:
    """How many samples like these would find a true difference of this size.

    Args:
        standard_error: of the difference over the present samples.
        n: the present samples (scores, not clusters: clusters are taken to grow along).
        difference: true difference to be found, in score units, not 0.
        level: confidence, in (0, 1).
        power: chance of finding it, in (0, 1).

    Returns:
        A whole number as float, or NaN where it cannot be known (no spread, no difference, no samples).

    >>> required_n(0.02, 100, 0.01)
    3140.0
    """
    if not standard_error > 0 or difference == 0 or n < 1:
        return NAN
    return float(ceil(n * (_z_sum(level, power) * standard_error / difference) ** 2))


def _z_sum(level: float, power: float) -> float:
    normal = NormalDist()
    return normal.inv_cdf(0.5 + level / 2) + normal.inv_cdf(power)
