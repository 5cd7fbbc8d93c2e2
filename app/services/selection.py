"""Check what a caller wants measured against the registry and the worker's device, naming each fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.device import Device, WorkerSnapshot
from app.domain.errors import InvalidInputError, TooLargeError, UnavailableError
from app.domain.run import Selection
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, ProblemKind
from app.kernels.cells import cells_of
from app.kernels.problem import Problem, needed_bytes
from app.kernels.registry import problems, stages
from app.kernels.suites import SUITES
from app.kernels.suites import suite as suite_named
from app.services.duel_request import checked_duel

MAX_ENTRIES = 64
MAX_CELLS = 1000
BACKEND_AUTO = "auto"
USABLE_MEMORY_FRACTION = 0.9


@dataclass(frozen=True)
class SelectionRequest:
    """What a caller asked for, words not yet checked. `stages` None means all of them.

    Without sizes and dtypes each problem brings its own. `suite` names problems together, instead of
    `problems`. `duel`: regimes in which the fastest own stage fights the fastest library line.
    `scan`: briefly, without the cells whose launch takes too long.
    """

    problems: tuple[str, ...]
    sizes: tuple[Size, ...] = ()
    dtypes: tuple[str, ...] = ()
    stages: tuple[str, ...] | None = None
    backend: str = BACKEND_AUTO
    suite: str | None = None
    duel: tuple[str, ...] = ()
    scan: bool = False


def check_selection(request: SelectionRequest, workers: Sequence[WorkerSnapshot]) -> Selection:
    """The request in the registry's words. Raises InvalidInputError that names the field at fault.

    Raises UnavailableError for backend "auto" while no worker has reported its device.
    """
    backend = _backend(request.backend, workers)
    chosen = _problems(request, backend)
    selection = Selection(
        problems=tuple(problem.name for problem in chosen),
        stages=_stages(request.stages, chosen, backend),
        sizes=_sizes(request.sizes, chosen) if request.sizes else _own_sizes(request, chosen),
        dtypes=_dtypes(request.dtypes, chosen) if request.dtypes else (),
        backend=backend,
        duel=checked_duel(request.duel, chosen, backend),
        scan=request.scan,
    )
    _check_cells(selection)
    device = device_of(backend, workers)
    if device is not None:
        _check_memory(selection, chosen, device)
    return selection


def device_of(backend: BackendName, workers: Sequence[WorkerSnapshot]) -> Device | None:
    """The device that the newest worker of that backend drives."""
    return next((worker.device for worker in workers if worker.device.backend is backend), None)


def _backend(name: str, workers: Sequence[WorkerSnapshot]) -> BackendName:
    driven = [worker.device for worker in workers]
    if name == BACKEND_AUTO:
        if not driven:
            raise UnavailableError(
                "No worker has reported its device yet, so backend auto is not known; nothing was stored. "
                "Try again in a few seconds, start `roofladder worker`, or name the backend.",
                field="backend",
            )
        return driven[0].backend
    backend = _one_of(name, [b.value for b in BackendName], "backend")
    if driven and all(device.backend != backend for device in driven):
        raise InvalidInputError(
            f"No worker here drives {backend}: the job would never start. "
            f"Use auto, or {driven[0].backend} for {driven[0].name}.",
            field="backend",
        )
    return BackendName(backend)


def _problems(request: SelectionRequest, backend: BackendName) -> tuple[Problem, ...]:
    if request.suite is not None:
        return _suite_problems(request.suite, backend)
    known = {name: one for name, one in problems().items() if one.kind is not ProblemKind.CEILING}
    names = request.problems
    _check_list(names, "selection.problems")
    return tuple(known[_one_of(name, known, f"selection.problems[{i}]")] for i, name in enumerate(names))


def _suite_problems(name: str, backend: BackendName) -> tuple[Problem, ...]:
    _one_of(name, [suite.name for suite in SUITES], "suite")
    runnable = tuple(problems()[member] for member in suite_named(name).problems_on(backend))
    if not runnable:
        raise InvalidInputError(
            f"The suite {name} has no {backend} stage, so this machine has nothing to measure; nothing was "
            "stored. Ask for a ladder (GET /api/v1/ladders), or run the suite on a GPU.",
            field="suite",
        )
    return runnable


def _own_sizes(request: SelectionRequest, chosen: Sequence[Problem]) -> tuple[Size, ...]:
    """No sizes: each problem's own. Raises InvalidInputError for one that has none."""
    for problem in chosen:
        if not problem.suite_sizes:
            raise InvalidInputError(
                f"sizes is empty and {problem.name} has none of its own; nothing was stored. "
                "Name at least one.",
                field="sizes",
            )
    return request.sizes


