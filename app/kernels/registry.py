"""Finds problems and stages by looking at the folders: adding one edits nothing here."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import app.kernels
from app.domain.errors import NotFoundError
from app.domain.vocabulary import BackendName
from app.kernels.problem import Problem
from app.kernels.stage import Stage


def add_folder(folder: Path) -> None:
    """Look for problems in one more folder, laid out like `app/kernels`: a package a problem."""
    path = str(folder.resolve())
    if path not in app.kernels.__path__:
        app.kernels.__path__.append(path)
        problems.cache_clear()
        stages.cache_clear()


@cache
def problems() -> dict[str, Problem]:
    """Every problem by name, ladders first in name order."""
    found: list[Problem] = []
    for module in pkgutil.iter_modules(app.kernels.__path__):
        declared = f"app.kernels.{module.name}.problem"
        if module.ispkg and importlib.util.find_spec(declared) is not None:
            found.append(importlib.import_module(declared).PROBLEM)
    return {p.name: p for p in sorted(found, key=lambda p: (not p.is_ladder, p.name))}


def problem(name: str) -> Problem:
    """The problem of that name. Raises NotFoundError, naming those that exist."""
    try:
        return problems()[name]
    except KeyError:
        known = ", ".join(problems())
        raise NotFoundError(f"No problem is called {name!r}. Known: {known}.", field="problem") from None


@cache
def stages(problem_name: str, backend: BackendName) -> tuple[Stage, ...]:
    """The ladder of a problem on a backend: parents before children, the library line last."""
    package = importlib.import_module(f"app.kernels.{problem(problem_name).name}")
    found: list[Stage] = []
    for module in pkgutil.walk_packages(package.__path__, prefix=f"{package.__name__}."):
        if module.ispkg or module.name.endswith("_kernel"):
            continue
        found.extend(s for s in _declared(importlib.import_module(module.name)) if s.backend is backend)
    return _in_ladder_order(found)


def _declared(module: ModuleType) -> tuple[Stage, ...]:
    family: tuple[Stage, ...] = getattr(module, "STAGES", ())
    alone = getattr(module, "STAGE", None)
    return (*family, alone) if isinstance(alone, Stage) else family


def stage(problem_name: str, backend: BackendName, name: str) -> Stage:
    """The stage of that name. Raises NotFoundError, naming those that exist."""
    ladder = stages(problem_name, backend)
    for candidate in ladder:
        if candidate.name == name:
            return candidate
    known = ", ".join(s.name for s in ladder)
    raise NotFoundError(
        f"{problem_name} has no {backend} stage called {name!r}. Known: {known}.", field="stages"
    )


def _in_ladder_order(found: list[Stage]) -> tuple[Stage, ...]:
    """Branch by branch, the longest last, so that the ladder ends with its last rung; libraries behind."""

    def height(s: Stage) -> int:
        return 1 + max((height(child) for child in rungs(s.name)), default=0)

    def rungs(parent: str | None) -> list[Stage]:
        return [s for s in found if s.improves_on == parent and not s.reference]

    def climbed(parent: str | None) -> Iterator[Stage]:
        for s in sorted(rungs(parent), key=lambda s: (height(s), s.name)):
            yield s
            yield from climbed(s.name)

    libraries = sorted((s for s in found if s.reference), key=lambda s: s.name)
    return (*climbed(None), *libraries)
