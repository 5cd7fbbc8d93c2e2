"""Figures: valid, small, in the colours of the theme, every name harmless, every point a permalink."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.domain.errors import NotFoundError
from app.domain.measurement import Ceiling
from app.domain.vocabulary import Arithmetic, CellStatus, Health, Provenance
from app.kernels.experiment import experiments
from app.services.lab_view import ExperimentView
from app.storage.store import Store
from app.web.charts.chart import ChartRequest, Figure, chart, charts
from app.web.charts.experiment_frame import axis_text
from app.web.charts.experiment_lines import _ticks
from app.web.charts.label_placing import place_chips, place_labels, spread
from app.web.charts.palette import DARK, LIGHT
from tests import ladders

NAMES = ("ladder", "roofline", "samples")
MOST_BYTES = 150_000


@pytest.fixture
def gpu(store: Store) -> int:
    return store.import_run(*ladders.gpu_run())[0]


def draw(store: Store, name: str, run_id: int, **more: Any) -> Figure:
    return chart(name).build(store, ChartRequest(run_id, **more))


def texts(figure: Figure) -> str:
    return " ".join(note["text"] for note in figure.layout["annotations"])


def flat_roofs(figure: Figure) -> list[float]:
    roofs = [shape for shape in figure.layout["shapes"] if shape["line"]["color"] == LIGHT.roof]
    return sorted({shape["y0"] for shape in roofs if shape["y0"] == shape["y1"]})


def test_charts_are_found_by_their_folder() -> None:
    assert sorted(charts()) == sorted(NAMES)
    with pytest.raises(NotFoundError, match="ladder"):
        chart("pie")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [300, 720, 1400])
def test_every_figure_is_valid_for_plotly(store: Store, gpu: int, name: str, width: int) -> None:
    body = draw(store, name, gpu, width_px=width, with_warm=True).as_json()
    assert "template" not in body["layout"]
    assert len(json.dumps(body)) < MOST_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_a_logarithmic_and_a_cacheless_view_are_valid_too(store: Store, gpu: int, name: str) -> None:
    for view in ("no_cache", "l2", "shared"):
        draw(store, name, gpu, log_axis=True, view=view).as_json()


def test_thousands_of_samples_stay_small(store: Store) -> None:
    run, samples = ladders.gpu_run((4096,))
    many = [replace(s, durations_s=s.durations_s * 49, sm_clock_hz=()) for s in samples]
    run = replace(run, measurements=tuple(replace(m, n=41 * 49) for m in run.measurements))
    run_id = store.import_run(run, many)[0]
    figure = draw(store, "samples", run_id)
    assert all(len(trace["x"]) <= 400 for trace in figure.data)
    assert len(json.dumps(figure.as_json())) < MOST_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_colours_are_those_of_the_theme(store: Store, gpu: int, name: str) -> None:
    light, dark = draw(store, name, gpu, palette=LIGHT), draw(store, name, gpu, palette=DARK)
    assert light.layout["paper_bgcolor"] == "#FFFFFF"
    assert dark.layout["paper_bgcolor"] == "#14181F"
    assert LIGHT.bar not in json.dumps(dark.as_json())


@pytest.mark.parametrize("name", NAMES)
def test_every_walked_point_links_to_its_stage(store: Store, gpu: int, name: str) -> None:
    figure = draw(store, name, gpu)
    hrefs = [figure.data[trace]["customdata"][point][0] for trace, point in figure.walk]
    assert hrefs[0].startswith(f"/runs/{gpu}/stages/naive?")
    assert all("size=m=4096,n=4096,k=4096" in href for href in hrefs)
    assert len(hrefs) == 6


@pytest.mark.parametrize("name", NAMES)
def test_a_name_cannot_become_markup(store: Store, name: str) -> None:
    run, samples = ladders.gpu_run((1024,))
    hostile = "<a href='https://elsewhere.example'>x</a>"

    def renamed(key: Any) -> Any:
        return replace(key, stage=hostile) if key.stage == "naive" else key

    run = replace(
        run,
        measurements=tuple(replace(m, key=renamed(m.key)) for m in run.measurements),
        outcomes=tuple(replace(o, key=renamed(o.key)) for o in run.outcomes),
    )
    run_id = store.import_run(run, [replace(s, key=renamed(s.key)) for s in samples])[0]
    assert "<a " not in json.dumps(draw(store, name, run_id).as_json())


def test_the_ladder_says_step_library_and_roof(store: Store, gpu: int) -> None:
    said = texts(draw(store, "ladder", gpu, width_px=900))
    for part in ("×12.4", "to go", "cuBLAS 50.0", "FP32 roof: <b>64.8</b> measured, 66.9 data sheet"):
        assert part in said


def test_a_wrong_and_a_failed_rung_keep_their_place_without_a_bar(store: Store) -> None:
    run, samples = ladders.cpu_run((512,))
    run = ladders.without(run, "reordered", CellStatus.WRONG_RESULT, "Largest relative error 0.41.")
    run = ladders.without(run, "threaded", CellStatus.FAILED, "illegal address at block (31, 0)")
    run_id = store.import_run(run, ladders.samples_of(run, samples))[0]
    figure = draw(store, "ladder", run_id, width_px=900)
    assert len(figure.layout["yaxis"]["ticktext"]) == 7
    assert len(figure.data[0]["x"]) == 5
    assert "wrong result: not timed" in texts(figure)
    assert "failed: illegal address at block (31, 0)" in texts(figure)


def test_a_rung_slower_than_its_parent_says_so(store: Store) -> None:
    run, samples = ladders.gpu_run((1024,))
    slow = {"double_buffer": 1.5}
    measurements = tuple(
        replace(m, flop=round(m.flop / slow.get(m.key.stage, 1.0))) for m in run.measurements
    )
    run_id = store.import_run(replace(run, measurements=measurements), samples)[0]
    figure = draw(store, "ladder", run_id)
    assert "↓ ×0.8" in texts(figure)
    assert LIGHT.warn in figure.data[0]["marker"]["color"]


def test_a_point_above_its_roof_wears_a_red_ring(store: Store) -> None:
    run, samples = ladders.gpu_run((1024,))
    measurements = tuple(
        replace(m, health=Health.QUARANTINED if m.key.stage == "naive" else m.health)
        for m in run.measurements
    )
    run_id = store.import_run(replace(run, measurements=measurements), samples)[0]
    assert draw(store, "roofline", run_id).data[0]["marker"]["line"]["color"][0] == LIGHT.bad


def test_roofs_are_solid_where_measured_and_dotted_where_stated(store: Store, gpu: int) -> None:
    lines = draw(store, "roofline", gpu).layout["shapes"]
    dashes = {line["line"]["dash"] for line in lines if line["line"]["color"] == LIGHT.roof}
    assert dashes == {"solid", "2px,2px"}


def test_every_arithmetic_of_a_ladder_has_its_roof_and_no_other(store: Store) -> None:
    run, samples = ladders.gpu_run((1024,))
    measurements = tuple(
        replace(m, arithmetic=Arithmetic.TENSOR_TF32_FP32ACC) if m.key.stage == "double_buffer" else m
        for m in run.measurements
    )
    tensor = tuple(
        Ceiling(name, name, "compute", value, Provenance.MEASURED)
        for name, value in (("tensor_tf32", 430e12), ("tensor_fp16", 860e12))
    )
    changed = replace(run, measurements=measurements, ceilings=(*run.ceilings, *tensor))
    figure = draw(store, "roofline", store.import_run(changed, samples)[0])
    assert flat_roofs(figure) == pytest.approx([64.8, 66.9, 430])
    assert "TF32 tensor <b>430</b> measured" in texts(figure)


def test_a_ladder_of_halves_stands_under_the_tensor_roof_alone(store: Store) -> None:
    run, samples = ladders.gpu_run((1024,))
    halves = Arithmetic.TENSOR_FP16_FP32ACC
    tensor = Ceiling("tensor_fp16", "FP16 tensor", "compute", 860e12, Provenance.MEASURED)
    changed = replace(
        run,
        measurements=tuple(replace(m, arithmetic=halves) for m in run.measurements),
        ceilings=(*run.ceilings, tensor),
    )
    run_id = store.import_run(changed, samples)[0]
    figure = draw(store, "roofline", run_id)
    assert flat_roofs(figure) == pytest.approx([860])
    assert "FP16 tensor <b>860</b> measured" in texts(figure)
    assert "FP16 tensor roof: <b>860</b> measured" in texts(draw(store, "ladder", run_id))


def test_the_warm_pair_is_drawn_only_when_asked_for(store: Store, gpu: int) -> None:
    assert len(draw(store, "roofline", gpu).data) == 1
    assert len(draw(store, "roofline", gpu, with_warm=True).data) == 2


def test_a_run_without_a_ladder_has_no_chart(store: Store, gpu: int) -> None:
    with pytest.raises(NotFoundError):
        draw(store, "ladder", gpu + 1)


def test_chips_that_would_cover_each_other_stand_side_by_side() -> None:
    chips = place_chips([(100, 50), (100, 52), (100, 90)], 17)
    assert [chip.moved for chip in chips] == [True, False, False]
    assert abs(chips[0].x - chips[1].x) >= 16


def test_labels_move_apart_and_the_one_without_room_is_dropped() -> None:
    places = place_labels([(0, 100), (0, 95), (0, 94), (0, 20)])
    assert places[0] is not None
    assert places[1] is not None
    assert places[0].y - places[1].y >= 14
    assert places[2] is None
    assert places[3] is not None
    assert places[3].y == 20


def test_labels_keep_off_a_line() -> None:
    [place] = place_labels([(0, 100)], line_at=103)
    assert place is not None
    assert place.y < 95


def test_labels_of_one_column_are_spread_within_the_drawing() -> None:
    assert spread([100, 20], [15, 15], 200) == [100, 20]
    assert spread([50, 51, 0], [15, 15, 45], 200) == [52.5, 67.5, 22.5]
    assert spread([199, 200], [15, 15], 200) == [177.5, 192.5]


def test_working_sets_are_marked_in_their_largest_unit_and_apart() -> None:
    assert _ticks([2**power for power in range(23)], 6, True) == [1, 16, 256, 4096, 2**16, 2**20]
    assert _ticks([1, 2, 3], 12, False) == [1, 2, 3]
    assert _ticks([], 6, True) == []
    view = ExperimentView(experiments()["latency"], ())
    assert [axis_text(view, kib) for kib in (1, 2048)] == ["1\u202fKiB", "2\u202fMiB"]
    assert axis_text(ExperimentView(experiments()["stride"], ()), 32) == "32"
