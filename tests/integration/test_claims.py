"""Claims judged on constructed evidence, through the store, the page and the interface."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fastapi.testclient import TestClient
from sqlalchemy import Engine, event

from app.claims.published import Found, Judged, Missing
from app.domain.run import Run
from app.domain.vocabulary import CellStatus, Health, Metric, Provenance, RunStatus, Verdict
from app.services.capsule import import_capsule
from app.services.claims_view import ClaimFilter, claims_view
from app.services.ladder_rows import LadderChoice
from app.services.stage_view import stage_view
from app.storage.store import Store
from tests.ladders import cpu_run, gpu_run, keep_own, samples_of, without

EVERYTHING = ClaimFilter()
CAPSULES = Path(__file__).parents[2] / "capsules"


def judged(store: Store, slug: str) -> Judged:
    return next(one for one in claims_view(store, None, EVERYTHING).shown if one.claim.id == slug)


def imported(store: Store, change: Callable[[Run], Run] = lambda run: run) -> int:
    run, samples = gpu_run()
    changed = change(run)
    return store.import_run(changed, samples_of(changed, samples))[0]


def test_a_claim_is_judged_by_what_was_measured(store: Store) -> None:
    run_id = imported(store)
    order = judged(store, "matmul-order")
    assert order.verdict is Verdict.HOLDS
    assert isinstance(order.found, Found)
    assert order.found.provenance is Provenance.MEASURED
    assert order.found.run_ids == (run_id,)
    assert order.found.imported
    tile = judged(store, "matmul-block-tile-ten-times")
    assert tile.verdict is Verdict.DOES_NOT_HOLD
    assert isinstance(tile.found, Found)
    assert round(tile.found.value, 2) == 1.45


def test_the_order_fails_where_a_rung_is_slower(store: Store) -> None:
    def slow(run: Run) -> Run:
        return replace(
            run,
            measurements=tuple(
                replace(m, median_s=9.0) if m.key.stage == "double_buffer" else m for m in run.measurements
            ),
        )

    imported(store, slow)
    assert judged(store, "matmul-order").verdict is Verdict.DOES_NOT_HOLD


def test_what_was_never_measured_says_what_would_measure_it(store: Store) -> None:
    imported(store, lambda run: without(run, "naive", CellStatus.FAILED, "The child died."))
    order = judged(store, "matmul-order")
    assert order.verdict is Verdict.NOT_MEASURABLE
    assert isinstance(order.found, Missing)
    assert "The child died." in order.found.reason
    assert "m=4096,n=4096,k=4096" in order.found.remedy


def test_a_quarantined_number_decides_nothing(store: Store) -> None:
    def quarantine(run: Run) -> Run:
        return replace(
            run, measurements=tuple(replace(m, health=Health.QUARANTINED) for m in run.measurements)
        )

    imported(store, quarantine)
    tile = judged(store, "matmul-block-tile-ten-times")
    assert isinstance(tile.found, Missing)
    assert "quarantined" in tile.found.reason


def test_arithmetic_alone_finds_ten_figures_impossible(store: Store) -> None:
    run, samples = cpu_run()
    keep_own(store, run, samples)
    view = claims_view(store, None, EVERYTHING)
    assert view.counts[Verdict.IMPOSSIBLE] >= 10
    assert {one.verdict for one in view.shown if one.claim.look.cells} == {Verdict.NOT_MEASURABLE}


def test_the_interface_filters_and_counts(client: TestClient, store: Store) -> None:
    run_id = imported(store)
    everything = client.get("/api/v1/claims").json()
    assert everything["device_name"] == "Synthetic GPU"
    assert sum(everything["counts"].values()) == len(everything["items"])
    some = client.get("/api/v1/claims?verdict=does_not_hold&section=statements").json()
    assert some["counts"] == everything["counts"]
    assert 0 < len(some["items"]) < everything["counts"]["does_not_hold"]
    assert {(c["verdict"], c["section"]) for c in some["items"]} == {("does_not_hold", "statements")}
    tile = next(c for c in some["items"] if c["id"] == "matmul-block-tile-ten-times")
    assert tile["run_ids"] == [run_id]
    assert tile["rule"] == "holds if at least 10×"
    assert client.get("/api/v1/claims?verdict=maybe").status_code == 422
    missing = client.get("/api/v1/claims?device=nobody")
    assert missing.status_code == 422
    assert "Synthetic GPU" in missing.text


def test_without_evidence_nothing_is_judged(client: TestClient) -> None:
    assert client.get("/api/v1/claims").json()["items"] == []
    page = client.get("/claims")
    assert page.status_code == 200
    assert "No device has measurements yet" in page.text


def test_the_page_links_each_verdict_to_its_run(client: TestClient, store: Store) -> None:
    run_id = imported(store)
    text = client.get("/claims").text
    assert 'id="matmul-order"' in text
    assert f'href="/runs/{run_id}"' in text
    narrowed = client.get("/claims?verdict=impossible").text
    assert 'id="banks-stride-8"' in narrowed
    assert 'id="matmul-order"' not in narrowed


def test_the_page_switches_between_devices(client: TestClient, store: Store) -> None:
    imported(store)
    run, samples = cpu_run()
    keep_own(store, run, samples)
    other = client.get("/claims?device=cpu-synthetic").text
    assert "each tested on Synthetic CPU 2c" in other
    assert client.get("/claims?device=nobody").status_code == 422


def test_the_number_of_queries_does_not_grow_with_runs(client: TestClient, store: Store) -> None:
    imported(store)
    few = _queries(lambda: client.get("/claims"))
    for uid in "def012345":
        run, samples = gpu_run(uid=uid * 32)
        store.import_run(run, samples)
    assert _queries(lambda: client.get("/claims")) == few


def _queries(call: Callable[[], object]) -> int:
    count = 0

    def seen(*_: object) -> None:
        nonlocal count
        count += 1

    event.listen(Engine, "before_cursor_execute", seen)
    try:
        call()
    finally:
        event.remove(Engine, "before_cursor_execute", seen)
    return count


def test_the_bundled_run_decides_against_at_least_ten_figures(store: Store) -> None:
    import_capsule(store, (CAPSULES / "h200-matmul-fp32.capsule.zip").read_bytes())
    counts = claims_view(store, None, EVERYTHING).counts
    assert counts[Verdict.DOES_NOT_HOLD] + counts[Verdict.IMPOSSIBLE] >= 10
    assert judged(store, "matmul-order").verdict is Verdict.HOLDS
    assert judged(store, "matmul-block-tile-ten-times").verdict is Verdict.DOES_NOT_HOLD


def test_every_bundled_run_is_finished_and_measured_most_of_its_cells(store: Store) -> None:
    for capsule in sorted(CAPSULES.glob("*.capsule.zip")):
        run = store.run(import_capsule(store, capsule.read_bytes()).run_id)
        measured = [o for o in run.outcomes if o.status is CellStatus.MEASURED]
        of_traps = all(name.startswith("trap_") for name in run.selection.problems)
        assert run.summary.status is RunStatus.FINISHED, capsule.name
        assert run.measurements, capsule.name
        broken = [o for o in run.outcomes if o.status in (CellStatus.FAILED, CellStatus.WRONG_RESULT)]
        assert of_traps or not broken, capsule.name
        assert of_traps or len(measured) >= 0.7 * len(run.outcomes), capsule.name


def test_the_bundled_runs_decide_most_figures_of_the_lab(store: Store) -> None:
    """What an H200 did: at least 45 judged, and the ones that the lectures got wrong are said to be wrong."""
    for capsule in sorted(CAPSULES.glob("*.capsule.zip")):
        import_capsule(store, capsule.read_bytes())
    counts = claims_view(store, None, EVERYTHING).counts
    assert sum(counts.values()) - counts[Verdict.NOT_MEASURABLE] >= 100
    assert counts[Verdict.DOES_NOT_HOLD] + counts[Verdict.IMPOSSIBLE] >= 30


def test_a_stage_page_judges_its_figures_by_the_same_rules(store: Store) -> None:
    run_id = imported(store)
    view = stage_view(store, run_id, "register_tile", LadderChoice(size_key="m=4096,n=4096,k=4096"))
    verdicts = {figure.claim.metric: figure.verdict for figure in view.figures}
    assert verdicts[Metric.ROOF_FRACTION] is judged(store, "matmul-register-tile-share").verdict
    assert verdicts[Metric.INTENSITY] is judged(store, "matmul-register-tile-intensity").verdict
    assert verdicts[Metric.FLOP_PER_S] is None
    assert verdicts[Metric.BOTTLENECK] is None