def _stages(
    names: Sequence[str] | None, chosen: Sequence[Problem], backend: BackendName
) -> tuple[str, ...] | None:
    if names is None:
        return None
    known = [stage.name for problem in chosen for stage in stages(problem.name, backend)]
    _check_list(names, "selection.stages")
    return tuple(
        _one_of(name, known, f"selection.stages[{i}]", f"on {backend}") for i, name in enumerate(names)
    )


def _dtypes(names: Sequence[str], chosen: Sequence[Problem]) -> tuple[Dtype, ...]:
    known = [dtype.value for dtype in Dtype if all(dtype in problem.dtypes for problem in chosen)]
    _check_list(names, "dtypes")
    return tuple(Dtype(_one_of(name, known, f"dtypes[{i}]")) for i, name in enumerate(names))


def _sizes(sizes: Sequence[Size], chosen: Sequence[Problem]) -> tuple[Size, ...]:
    _check_list([size.key for size in sizes], "sizes")
    for i, size in enumerate(sizes):
        for problem in chosen:
            _check_size(size, problem, f"sizes[{i}]")
    names = [parameter.name for parameter in chosen[0].size_parameters]
    ordered = tuple(Size(tuple((name, size[name]) for name in names)) for size in sizes)
    _check_list([size.key for size in ordered], "sizes")
    return ordered


def _check_size(size: Size, problem: Problem, field: str) -> None:
    given = size.as_dict()
    names = [parameter.name for parameter in problem.size_parameters]
    for name in given:
        _one_of(name, names, f"{field}.{name[:40]}", f"as a size of {problem.name}")
    for parameter in problem.size_parameters:
        value = given.get(parameter.name)
        if value is None or not parameter.minimum <= value <= parameter.maximum:
            fact = "is missing" if value is None else f"is {_short(value)}"
            raise InvalidInputError(
                f"{field}.{parameter.name} {fact}; nothing was stored. "
                f"Give a whole number from {parameter.minimum} to {parameter.maximum}.",
                field=f"{field}.{parameter.name}",
            )


def _check_cells(selection: Selection) -> None:
    cells = cells_of(selection)
    if len(cells) > MAX_CELLS:
        raise TooLargeError(
            f"The selection has {len(cells)} cells (stage x size x dtype), over the limit of {MAX_CELLS}; "
            "nothing was stored. Ask for fewer stages, sizes or dtypes.",
            field="sizes",
        )
    measured = {cell.stage for cell in cells}
    for i, name in enumerate(selection.stages or ()):
        if name not in measured:
            raise InvalidInputError(
                f"{name} takes none of the dtypes {', '.join(selection.dtypes)}; nothing was stored. "
                "Leave it out, or add a dtype that it takes (GET /api/v1/ladders/{problem}).",
                field=f"selection.stages[{i}]",
            )
    if not cells:
        raise InvalidInputError(
            f"No {selection.backend} stage of {', '.join(selection.problems)} takes this selection; "
            "nothing was stored. GET /api/v1/ladders lists what there is.",
            field="selection.problems",
        )


def _check_memory(selection: Selection, chosen: Sequence[Problem], device: Device) -> None:
    if device.memory_bytes is None:
        return
    if not selection.sizes:  # a suite goes on past a cell that does not fit
        return
    usable = device.memory_bytes * USABLE_MEMORY_FRACTION
    for problem in chosen:
        for i, size in enumerate(selection.sizes):
            dtypes = selection.dtypes or problem.dtypes
            needed = max(needed_bytes(problem, size, dtype) for dtype in dtypes)
            if needed > usable:
                raise InvalidInputError(
                    f"{size.key} needs {needed / 2**30:.1f} GiB with its reference, but {device.name} has "
                    f"{device.memory_bytes / 2**30:.1f} GiB; nothing was stored. Choose a smaller size.",
                    field=f"sizes[{i}]",
                )


def _check_list(values: Sequence[str], field: str) -> None:
    if not values:
        raise InvalidInputError(f"{field} is empty; name at least one.", field=field)
    if len(values) > MAX_ENTRIES:
        raise TooLargeError(
            f"{len(values)} {field} are over the limit of {MAX_ENTRIES} a job; nothing was stored. "
            "Split them over several jobs.",
            field=field,
        )
    for i, value in enumerate(values):
        if value in values[:i]:
            raise InvalidInputError(
                f"{field}[{i}] repeats {_short(value)}; nothing was stored. Name each once.",
                field=f"{field}[{i}]",
            )


def _one_of(value: str, known: Sequence[str] | dict[str, Problem], field: str, where: str = "") -> str:
    if value in known:
        return value
    place = f" {where}" if where else ""
    names = ", ".join(dict.fromkeys(known)) or "nothing"
    raise InvalidInputError(
        f"{field}: {_short(value)} is not known{place}; nothing was stored. Known: {names}.", field=field
    )


def _short(value: object) -> str:
    text = repr(str(value)) if isinstance(value, str) else str(value)  # an enum's repr tells of the inside
    return text if len(text) <= 60 else f"{text[:57]}…"
