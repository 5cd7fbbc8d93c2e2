"""One plan on one backend from the first message to the last."""

from __future__ import annotations

from collections.abc import Callable

from app.backends import ceilings, datasheet
from app.backends.backend import Backend
from app.backends.benchmark import Benchmark
from app.backends.monitor import StateLog
from app.backends.result import Roofs
from app.domain.child_messages import CeilingMeasured, ChildMessage, Done, Plan, Probed
from app.domain.vocabulary import Provenance


def run_plan(backend: Backend, plan: Plan, emit: Callable[[ChildMessage], None], seed: int) -> None:
    """Probe, find the roofs, measure every cell, say Done. `seed` draws inputs and order of rounds.

    Raises what Benchmark.run raises; Done is then not sent.
    """
    device = backend.device()
    environment, capabilities = backend.environment(), tuple(backend.capabilities())
    emit(Probed(device, environment, capabilities, backend.state()))
    if not plan.probe_only:
        with StateLog(backend.state, backend.state_period_s) as log:
            roofs = datasheet.from_datasheet(device)
            if plan.measure_ceilings:
                roofs += ceilings.measured(backend, log, emit, seed)
            else:
                roofs += tuple(c for c in plan.known_ceilings if c.source is Provenance.MEASURED)
            for ceiling in roofs:
                emit(CeilingMeasured(ceiling))
            Benchmark(backend, plan, Roofs(device, roofs), log, emit, seed).run()
    emit(Done())
