"""Whether duels that a caller asks for can be fought."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.duel import DUEL_REGIMES
from app.domain.errors import InvalidInputError
from app.domain.vocabulary import BackendName, Regime
from app.kernels.problem import Problem
from app.kernels.registry import stages


def checked_duel(
    regimes: Sequence[str], chosen: Sequence[Problem], backend: BackendName
) -> tuple[Regime, ...]:
    """The regimes, each once, burst first. Raises InvalidInputError for another word or nobody to fight."""
    known = {regime.value: regime for regime in DUEL_REGIMES}
    for i, word in enumerate(regimes):
        if word not in known:
            raise InvalidInputError(
                f"duel[{i}]: {word[:40]!r} is not a regime of a duel; nothing was stored. "
                f"Known: {', '.join(known)}.",
                field=f"duel[{i}]",
            )
    for problem in chosen if regimes else ():
        if not problem.is_ladder or not any(stage.reference for stage in stages(problem.name, backend)):
            raise InvalidInputError(
                f"{problem.name} has no library line on {backend}, so there is nobody to duel with; "
                "nothing was stored. Leave duel out.",
                field="duel",
            )
    return tuple(regime for regime in DUEL_REGIMES if regime.value in regimes)
