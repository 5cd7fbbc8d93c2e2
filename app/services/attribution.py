"""What each rung promised to change, how much the time changed, and how much of that counters explain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.analysis.attribution import CountedAttribution, PromiseOutcome
from app.domain.promise import Promise
from app.services.ladder_rows import LadderRow, LadderView, known_stages


@dataclass(frozen=True)
class Attribution:
    """A rung beside its parent. Times in seconds; None where either has no number in this cache state.

    `declared_parent` is what the promises are made against; `parent`, what the time is compared with, is
    further down where that one has no number. counted: by the profiler, None until both are captured.
    """

    row: LadderRow
    declared_parent: str
    parent: str | None
    parent_s: float | None
    own_s: float | None
    promises: tuple[Promise, ...]
    counted: CountedAttribution | None = None

    @property
    def share_explained(self) -> float | None:
        """Of the speed-up, 0 to 1, by what counters say; None where they do not."""
        return self.counted.share_explained if self.counted else None

    def outcome(self, promise: Promise) -> PromiseOutcome | None:
        """What became of a promise; None where nothing was counted."""
        outcomes = self.counted.promises if self.counted else ()
        return next((one for one in outcomes if one.promise == promise), None)

    @property
    def time_change(self) -> float | None:
        """Own time over the parent's, less one: -0.5 is half the time."""
        return self.own_s / self.parent_s - 1 if self.own_s and self.parent_s else None

    @property
    def compared_with_other(self) -> str | None:
        """The parent of the comparison where it is not the declared one."""
        return self.parent if self.parent is not None and self.parent != self.declared_parent else None


def attributions(
    ladder: LadderView, counted: Mapping[str, CountedAttribution] = MappingProxyType({})
) -> tuple[Attribution, ...]:
    """The rungs that improve on another and ran, or were to run, in ladder order; `counted` by stage."""
    declared = {stage.name: stage for stage in known_stages(ladder.problem, ladder.backend)}
    return tuple(
        _attribution(ladder, row, parent, declared[row.stage].promises, counted.get(row.stage))
        for row in ladder.own
        if row.stage in declared and (parent := declared[row.stage].improves_on) is not None
    )


def _attribution(
    ladder: LadderView,
    row: LadderRow,
    declared_parent: str,
    promises: tuple[Promise, ...],
    counted: CountedAttribution | None,
) -> Attribution:
    beside = ladder.row(row.parent) if row.parent else None
    return Attribution(
        row=row,
        declared_parent=declared_parent,
        parent=row.parent,
        parent_s=_believable_s(beside),
        own_s=_believable_s(row),
        promises=promises,
        counted=counted,
    )


def _believable_s(row: LadderRow | None) -> float | None:
    if row is None or row.shown is None or row.quarantined:
        return None
    return row.shown.median_s
