"""How fast curation is, and that its cost grows linearly.

    python benchmarks/curation.py                 # a minute or two, 2 GB of disk
    python benchmarks/curation.py --items 10000000  # the whole claim: 1,000 x 10,000,000 (10 GB of disk)

Prints CPU seconds (all threads) beside wall seconds; on a shared machine the CPU seconds are the comparable ones.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

N_MODELS, N_ITEMS = 27, 205_000


def timed(name: str, call: Callable[[], Any], bound_s: float | None = None) -> Any:
    """Run once, print CPU and wall seconds and the bound."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    bound = "" if bound_s is None else f"   bound {bound_s:g} s: {'ok' if min(cpu, wall) <= bound_s else 'MISSED'}"
    print(f"{name:<58} {cpu:8.3f} s CPU {wall:8.3f} s wall{bound}", flush=True)
    return result


def small(rng: np.random.Generator) -> None:
    """27 x 205,000 in memory: r, jackknife, shrinkage, selection; and growth over the number of items."""
    from snellen.curation.discrimination import item_rest, jackknife, shrink
    from snellen.curation.matrix import ResponseMatrix
    from snellen.curation.select import select
    from snellen.curation.share import choose_share

    p = rng.random(N_ITEMS)
    y = (rng.random((N_MODELS, N_ITEMS)) < 0.6 * p + 0.4 * np.linspace(0, 1, N_MODELS)[:, None]).astype(np.float64)
    item_rest(y[:, :1000])
    item = timed("r of 27 x 205,000", lambda: item_rest(y), 0.1)
    timed("jackknife of 27 x 205,000", lambda: jackknife(y), 1.5)
    groups = rng.integers(0, 35, N_ITEMS)
    timed("shrinkage of 205,000 items, 35 datasets", lambda: shrink(item, groups))
    matrix = ResponseMatrix(
        y, tuple(f"m{k}" for k in range(N_MODELS)), tuple(map(str, range(N_ITEMS))),
        tuple(f"f{k // 3}" for k in range(N_MODELS)), tuple(f"d{g}" for g in groups),
    )  # fmt: skip
    clusters = np.arange(N_ITEMS) - (rng.random(N_ITEMS) < 0.03)

    def pick() -> None:
        choice = choose_share(y, groups, N_ITEMS // 10)
        select(matrix, N_ITEMS // 10, share=choice.share, clusters=clusters)

    timed("select 10 % of 205,000 (share validated, clusters cached)", pick, 5.0)
    print("growth:")
    for n in (51_250, 102_500, 205_000):
        timed(f"  r and jackknife of 27 x {n:,}", lambda n=n: (item_rest(y[:, :n]), jackknife(y[:, :n])))


def hashing(rng: np.random.Generator) -> None:
    """Hashes a second, and clusters of 205,000 items."""
    from snellen.curation.redundancy import N_PERMUTATIONS, N_VARIANTS, ItemPrints, clusters, image_hashes, minhash

    pictures = rng.random((300, 64, 64)) * 255
    cpu = time.process_time()
    for picture in pictures:
        image_hashes(picture)
        minhash("What is the value of the second bar from the left in the chart?")
    cpu = time.process_time() - cpu
    print(f"{'hashing (decoding not counted)':<58} {len(pictures) / cpu:8.0f} items/s CPU")
    prints = ItemPrints(
        rng.integers(1, 1 << 63, (N_ITEMS, N_VARIANTS), dtype=np.uint64),
        rng.integers(0, 1 << 32, (N_ITEMS, N_PERMUTATIONS)).astype(np.uint32),
        [str(k % 5000) for k in range(N_ITEMS)],
    )
    timed("near-duplicate clusters of 205,000 hashed items", lambda: clusters(prints))


def large(n_items: int, folder: Path, rng: np.random.Generator) -> None:
    """1,000 x n_items, int8, memory-mapped, in four sizes: CPU per item must not grow."""
    from snellen.curation.streaming import item_rest_streaming

    path = folder / "cells.int8"
    with path.open("wb") as file:
        for start in range(0, n_items, 50_000):
            rows = min(50_000, n_items - start)
            file.write(rng.integers(0, 2, (rows, 1000), dtype=np.int8).tobytes())
    before = peak_gb()
    for n in (n_items // 8, n_items // 4, n_items // 2, n_items):
        cells = np.memmap(path, dtype=np.int8, mode="r", shape=(n_items, 1000))[:n]
        bound = 60 * n / 10_000_000
        timed(f"streaming r of 1,000 x {n:,}", lambda cells=cells: item_rest_streaming(cells), bound)
    print(f"peak memory of the process {peak_gb():.2f} GB (after writing the file: {before:.2f} GB)   bound 2 GB")
    path.unlink()


def peak_gb() -> float:
    """Largest resident set of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 30 if sys.platform == "darwin" else 1 << 20)


def main() -> None:
    """Run all parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000, help="items of the large matrix")
    parser.add_argument("--folder", type=Path, help="where the large matrix lies meanwhile")
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        large(arguments.items, Path(folder), rng)
    small(rng)
    hashing(rng)


if __name__ == "__main__":
    main()
