"""What counters say of a rung against its parent, and of what binds a kernel; on captures of an H200."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.analysis.attribution import Outcome, attribute
from app.analysis.bottleneck import Bottleneck, Resource, agrees, bottleneck
from app.domain.errors import NotCollectedError
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.promise import Counted, less, more
from tests import ncu_captures as captured
from tests.ncu_captures import Capture, counted


@pytest.mark.parametrize(
    ("capture", "resource"),
    [
        (captured.CONFLICT, Resource.SHARED),
        (captured.PADDED, Resource.DRAM),
        (captured.SCALAR_COPY, Resource.LATENCY),
        (captured.VECTOR_COPY, Resource.DRAM),
        (captured.NAIVE_GEMM, Resource.L1),
        (captured.TILED_GEMM, Resource.SHARED),
        (captured.REGISTER_TILE, Resource.SHARED),
        (captured.DOUBLE_BUFFER, Resource.LATENCY),
        (captured.FULL_FMA, Resource.ISSUE),
    ],
)
def test_the_bottleneck_of_a_captured_kernel(capture: Capture, resource: Resource) -> None:
    found = bottleneck(captured.evidence(capture))
    assert found is not None
    assert found.resource is resource


def test_latency_names_what_is_waited_for() -> None:
    found = bottleneck(captured.evidence(captured.SCALAR_COPY))
    assert found is not None
    assert found.stall is Counter.STALL_LONG_SCOREBOARD


def test_too_few_blocks_bind_before_latency_does() -> None:
    found = bottleneck(KernelEvidence("k", counted(grid_blocks=16, multiprocessors=132, stall_wait=1.0)))
    assert found is not None
    assert found.resource is Resource.FEW_BLOCKS


def test_without_counters_nothing_is_said_of_the_bottleneck() -> None:
    assert bottleneck(KernelEvidence("k")) is None


def test_padding_took_the_conflicts_away_and_that_explains_the_speed_up() -> None:
    found = attribute(
        captured.evidence(captured.CONFLICT),
        captured.evidence(captured.PADDED),
        (less(Counted.BANK_CONFLICTS), less(Counted.SHARED_WAVEFRONTS, 1 / 16.5), less(Counted.INSTRUCTIONS)),
    )
    assert found.speed_up == pytest.approx(2.248, abs=0.001)
    assert [one.outcome for one in found.promises] == [Outcome.KEPT, Outcome.KEPT, Outcome.BROKEN]
    assert found.share_explained == 1
    assert found.sentence == (
        "It is 2.25 times as fast as transpose_conflict: bank conflicts all but vanished, as promised, and "
        "shared-memory wavefronts fell to 6%, as promised, and instructions stayed as they were, against the "
        "promise; relief of what bound transpose_conflict, shared memory, explains all of the speed-up; "
        "now DRAM bandwidth bounds it, at 83%."
    )


def test_wider_loads_shorten_the_waiting() -> None:
    scalar, vector = captured.evidence(captured.SCALAR_COPY), captured.evidence(captured.VECTOR_COPY)
    found = attribute(scalar, vector, (less(Counted.GLOBAL_REQUESTS, 1 / 4),))
    assert found.promises[0].factor == 0.25
    assert found.share_explained == pytest.approx(0.97, abs=0.03)


def test_what_did_not_bind_explains_nothing() -> None:
    found = attribute(
        captured.evidence(captured.REGISTER_TILE),
        captured.evidence(captured.WMMA),
        (more(Counted.TENSOR_PIPE_USE), more(Counted.TENSOR_INSTRUCTIONS), less(Counted.LAUNCHES)),
    )
    outcomes = [one.outcome for one in found.promises]
    assert outcomes == [Outcome.KEPT, Outcome.NOT_COLLECTED, Outcome.NOT_COLLECTED]
    assert "sm__inst_executed_pipe_tensor.sum" in found.promises[1].reason
    assert found.share_explained == 0


def test_the_right_way_by_another_factor_is_told_apart() -> None:
    conflict, padded = captured.evidence(captured.CONFLICT), captured.evidence(captured.PADDED)
    found = attribute(conflict, padded, (less(Counted.SHARED_WAVEFRONTS, 1 / 32),))
    assert found.promises[0].outcome is Outcome.OTHER_FACTOR


def test_a_slower_rung_has_no_speed_up_to_explain() -> None:
    conflict, padded = captured.evidence(captured.CONFLICT), captured.evidence(captured.PADDED)
    found = attribute(replace(padded, stage="tile33"), conflict, ())
    assert found.share_explained is None
    assert found.sentence.startswith("It takes 2.25 times as long as tile33")


def test_without_durations_nothing_is_attributed() -> None:
    with pytest.raises(NotCollectedError, match="not collected"):
        attribute(KernelEvidence("a"), KernelEvidence("b"), ())


@pytest.mark.parametrize(
    ("claimed", "resource", "agreed"),
    [
        ("DRAM bandwidth", Resource.L1, False),
        ("Shared-memory read bandwidth", Resource.SHARED, True),
        ("Issue and load latency", Resource.LATENCY, True),
        ("FP32 limit", Resource.ISSUE, True),
        ("Traffic still huge", Resource.SHARED, False),
        ("somebody's mood", Resource.DRAM, None),
    ],
)
def test_a_claimed_bottleneck_is_held_against_the_computed_one(
    claimed: str, resource: Resource, agreed: bool | None
) -> None:
    assert agrees(claimed, Bottleneck(resource, 0.9)) is agreed
