"""Evidence of one kernel: values, what is missing, and shapes that come from either instrument."""

from __future__ import annotations

import pytest

from app.domain.errors import NotCollectedError
from app.domain.kernel_evidence import (
    STALLS,
    CountedValue,
    Counter,
    Counters,
    KernelEvidence,
    NotCollected,
)

COUNTERS = Counters(
    values={Counter.GRID_BLOCKS: CountedValue(64.0, "block", ("launch__grid_size",))},
    missing={Counter.DRAM_BYTES: NotCollected("dram__bytes.sum")},
)


def test_a_counter_that_was_read_is_its_value() -> None:
    assert COUNTERS.need(Counter.GRID_BLOCKS) == COUNTERS.get(Counter.GRID_BLOCKS) == 64


def test_a_counter_that_was_not_collected_names_the_metric_to_ask_for() -> None:
    assert COUNTERS.get(Counter.DRAM_BYTES) is None
    with pytest.raises(NotCollectedError, match=r"not collected.*--metrics dram__bytes\.sum"):
        COUNTERS.need(Counter.DRAM_BYTES)


def test_a_launch_without_a_shape_takes_the_counted_one() -> None:
    assert KernelEvidence("k", COUNTERS).blocks == 64
    assert KernelEvidence("k", COUNTERS, grid=(2, 3, 4)).blocks == 24
    assert KernelEvidence("k", COUNTERS).block_threads is None


def test_every_stall_is_in_warps_an_issue() -> None:
    assert Counter.STALL_LONG_SCOREBOARD in STALLS
    assert len(STALLS) == 20
