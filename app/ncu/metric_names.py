"""The one table from concept to the names that Nsight Compute has for it, by version and chip.

Sources of a counter stand in order of preference: the metric itself (raw pages, report files), what it can be
computed from, then labels of the details page, newest first.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.kernel_evidence import Counter
from app.ncu.memory_metrics import MEMORY, SHARED_AND_LOCAL
from app.ncu.metric_shapes import Concept
from app.ncu.metric_source import Derived
from app.ncu.work_metrics import LAUNCH, STALLS, WORK

CONCEPTS: Mapping[Counter, Concept] = {**MEMORY, **SHARED_AND_LOCAL, **LAUNCH, **WORK, **STALLS}


def metric_to_ask_for(counter: Counter, compute_capability: tuple[int, int]) -> str:
    """The name (or names, by commas) to request for a counter on that chip.

    A derived counter asks for what its parts need.
    """
    sources = CONCEPTS[counter].sources
    for source in sources:
        if source.ask and source.since <= compute_capability:
            return source.ask
    parts = next((s.counters for s in sources if isinstance(s, Derived)), ())
    asked = (metric_to_ask_for(part, compute_capability) for part in parts)
    return ",".join(dict.fromkeys(name for names in asked for name in names.split(",")))
