"""Traps judged on constructed evidence, through the store, the page and the interface."""

from __future__ import annotations

from dataclasses import replace

from fastapi.testclient import TestClient

from app.domain.measurement import CellKey, CellOutcome, Measurement, Samples
from app.domain.run import Run
from app.domain.vocabulary import Arithmetic, BackendName, CacheState, CellStatus, Dtype, Health
from app.kernels import registry
from app.storage.store import Store
from tests.ladders import cpu_run, gpu_run, keep_own, samples_of

Finding = tuple[str, str, CellStatus, str]


def key_of(problem: str, stage: str) -> CellKey:
    return CellKey(problem, stage, registry.problem(problem).suite_sizes[0], Dtype.FLOAT32)


def timed(like: Measurement, key: CellKey, median_s: float, *reasons: str) -> Measurement:
    return replace(
        like,
        key=key,
        reference=False,
        arithmetic=Arithmetic.NONE,
        median_s=median_s,
        ci_low_s=median_s,
        ci_high_s=median_s,
        flop=0,
        health=Health.QUARANTINED if reasons else Health.OK,
        health_reasons=reasons,
    )


def imported(store: Store, *findings: Finding, unpadded_s: float = 3e-3) -> int:
    run, samples = gpu_run()
    like = next(m for m in run.measurements if m.cache is CacheState.COLD and not m.reference)
    slow = [
        timed(like, key_of("trap_tile", "padded_tile"), 1e-3),
        timed(like, key_of("trap_tile", "unpadded_tile"), unpadded_s),
        timed(
            like, key_of("trap_copy", "no_synchronisation"), 3e-6, "the clock stopped before the kernel did"
        ),
    ]
    outcomes = [CellOutcome(m.key, CellStatus.MEASURED) for m in slow]
    outcomes += [CellOutcome(key_of(problem, stage), status, why) for problem, stage, status, why in findings]
    changed: Run = replace(
        run, measurements=run.measurements + tuple(slow), outcomes=run.outcomes + tuple(outcomes)
    )
    of_like = next(s for s in samples if (s.key, s.cache) == (like.key, like.cache))
    new: list[Samples] = [replace(of_like, key=m.key) for m in slow]
    return store.import_run(changed, [*samples_of(changed, samples), *new])[0]


def test_each_trap_is_judged_by_what_the_product_said(client: TestClient, store: Store) -> None:
    run_id = imported(
        store,
        ("trap_zeros", "zero_inputs", CellStatus.FAILED, "The input x is all zeros: draw random inputs."),
        ("trap_matmul", "tile_without_edge", CellStatus.MEASURED, ""),
        ("trap_copy", "wrong_architecture", CellStatus.FAILED, "something else"),
    )
    body = client.get("/api/v1/traps").json()
    found = {one["stage"]: one for one in body["items"]}
    assert found["zero_inputs"]["verdict"] == "caught"
    assert found["zero_inputs"]["run_id"] == run_id
    assert found["no_synchronisation"]["verdict"] == "caught"
    assert found["unpadded_tile"]["verdict"] == "caught"
    assert "32 wavefronts where 1 would do" in found["unpadded_tile"]["said"]
    assert "3.0 times" in found["unpadded_tile"]["said"]
    assert found["tile_without_edge"]["verdict"] == "not_caught", "a wrong result that was timed"
    assert found["wrong_architecture"]["verdict"] == "not_caught", "the wrong words"
    assert found["divergent_barrier"]["verdict"] == "not_run"
    assert sum(body["counts"].values()) == len(found) == 8
    assert "padded_tile" not in found, "the control is no trap"


def test_an_unpadded_tile_that_costs_nothing_is_not_found(client: TestClient, store: Store) -> None:
    imported(store, unpadded_s=1.05e-3)
    found = {one["stage"]: one for one in client.get("/api/v1/traps").json()["items"]}
    assert found["unpadded_tile"]["verdict"] == "not_caught"


def test_the_page_shows_the_words_and_the_run(client: TestClient, store: Store) -> None:
    assert client.get("/traps").status_code == 200
    run_id = imported(store)
    text = client.get("/traps").text
    assert "the clock stopped before the kernel did" in text
    assert f'href="/runs/{run_id}"' in text
    assert client.get("/traps?device=nobody").status_code == 422


def test_a_cpu_runs_three_and_says_what_the_others_need(client: TestClient, store: Store) -> None:
    run, samples = cpu_run()
    keep_own(store, run, samples)
    items = client.get("/api/v1/traps").json()["items"]
    assert sum(one["said"] == "needs an NVIDIA GPU" for one in items) == 5
    assert len(registry.stages("trap_matmul", BackendName.CPU)) == 2


def test_traps_stand_in_no_ladder(client: TestClient) -> None:
    assert not [one for one in client.get("/api/v1/ladders").json()["items"] if "trap" in one["name"]]
    assert client.get("/api/v1/ladders/trap_copy").status_code == 404
