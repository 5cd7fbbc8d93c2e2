"""The submit form: ladders and suites to choose from, and what was typed as a job request."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from app.domain.errors import InvalidInputError
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Stage
from app.kernels.suites import SUITES, Suite
from app.services.selection import SelectionRequest
from app.services.submit_job import DEFAULT_DEADLINE_S, JobRequest
from app.storage.store import Store

MOST_TYPED = 2000
_NUMBER = re.compile(r"\d{1,9}")


@dataclass(frozen=True)
class FormInput:
    """What the user typed. Sizes: "1024, 4096" for cubes, "4097x513x129" for others.

    problem: a ladder, or a suite, which brings its own sizes, types and stages.
    """

    problem: str = "matmul"
    stages: tuple[str, ...] = ()  # empty means all
    sizes: str = ""
    dtype: str = Dtype.FLOAT32.value
    label: str = ""
    deadline_s: str = f"{DEFAULT_DEADLINE_S:.0f}"


@dataclass(frozen=True)
class OfferedSuite:
    """A suite and how many of its problems the machine's backend can run."""

    suite: Suite
    runnable_count: int

    @property
    def runs_here(self) -> str:
        """ "2 of 34 problems run here"."""
        count = len(self.suite.problems)
        if not self.runnable_count:
            return "needs a GPU"
        return (
            f"{count} problems"
            if self.runnable_count == count
            else f"{self.runnable_count} of {count} problems run here"
        )


@dataclass(frozen=True)
class JobForm:
    """The choices of the form for the machine's backend, and what stands in its fields."""

    problems: tuple[Problem, ...]
    suites: tuple[OfferedSuite, ...]
    stages: tuple[Stage, ...]
    dtypes: tuple[Dtype, ...]
    backend: BackendName | None
    entered: FormInput
    size_hint: str


def job_form(store: Store, entered: FormInput | None = None) -> JobForm:
    """The form with what is chosen, empty or as typed; behind a suite stands the first ladder."""
    worker = next(iter(store.workers()), None)
    backend = worker.device.backend if worker else None
    problems = tuple(p for p in registry.problems().values() if p.is_ladder)
    chosen = entered or FormInput()
    if not chosen.sizes and (entered is None or _suite(chosen) is not None):
        chosen = replace(chosen, sizes=_usual_sizes(backend))
    problem = next((p for p in problems if p.name == chosen.problem), problems[0])
    if chosen.dtype not in problem.dtypes:  # what was chosen for another ladder
        chosen = replace(chosen, dtype=problem.dtypes[0].value)
    names = "×".join(parameter.name for parameter in problem.size_parameters)
    return JobForm(
        problems=problems,
        suites=tuple(_offered(suite, backend) for suite in SUITES),
        stages=registry.stages(problem.name, backend) if backend else (),
        dtypes=problem.dtypes,
        backend=backend,
        entered=chosen,
        size_hint=f"512, 1024 or {names}",
    )


def request_of(entered: FormInput) -> JobRequest:
    """What was typed as a request. Raises InvalidInputError naming the field."""
    try:
        deadline_s = float(entered.deadline_s)
    except ValueError:
        raise InvalidInputError("Give the deadline as a number of seconds.", field="deadline_s") from None
    return JobRequest(_selection(entered), entered.label, deadline_s)


def _selection(entered: FormInput) -> SelectionRequest:
    suite = _suite(entered)
    if suite is not None:
        return SelectionRequest(problems=(), suite=suite.name)
    return SelectionRequest(
        problems=(entered.problem,),
        sizes=sizes_of(entered.problem, entered.sizes),
        dtypes=(entered.dtype,),
        stages=entered.stages or None,
    )


def _suite(entered: FormInput) -> Suite | None:
    return next((suite for suite in SUITES if suite.name == entered.problem), None)


def _offered(suite: Suite, backend: BackendName | None) -> OfferedSuite:
    return OfferedSuite(suite, len(suite.problems_on(backend) if backend else suite.problems))


def sizes_of(problem_name: str, text: str) -> tuple[Size, ...]:
    """Read "1024, 4097x513x129". Raises InvalidInputError with an example."""
    names = [parameter.name for parameter in registry.problem(problem_name).size_parameters]
    example = f"Write one number for a cube (1024), or {len(names)} joined by × (4097×513×129)."
    words = text.replace(",", " ").replace(";", " ").split()
    if not words or len(text) > MOST_TYPED:
        raise InvalidInputError(f"No size is given. {example}", field="sizes")
    return tuple(_size(word, names, example) for word in words)


def _size(word: str, names: list[str], example: str) -> Size:
    parts = re.split("[x×*]", word.lower())
    if len(parts) not in (1, len(names)) or not all(_NUMBER.fullmatch(part) for part in parts):
        raise InvalidInputError(f"{word[:40]!r} is not a size. {example}", field="sizes")
    values = [int(part) for part in parts] * (len(names) if len(parts) == 1 else 1)
    return Size(tuple(zip(names, values, strict=True)))


def _usual_sizes(backend: BackendName | None) -> str:
    return "1024, 4096" if backend is BackendName.CUDA else "256, 512, 1024"
