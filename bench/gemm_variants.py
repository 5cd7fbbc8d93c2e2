"""Variants of a matrix product raced against the library's line. Needs a GPU.

    python -m bench.gemm_variants OUT [--race bench.fp32_search] [--limit-s N] [--only NAME]...

A race is a module with `RACE`: a problem, the line to beat and the variants, each a `Stage`. Everything is
compiled first, side by side. Then each variant has a process of its own with a deadline, so that a hang or a
fault costs that variant alone: it is checked at awkward sizes, then timed in mirrored warm blocks (library,
variant, variant, library) on the same arrays. Printed and appended to OUT: library time ÷ variant time,
median of the rounds and their range. Then, in one process, what a race only searches through. Exit status 1
when a variant is wrong, faults or hangs.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from app.backends import nvrtc
from app.backends.backend import Backend
from app.domain.errors import RoofladderError
from app.domain.size import Size
from app.kernels import registry
from app.kernels.stage import Stage
from bench.race import Race

ARCHITECTURE = "sm_90a"
DEADLINE_S = 25.0
COMPILERS = 12
FRESH_S = 0.2
SEARCH = "searched"
SEARCH_S = 60.0
SEARCH_ROUNDS = 2
CUBINS = Path(tempfile.gettempdir()) / "roofladder-race-cubins"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--race", default="bench.fp32_search", help="module with RACE")
    parser.add_argument("--limit-s", type=float, default=95.0, help="no variant begins later than this")
    parser.add_argument("--only", action="append", help="a variant's name; may be repeated")
    parser.add_argument("--child", help="measure this variant in this process")
    arguments = parser.parse_args()
    race: Race = importlib.import_module(arguments.race).RACE
    if arguments.child == SEARCH:
        search(race, arguments.out)
        return
    if arguments.child:
        measure(race, next(v for v in race.variants if v.name == arguments.child), arguments.out)
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    wanted = [v for v in race.variants if not arguments.only or v.name in arguments.only]
    compile_ahead([*wanted, *race.searched])
    print(f"compiled {len(wanted)} variants in {time.monotonic() - started:.1f} s", flush=True)
    failed = 0
    for variant in wanted:
        if time.monotonic() - started > arguments.limit_s:
            record(arguments.out, f"{variant.name:40s} not run: {arguments.limit_s:g} s are over")
            continue
        failed += not in_own_process(variant.name, arguments.race, arguments.out, DEADLINE_S)
    if race.searched and not arguments.only:
        in_own_process(SEARCH, arguments.race, arguments.out, SEARCH_S)
    sys.exit(1 if failed else 0)


def compile_ahead(variants: list[Stage]) -> None:
    """Into the cache that the children read; a variant that does not compile is told by its child."""

    def compiled(variant: Stage) -> None:
        try:
            nvrtc.compile_cubin(
                variant.source.read_text(encoding="utf-8"),
                variant.entry,
                ARCHITECTURE,
                variant.compile_options,
                cache_dir=CUBINS,
            )
        except RoofladderError as error:
            print(f"{variant.name}: {error}", flush=True)

    with ThreadPoolExecutor(COMPILERS) as pool:
        list(pool.map(compiled, variants))


def in_own_process(name: str, race: str, out: Path, deadline_s: float) -> bool:
    """Whether the variant came through. A child that overruns its deadline is killed."""
    command = [sys.executable, "-m", "bench.gemm_variants", str(out), "--race", race, "--child", name]
    try:
        status = subprocess.run(command, timeout=deadline_s, check=False).returncode
    except subprocess.TimeoutExpired:
        record(out, f"{name:40s} HANGS or is too slow: killed after {deadline_s:g} s")
        return False
    if status:
        record(out, f"{name:40s} FAILED with exit status {status}")
    return status == 0


def measure(race: Race, variant: Stage, out: Path) -> None:
    """Check, then time one variant in this process. Exits with 1 at the first wrong result."""
    from app.backends.cuda import CudaBackend

    backend, problem = CudaBackend(CUBINS), registry.problem(race.problem)
    worst = 0.0
    for size in race.checked:
        if variant.why_not and variant.why_not(size):
            continue
        found = backend.prepare(variant, problem, size, race.dtype).check(seed=1)
        backend.release()
        if not found.passed_before:
            record(out, f"{variant.name:40s} WRONG at {size.key}: {found.detail}")
            sys.exit(1)
        worst = max(worst, (found.max_relative_error or 0.0) / found.tolerance)
    record(out, f"{variant.name:40s} right at {len(race.checked)} sizes, worst {worst:.2f} of the tolerance")
    for size in race.timed:
        if variant.why_not and variant.why_not(size):
            continue
        time_against_library(backend, race, variant, size, out)
        backend.release()


def time_against_library(backend: Backend, race: Race, variant: Stage, size: Size, out: Path) -> None:
    """Mirrored blocks: what the first of a round heats up, the last of the round pays for too."""
    problem = registry.problem(race.problem)
    own = backend.prepare(variant, problem, size, race.dtype)
    library = backend.prepare(race.library, problem, size, race.dtype)
    found = own.check(seed=2)
    if not found.passed_before:
        record(out, f"{variant.name:40s} WRONG at {size.key}: {found.detail}")
        sys.exit(1)
    launch_s = max(own.warm_up(FRESH_S), library.warm_up(FRESH_S))
    launches = max(2, round(race.block_s / launch_s))
    theirs, mine = [], []
    for _ in range(race.rounds):
        before, own_first, own_again, after = (
            cell.time_warm(launches) for cell in (library, own, own, library)
        )
        theirs.append((before + after) / 2)
        mine.append((own_first + own_again) / 2)
    ratios = [library_s / own_s for library_s, own_s in zip(theirs, mine, strict=True)]
    own_rate, library_rate = (variant.cost(size, race.dtype).flop / median(t) / 1e12 for t in (mine, theirs))
    record(
        out,
        f"{variant.name:40s} {problem.size_title(size):>16s}"
        f"  {own_rate:7.2f} against {library_rate:7.2f} TFLOP/s"
        f"  ratio {median(ratios):.4f} [{min(ratios):.4f}–{max(ratios):.4f}]",
    )


def search(race: Race, out: Path) -> None:
    """Time all variants that are searched through at one size, side by side in every round."""
    from app.backends.cuda import CudaBackend

    backend, problem, size = CudaBackend(CUBINS), registry.problem(race.problem), race.timed[0]
    library = backend.prepare(race.library, problem, size, race.dtype)
    library_s = library.warm_up(FRESH_S)
    for variant in race.searched:
        own = backend.prepare(variant, problem, size, race.dtype)
        is_right = own.check(seed=3).passed_before
        launches = max(2, round(race.block_s / max(library_s, own.time_warm(4))))
        ratios = []
        for _ in range(SEARCH_ROUNDS):
            before, own_first, own_again, after = (
                cell.time_warm(launches) for cell in (library, own, own, library)
            )
            ratios.append((before + after) / (own_first + own_again))
        verdict = "right" if is_right else "WRONG"
        record(out, f"{variant.name:48s} {verdict}  ratio {min(ratios):.4f}–{max(ratios):.4f}")


def record(out: Path, line: str) -> None:
    print(line, flush=True)
    with (out / "gemm_variants.txt").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    main()
