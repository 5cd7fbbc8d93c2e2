"""Checks every CUDA stage of a problem at its check sizes, in child processes that a fault may kill.

    python -m bench.stage_checks PROBLEM [--on-host]

is the child: stage names on standard input, a JSON line a step.

`check_problem` starts the child, and starts another for what a dead one left over: the stage in flight is
the one that failed. Sizes are the problem's `check_sizes`; traps are left out, since they must fail.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from app.domain.errors import StageFailure, StickyDeviceFailure
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, ProblemKind
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Stage

OK, SKIPPED, BAD, NOT_RUN = "ok", "skipped", "BAD", "not run"
LEAST_CHILD_S = 5.0
SEED = 20
AWKWARD = 33  # where a problem states no check sizes: no power of two, one more than a warp
CACHE = Path(".cache") / "stage-checks"


@dataclass(frozen=True)
class Found:
    """What became of one stage: `detail` says the cases, or the first thing that went wrong."""

    problem: str
    stage: str
    verdict: str
    detail: str


def problems_to_check() -> list[Problem]:
    """Every problem with CUDA stages that are meant to be right."""
    return [
        problem
        for problem in registry.problems().values()
        if problem.kind is not ProblemKind.TRAP and registry.stages(problem.name, BackendName.CUDA)
    ]


def check_sizes(problem: Problem) -> tuple[Size, ...]:
    """The problem's own, else one awkward size within its ranges."""
    if problem.check_sizes:
        return problem.check_sizes
    values = [(p.name, min(p.maximum, max(p.minimum, AWKWARD))) for p in problem.size_parameters]
    return (Size(tuple(values)),)


def check_problem(
    problem: Problem,
    before: Sequence[str] = (),
    timeout_s: float = 240,
    *,
    instrumented: bool = False,
) -> list[Found]:
    """Check each stage; `before` is put before the child's command (compute-sanitizer and its options).

    `instrumented`: under a tool that slows down every kernel of the process. Library lines are left out, and
    inputs, reference and comparison are NumPy's.
    All children together have `timeout_s`; what is left then is told as not run.
    """
    ends_at = time.monotonic() + timeout_s
    left = [
        stage.name
        for stage in registry.stages(problem.name, BackendName.CUDA)
        if stage.entry or not instrumented
    ]
    found: list[Found] = []
    while left:
        left_s = ends_at - time.monotonic()
        if left_s < LEAST_CHILD_S:
            return found + [Found(problem.name, name, NOT_RUN, "the time limit came first") for name in left]
        new = _one_child(problem, left, before, left_s, ("--on-host",) if instrumented else ())
        found += new
        ended = {one.stage for one in new}
        left = [name for name in left if name not in ended]
    return found


def _one_child(
    problem: Problem, left: list[str], before: Sequence[str], timeout_s: float, options: Sequence[str]
) -> list[Found]:
    """Results of one child, in order; the stage in flight when it died is the last of them."""
    command = [*before, sys.executable, "-m", "bench.stage_checks", problem.name, *options]
    try:
        child = subprocess.run(
            command, input="\n".join(left), capture_output=True, text=True, timeout=timeout_s, check=False
        )
        out, errors, code = child.stdout, child.stderr, str(child.returncode)
    except subprocess.TimeoutExpired as expired:
        out, errors, code = _text(expired.stdout), _text(expired.stderr), f"none within {timeout_s:g} s"
    except OSError as error:
        return [Found(problem.name, name, BAD, f"cannot be started: {error}") for name in left]
    found, in_flight, said = _read(out)
    named = {one.stage for one in found}
    if in_flight not in named or not found:  # else it ended by itself, after the stage that lost the context
        died = in_flight or left[0]
        words = [*said, *errors.strip().splitlines()[-3:]]
        found.append(Found(problem.name, died, BAD, f"the process ended ({code}): {' | '.join(words)[:600]}"))
    return found


def _read(out: str) -> tuple[list[Found], str | None, list[str]]:
    """Results, the stage begun last, and what compute-sanitizer said since the last result."""
    found: list[Found] = []
    in_flight, said = None, []
    for line in out.splitlines():
        if line.startswith("=========") and _is_accusation(line):
            said.append(line.strip("= "))
        elif line.startswith("{"):
            step = json.loads(line)
            in_flight = step["stage"]
            if "verdict" in step:
                one = Found(**step)
                if said:
                    one = replace(one, verdict=BAD, detail=" | ".join(said[:4]))
                found.append(one)
                said = []
    return found, in_flight, said


_ACCUSATIONS = (
    "Invalid",
    "Error: ",
    "Race reported",
    "Misaligned",
    "Barrier error",
    "Program hit",
    "Potential",
)


def _is_accusation(line: str) -> bool:
    return any(word in line for word in _ACCUSATIONS)


def _text(found: str | bytes | None) -> str:
    return found.decode(errors="replace") if isinstance(found, bytes) else found or ""


def main() -> None:
    problem = registry.problem(sys.argv[1])
    on_host = "--on-host" in sys.argv
    names = sys.stdin.read().split()
    from app.backends.cuda import CudaBackend

    CACHE.mkdir(parents=True, exist_ok=True)
    backend = CudaBackend(CACHE)
    for name in names:
        stage = registry.stage(problem.name, BackendName.CUDA, name)
        print(json.dumps({"problem": problem.name, "stage": name}), flush=True)
        verdict, detail, context_lost = BAD, "", False
        try:
            verdict, detail = _checked(backend, problem, stage, on_host)
        except StickyDeviceFailure as failure:
            detail, context_lost = failure.message, True
        except StageFailure as failure:
            detail = failure.message
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
        print(json.dumps(asdict(Found(problem.name, name, verdict, detail))), flush=True)
        if context_lost:
            sys.exit(4)
        with contextlib.suppress(Exception):
            backend.release()


def _checked(backend: object, problem: Problem, stage: Stage, on_host: bool) -> tuple[str, str]:
    from app.backends.cuda import CudaBackend

    assert isinstance(backend, CudaBackend)
    checked, left_out = 0, []
    for size, dtype in _cases(problem, stage):
        why_not = stage.why_not(size) if stage.why_not else None
        why_not = why_not or backend.why_unsupported(stage, problem, size, dtype)
        if why_not is not None:
            left_out.append(f"{size.key}: {why_not}")
            continue
        cell = backend.prepare(stage, problem, size, dtype)
        found = cell.check_on_host(SEED) if on_host else cell.check(SEED)
        if not found.passed_before:
            return BAD, f"{size.key} {dtype}: {found.detail}"
        checked += 1
    if not checked:
        return SKIPPED, left_out[0] if left_out else "takes none of the problem's dtypes"
    return OK, f"{checked} cases" + (f", {len(left_out)} outside its contract" if left_out else "")


def _cases(problem: Problem, stage: Stage) -> Iterator[tuple[Size, Dtype]]:
    for size in check_sizes(problem):
        for dtype in problem.dtypes:
            if dtype in stage.dtypes:
                yield size, dtype


if __name__ == "__main__":
    main()
