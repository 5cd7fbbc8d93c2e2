"""Which stage a profiled launch is one of: by our own range, else by kernel name, grid and block.

A confidence adds what speaks for a match; below `LEAST` the launch stays without a stage.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from app.domain.cell_range import cell_of_range
from app.domain.errors import InvalidInputError, NotFoundError
from app.domain.kept_report import MatchHow, StageMatch
from app.domain.measurement import CellKey
from app.domain.report import LaunchKind, LaunchProfile
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.services.kernel_aliases import Alias, LibraryName, alias_of, library_of
from app.services.kernel_words import LONGEST_READ, function_name, words_of
from app.services.stage_launches import KnownStage, known_stages, stages_by_function

SAME_FUNCTION, ALIAS, LIKE_NAME = 0.6, 0.5, 0.2
SAME_SHAPE, SAME_BLOCK, OTHER_BLOCK = 0.35, 0.15, -0.25
AMBIGUOUS = 0.6  # what is left of a confidence where several stages fit as well
LEAST = 0.3
_NOISE = frozenset({"kernel", "benchmark", "test", "cuda", "gpu", "global", "device", "func", "float", "v"})

Shape = tuple[int, int, int]


@dataclass(frozen=True)
class _Candidate:
    known: KnownStage
    confidence: float
    reasons: tuple[str, ...]
    size: Size | None = None


def match_of(profile: LaunchProfile) -> StageMatch:
    """The stage of a launch, with what speaks for it; never raises."""
    for name in reversed(profile.nvtx):
        cell = cell_of_range(name)
        if cell is not None and _is_known(cell):
            reasons = (f"Captured by Roofladder inside the range {name}.",)
            return StageMatch(
                cell.problem, cell.stage, 1.0, MatchHow.EXACT, reasons, size=cell.size, dtype=cell.dtype
            )
    if profile.kind is not LaunchKind.KERNEL:
        return _none(f"It is a {profile.kind.value.replace('_', ' ')}, not one kernel.")
    return _match_of_name(profile.kernel[:LONGEST_READ], profile.grid, profile.block)


def corrected_match(
    problem: str | None, stage: str | None, size: str | None, dtype: str | None
) -> StageMatch:
    """A match as a person states it; problem and stage None say that no stage of ours is right.

    Raises NotFoundError for an unknown problem or stage, InvalidInputError for a size or type that is none.
    """
    if (problem is None) is not (stage is None):
        raise InvalidInputError(
            "problem and stage go together; nothing was changed. Give both, or neither.", field="stage"
        )
    if problem is None or stage is None:
        return StageMatch(
            None, None, 1.0, MatchHow.CORRECTED, ("A person said that no stage here is right.",)
        )
    found = registry.stage(problem, BackendName.CUDA, stage)
    names = [p.name for p in registry.problem(problem).size_parameters]
    return StageMatch(
        problem,
        stage,
        1.0,
        MatchHow.CORRECTED,
        ("A person chose this stage.",),
        size=None if size is None else _checked_size(size, names),
        dtype=_checked_dtype(dtype) if dtype is not None else _only_dtype(found.dtypes),
    )


@lru_cache(maxsize=4096)
def _match_of_name(kernel: str, grid: Shape | None, block: Shape | None) -> StageMatch:
    function = function_name(kernel)
    found = _candidates(kernel, function, grid, block)
    best = max((c.confidence for c in found), default=0.0)
    leading = [c for c in found if c.confidence == best]
    if best * (AMBIGUOUS if len(leading) > 1 else 1) < LEAST:
        return _none(f"No stage here has a kernel that is called and launched like {function[:80]}.")
    chosen, others = leading[0], leading[1:]
    reasons = chosen.reasons
    if others:
        names = ", ".join(f"{c.known.problem.name} {c.known.stage.name}" for c in others[:4])
        best, reasons = best * AMBIGUOUS, (*reasons, f"As well it could be {names}.")
    stage = chosen.known.stage
    return StageMatch(
        chosen.known.problem.name,
        stage.name,
        round(min(best, 0.95), 2),  # only our own range is certain
        MatchHow.AUTOMATIC,
        reasons,
        size=chosen.size,
        dtype=_only_dtype(stage.dtypes),
    )


def _candidates(kernel: str, function: str, grid: Shape | None, block: Shape | None) -> list[_Candidate]:
    same = [_same_function(known, grid, block) for known in stages_by_function().get(function, ())]
    if same:
        return same
    library = library_of(kernel)
    if library:
        return [_by_library(library)]
    words = words_of(function) - _NOISE
    alias = alias_of(words)
    return [_by_alias(alias, grid, block)] if alias else _like_name(words, grid, block)


def _same_function(known: KnownStage, grid: Shape | None, block: Shape | None) -> _Candidate:
    return _with_shape(known, SAME_FUNCTION, f"The kernel is called {known.stage.entry}.", grid, block)


def _by_alias(alias: Alias, grid: Shape | None, block: Shape | None) -> _Candidate:
    known = _stage(alias.problem, alias.stage)
    return _with_shape(known, ALIAS, "Textbook kernels of this kind are called so.", grid, block)


def _by_library(name: LibraryName) -> _Candidate:
    return _Candidate(_stage(name.problem, name.stage), ALIAS, ("The library's kernels are called so.",))


def _stage(problem: str, stage: str) -> KnownStage:
    return next(k for k in known_stages() if (k.problem.name, k.stage.name) == (problem, stage))


def _like_name(words: frozenset[str], grid: Shape | None, block: Shape | None) -> list[_Candidate]:
    found = []
    for known in known_stages():
        own = words_of(known.stage.name)
        shared = words & (own | words_of(known.problem.name))
        if words & own and len(shared) >= 2:
            share = len(shared) / len(words | own)
            base = LIKE_NAME + 0.3 * share
            found.append(
                _with_shape(known, base, f"Its name shares {', '.join(sorted(shared))}.", grid, block)
            )
    return found


def _with_shape(
    known: KnownStage, confidence: float, why: str, grid: Shape | None, block: Shape | None
) -> _Candidate:
    """Add what grid and block say to what the name says."""
    if block is None or not known.launches:
        return _Candidate(known, confidence, (why, "Grid and block are not known, or not declared."))
    sizes = known.sizes_with(grid, block) if grid is not None else ()
    if sizes:
        title = known.problem.size_title(sizes[0])
        fits = (
            f"Grid and block are those of {title}."
            if len(sizes) == 1
            else "Grid and block fit several sizes."
        )
        size = sizes[0] if len(sizes) == 1 else None
        return _Candidate(known, confidence + SAME_SHAPE, (why, fits), size)
    if known.has_block(block):
        return _Candidate(
            known, confidence + SAME_BLOCK, (why, "The block is the stage's; the grid is of no usual size.")
        )
    penalty = OTHER_BLOCK if confidence >= SAME_FUNCTION else 0.0
    return _Candidate(known, confidence + penalty, (why, "The block is not the stage's."))


def _is_known(cell: CellKey) -> bool:
    try:
        registry.stage(cell.problem, BackendName.CUDA, cell.stage)
    except NotFoundError:
        return False
    return True


def _none(reason: str) -> StageMatch:
    return StageMatch(None, None, 0.0, MatchHow.AUTOMATIC, (reason,))


def _only_dtype(dtypes: tuple[Dtype, ...]) -> Dtype | None:
    return dtypes[0] if len(dtypes) == 1 else None


def _checked_size(text: str, names: list[str]) -> Size:
    try:
        size = Size.parse(text)
    except ValueError:
        size = None
    if size is None or [name for name, _ in size.values] != names:
        wanted = ",".join(f"{name}=…" for name in names)
        raise InvalidInputError(f"size is not of the form {wanted}; nothing was changed.", field="size")
    return size


def _checked_dtype(text: str) -> Dtype:
    try:
        return Dtype(text)
    except ValueError:
        known = ", ".join(Dtype)
        raise InvalidInputError(
            f"No element type is called {text[:40]!r}. Known: {known}.", field="dtype"
        ) from None
