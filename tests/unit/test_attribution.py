"""Promises beside the change of time: from synthetic runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.domain.promise import Counted, less
from app.domain.vocabulary import Health
from app.services.attribution import attributions
from app.services.ladder_rows import ladder_of
from app.web.sentences import promise_text
from tests import ladders


def test_each_rung_stands_beside_its_parent_with_the_change_of_its_time() -> None:
    ladder = ladder_of(ladders.gpu_run()[0])
    assert ladder is not None
    found = {one.row.stage: one for one in attributions(ladder)}
    assert "naive" not in found, "the first rung improves on nothing"
    assert "cublas" not in found, "a library line promises nothing"
    tile = found["block_tile"]
    assert tile.declared_parent == tile.parent == "coalesced"
    assert tile.time_change == pytest.approx(6.2 / 9.0 - 1, abs=0.02)
    assert tile.promises
    assert tile.share_explained is None


def test_a_number_that_cannot_be_true_gives_no_change() -> None:
    run = ladders.gpu_run()[0]
    doubted = tuple(
        replace(m, health=Health.QUARANTINED) if m.key.stage == "coalesced" else m for m in run.measurements
    )
    ladder = ladder_of(replace(run, measurements=doubted))
    assert ladder is not None
    found = {one.row.stage: one for one in attributions(ladder)}
    assert found["coalesced"].time_change is None
    assert found["block_tile"].time_change is None


def test_a_parent_without_a_number_is_named_beside_the_one_that_stands_in() -> None:
    run = ladders.gpu_run()[0]
    kept = tuple(m for m in run.measurements if m.key.stage != "coalesced")
    ladder = ladder_of(replace(run, measurements=kept))
    assert ladder is not None
    tile = next(one for one in attributions(ladder) if one.row.stage == "block_tile")
    assert (tile.declared_parent, tile.parent, tile.compared_with_other) == ("coalesced", "naive", "naive")


def test_a_promise_in_words() -> None:
    assert promise_text(less(Counted.GLOBAL_SECTORS, 0.25)) == "↓ sectors a global request ×0.25"
    assert promise_text(less(Counted.LOAD_STALLS)) == "↓ stalls on loads"
