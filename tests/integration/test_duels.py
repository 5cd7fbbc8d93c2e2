"""A duel from the request to the page: over a real service, in the store, in a capsule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.domain.duel import Duel, DuelBlock, DuelPair
from app.domain.errors import InvalidInputError, UnsupportedCapsuleError
from app.domain.run import Run
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Regime
from app.kernels.cells import cells_of
from app.services.capsule import pack, unpack
from app.services.selection import SelectionRequest, check_selection
from app.storage.store import Store
from tests.examples import cpu_worker, imported_run, key, samples, selection
from tests.integration.service import roofladder

CPU = {"ROOFLADDER_FIRST_BENCHMARK": "false", "COLUMNS": "160"}


def duel(regime: Regime = Regime.BURST, ratio: float = 1.03) -> Duel:
    size = key().size
    pairs = tuple(
        DuelPair(DuelBlock(1e-3, 8, 1.98e9, 655.0), DuelBlock(ratio * 1e-3, 8, 1.9e9, 690.5), i % 2 == 0)
        for i in range(10)
    )
    return Duel(
        problem="matmul",
        size=size,
        dtype=Dtype.FLOAT32,
        arithmetic=Arithmetic.FP32,
        regime=regime,
        own="register_tile",
        library="cublas",
        library_call="cuBLAS 13.1.0 cublasSgemm",
        flop=2 * 1024**3,
        pairs=pairs,
    )


def run_with(*duels: Duel, uid: str = "a" * 32) -> Run:
    return replace(imported_run(uid), duels=duels)


def packed(run: Run) -> bytes:
    return pack(run, [samples(m) for m in run.measurements])


def test_duels_are_kept_and_the_newest_of_each_is_found(store: Store) -> None:
    first = run_with(duel(), duel(Regime.SUSTAINED), uid="a" * 32)
    second = run_with(duel(ratio=1.07), uid="b" * 32)
    ids = [store.import_run(run, [samples(m) for m in run.measurements])[0] for run in (first, second)]

    assert store.run(ids[0]).duels == first.duels
    newest = store.newest_duels("matmul", BackendName.CUDA)
    assert [(one.run_id, one.duel) for one in newest] == [
        (ids[1], duel(ratio=1.07)),
        (ids[0], duel(Regime.SUSTAINED)),
    ]
    assert store.newest_duels("matmul", BackendName.CPU) == []
    store.add_duel(ids[1], duel(ratio=0.9))
    assert store.run(ids[1]).duels == (duel(ratio=0.9),)
    store.delete_run(ids[1])
    assert len(store.newest_duels("matmul", BackendName.CUDA)) == 2


def test_a_capsule_carries_duels_and_one_that_cannot_be_is_refused() -> None:
    run, _ = unpack(packed(run_with(duel())))
    assert run.duels == (duel(),)
    impossible = replace(duel(), pairs=(DuelPair(DuelBlock(-1.0, 8), DuelBlock(1.0, 8), True),))
    for wrong in (impossible, replace(duel(), pairs=()), replace(duel(), own="<b>")):
        with pytest.raises(UnsupportedCapsuleError):
            unpack(packed(run_with(wrong)))


def test_library_lines_take_part_in_a_duel_whatever_stages_are_named() -> None:
    named = selection(stages=("naive",), duel=(Regime.BURST,))
    assert {cell.stage for cell in cells_of(named)} == {"naive", "cublas", "cublaslt"}
    assert {cell.stage for cell in cells_of(replace(named, duel=()))} == {"naive"}


@pytest.mark.parametrize(
    ("problem", "regimes", "said"),
    [("matmul", ("single",), "not a regime of a duel"), ("transpose", ("burst",), "nobody to duel with")],
)
def test_a_duel_that_cannot_be_fought_is_refused(problem: str, regimes: tuple[str, ...], said: str) -> None:
    worker = replace(cpu_worker(), device=replace(cpu_worker().device, backend=BackendName.CUDA))
    request = SelectionRequest((problem,), backend="cuda", duel=regimes)
    sizes = {} if problem == "transpose" else {"sizes": (key().size,), "dtypes": ("float32",)}
    with pytest.raises(InvalidInputError, match=said):
        check_selection(replace(request, **sizes), [worker])  # type: ignore[arg-type]


def test_pages_and_rest_show_each_duel(client: TestClient) -> None:
    run_id = client.post(
        "/api/v1/runs/import", content=packed(run_with(duel())), headers={"Content-Type": "application/zip"}
    ).json()["run_id"]
    told = client.get(f"/api/v1/runs/{run_id}").json()["duels"]
    assert len(told) == 1
    assert told[0]["ratio"] == pytest.approx(1.03)
    assert len(told[0]["pairs"]) == 10
    assert told[0]["own_side"]["power_w"] == 655.0
    for page in (f"/runs/{run_id}", "/ladders/matmul"):
        text = client.get(page).text
        assert "Duels" in text
        assert "1.030" in text
        assert "register_tile" in text


@pytest.mark.chaos
@pytest.mark.timeout(120)
def test_a_duel_is_fought_by_command(tmp_path: Path) -> None:
    words = ("run", "matmul", "--size", "64", "--stage", "numpy_tiles", "--duel", "burst", "--backend", "cpu")
    done = roofladder(tmp_path, *words, **CPU)
    assert done.returncode == 0, done.stderr
    assert "Duels: speed of own over library" in done.stdout
    assert "numpy_tiles" in done.stdout
    assert "blas" in done.stdout


def test_duels_are_narrowed_to_a_regime_and_a_type(client: TestClient) -> None:
    run_id = client.post(
        "/api/v1/runs/import",
        content=packed(run_with(duel(), duel(Regime.SUSTAINED, ratio=0.5))),
        headers={"Content-Type": "application/zip"},
    ).json()["run_id"]
    for page in (f"/runs/{run_id}", "/ladders/matmul"):
        both = client.get(page).text
        assert "1.030" in both
        assert "0.500" in both
        burst = client.get(page, params={"regime": "burst"}).text
        assert "1.030" in burst
        assert "0.500" not in burst


def test_a_ladder_shows_one_element_type_at_a_time(client: TestClient) -> None:
    first = client.get("/ladders/tensor_matmul").text
    assert "split_k_fp16" in first
    assert "split_k_bf16" not in first
    assert "split_k_bf16" in client.get("/ladders/tensor_matmul", params={"dtype": "bfloat16"}).text


def test_a_rung_shows_what_it_promised_and_that_nothing_was_counted(client: TestClient) -> None:
    run_id = client.post(
        "/api/v1/runs/import", content=packed(run_with()), headers={"Content-Type": "application/zip"}
    ).json()["run_id"]
    text = client.get(f"/runs/{run_id}").text
    assert "Promised and gained" in text
    assert "counters not captured" in text
