"""compute-sanitizer over every CUDA stage at its problem's check sizes: memcheck, then racecheck.

    python -m bench.sanitize [--tools memcheck,racecheck] [--limit-s 400] [--jobs 6] [--problem NAME]

A process a problem and tool; only the product's own kernels are instrumented. One line a stage. Exit code
1: a stage has an error or a hazard; 2: compute-sanitizer is missing, or the time limit came first.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.problem import Problem
from bench.stage_checks import BAD, NOT_RUN, Found, check_problem, problems_to_check

PLACES = ("/usr/local/cuda/bin/compute-sanitizer", "/usr/local/cuda/compute-sanitizer/compute-sanitizer")


def sanitizer() -> str | None:
    """compute-sanitizer on the path, or where the toolkit puts it."""
    return shutil.which("compute-sanitizer") or next((p for p in PLACES if Path(p).exists()), None)


def command(path: str, tool: str, problem: Problem) -> list[str]:
    """compute-sanitizer and its options, to go before the child's command."""
    stages = registry.stages(problem.name, BackendName.CUDA)
    entries = sorted({stage.entry for stage in stages if stage.entry})
    options = {
        "memcheck": ["--report-api-errors", "no", "--leak-check", "no"],
        "racecheck": ["--racecheck-report", "all"],
    }
    only = [word for entry in entries for word in ("--kernel-name", f"kne={entry}")]
    return [path, "--tool", tool, *options.get(tool, []), *only]


def checked(path: str, tool: str, problem: Problem, ends_at: float) -> list[Found]:
    """Every stage of one problem under one tool, or that the time was over."""
    left_s = ends_at - time.monotonic()
    return check_problem(problem, command(path, tool, problem), left_s, instrumented=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", default="memcheck,racecheck")
    parser.add_argument("--limit-s", type=float, default=400)
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--problem")
    arguments = parser.parse_args()
    path = sanitizer()
    if path is None:
        print("compute-sanitizer is not installed: it comes with the CUDA toolkit.")
        sys.exit(2)
    started = time.monotonic()
    chosen = [p for p in problems_to_check() if arguments.problem in (None, p.name)]
    bad = unfinished = count = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        tasks = {
            pool.submit(checked, path, tool, problem, started + arguments.limit_s): tool
            for tool in arguments.tools.split(",")
            for problem in chosen
        }
        for task in as_completed(tasks):
            for one in task.result():
                print(
                    f"{tasks[task]:9s} {one.problem:24s} {one.stage:28s} {one.verdict:8s} {one.detail}",
                    flush=True,
                )
                count += 1
                bad += one.verdict == BAD
                unfinished += one.verdict == NOT_RUN
    print(f"{count} lines, {bad} bad, {unfinished} not run, {time.monotonic() - started:.0f} s")
    sys.exit(1 if bad else 2 if unfinished else 0)


if __name__ == "__main__":
    main()
