"""Counters by concept: from raw pages of an H200, from labels of the details page, from old names."""

from __future__ import annotations

from array import array
from math import nan

import pytest

from app.domain.kernel_evidence import STALLS, Counter, Counters
from app.domain.report import Columns, LaunchProfile, Metrics
from app.ncu.counters import counters_of
from app.ncu.metric_names import CONCEPTS, metric_to_ask_for
from app.ncu.reading import read_report
from tests import ncu_captures as captured

C = Counter
COUNTED_OTHERWISE = (C.BUSY_MULTIPROCESSOR_FRACTION,)  # means of units there, the whole GPU here


def _counters(*found: tuple[str, str | None, float], capability: str | None = None) -> Counters:
    """Constructed: metrics of (name, section, base value); NaN stands for n/a."""
    names, sections, values = zip(*found, strict=True)
    columns = Columns(names, sections, (None,) * len(names))
    blank = [""] * len(names)
    metrics = Metrics(columns, blank, blank, blank, array("d", values), [1.0] * len(names))
    return counters_of(LaunchProfile(0, 1, "k", compute_capability=capability, metrics=metrics))


def test_every_counter_stands_in_the_table() -> None:
    assert set(CONCEPTS) == set(Counter)


@pytest.mark.parametrize(
    ("capture", "counter", "value"),
    [
        (captured.CONFLICT, C.DURATION_S, 323.936e-6),
        (captured.CONFLICT, C.DRAM_READ_BYTES, 268_466_688),
        (captured.CONFLICT, C.SHARED_LOAD_CONFLICTS, 65_746_967),
        (captured.CONFLICT, C.SHARED_WAVEFRONTS, 69_206_016),
        (captured.CONFLICT, C.SHARED_WAVEFRONTS_IDEAL, 4_194_304),
        (captured.CONFLICT, C.SHARED_BYTES_PER_BLOCK, 32 * 32 * 4),
        (captured.STRIDE_8, C.GLOBAL_LOAD_SECTORS_PER_REQUEST, 32),
        (captured.NAIVE_GEMM, C.FP32_FLOP, 2 * 1024**3),
        (captured.REGISTER_TILE, C.FP32_FLOP, 2 * 4096**3),
        (captured.WMMA, C.TENSOR_FLOP, 2 * 4096**3),
        (captured.WMMA, C.FP32_FLOP, 0),
        (captured.DOUBLE_BUFFER, C.REGISTERS_PER_THREAD, 168),
    ],
)
def test_a_capture_holds_what_the_kernel_does(
    capture: captured.Capture, counter: Counter, value: float
) -> None:
    assert captured.evidence(capture).counters.need(counter) == pytest.approx(value, rel=1e-4)


def test_roofs_of_the_device_follow_from_peaks_and_clocks() -> None:
    counters = captured.evidence(captured.VECTOR_COPY).counters
    assert counters.need(C.DRAM_PEAK_BYTES_PER_S) == pytest.approx(4.81e12, rel=0.01)
    assert counters.need(C.FP32_PEAK_FLOP_PER_S) == pytest.approx(132 * 128 * 2 * 1.973e9, rel=0.01)


@pytest.mark.parametrize("capture", captured.EVERY_CAPTURE, ids=lambda found: f"{found[0]}-{found[1]}")
def test_warps_in_all_states_are_the_active_warps_an_issue(capture: captured.Capture) -> None:
    counters = captured.evidence(capture).counters
    active = counters.need(C.ACTIVE_WARPS_PER_SCHEDULER) / counters.need(C.ISSUE_ACTIVE_FRACTION)
    # Counted in different passes of a short kernel, so not to the last per cent.
    assert sum(counters.need(stall) for stall in STALLS) == pytest.approx(active, rel=0.12)


def test_the_details_page_says_the_same_as_the_raw_page_in_fewer_digits() -> None:
    details = read_report(captured.FOLDER / "bank_conflict_benchmark.details.csv").launches
    for index, launch in enumerate(details):
        short, full = counters_of(launch), captured.evidence(("bank_conflict_benchmark", index)).counters
        shared = [counter for counter in short if counter not in COUNTED_OTHERWISE]
        assert len(shared) >= 30
        for counter in shared:
            assert short.need(counter) == pytest.approx(full.need(counter), rel=0.02, abs=0.006), counter


def test_labels_of_the_details_page_are_told_apart_by_section() -> None:
    counters = _counters(
        ("Memory Throughput", "GPU Speed Of Light Throughput", 89.2),
        ("Memory Throughput", "Memory Workload Analysis", 1.6e12),
        ("Duration", "GPU Speed Of Light Throughput", 323_940.0),
        ("Achieved Occupancy", "Occupancy", 94.45),
    )
    assert counters.need(C.MEMORY_THROUGHPUT_FRACTION) == pytest.approx(0.892)
    assert counters.need(C.DRAM_BYTES_PER_S) == pytest.approx(1.6e12)
    assert counters.need(C.DRAM_BYTES) == pytest.approx(1.6e12 * 323.94e-6)
    assert counters.need(C.ACHIEVED_OCCUPANCY_FRACTION) == pytest.approx(0.9445)


def test_the_first_tool_had_other_labels() -> None:
    counters = _counters(("SOL FB", "GPU Speed Of Light", 40.0), ("SM [%]", "GPU Speed Of Light", 20.0))
    assert counters.need(C.DRAM_THROUGHPUT_FRACTION) == pytest.approx(0.4)
    assert counters.need(C.SM_THROUGHPUT_FRACTION) == pytest.approx(0.2)


def test_bytes_are_counted_under_the_name_that_the_chip_has() -> None:
    counters = _counters(
        ("dram__bytes_read.sum", None, nan), ("dram__bytes_op_read.sum", None, 128.0), capability="12.0"
    )
    assert counters.need(C.DRAM_READ_BYTES) == 128
    assert counters.missing[C.DRAM_WRITE_BYTES].metric == "dram__bytes_op_write.sum"
    assert metric_to_ask_for(C.DRAM_READ_BYTES, (9, 0)) == "dram__bytes_read.sum"


def test_a_derived_counter_says_how_and_from_what() -> None:
    read, written = "dram__sectors_read.sum", "dram__sectors_write.sum"
    found = _counters((read, None, 10.0), (written, None, 6.0)).values[C.DRAM_BYTES]
    assert (found.value, found.formula) == (16 * 32, "dram_read_bytes + dram_write_bytes")
    assert set(found.metrics) == {read, written}


def test_the_same_count_of_two_units_is_never_added() -> None:
    name = "sass_thread_inst_executed_op_ffma_pred_on.sum"
    assert _counters((f"sm__{name}", None, 7.0), (f"smsp__{name}", None, 7.0)).need(C.FFMA_THREADS) == 7


def test_parts_of_tensor_operations_do_not_count_beside_their_total() -> None:
    counters = _counters(
        ("sm__ops_path_tensor_src_bf16_dst_fp32.sum", None, 100.0),
        ("sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum", None, 100.0),
        ("sm__ops_path_tensor_src_fp8_sparsity_off.sum", None, 8.0),
        ("sm__ops_path_tensor_src_fp8_sparsity_on.sum", None, 4.0),
        ("sm__ops_path_tensor_src_fp16.sum", None, nan),
    )
    assert counters.need(C.TENSOR_FLOP) == 112


def test_stalls_follow_from_samples_or_shares_where_ratios_are_missing() -> None:
    sampled = _counters(
        ("smsp__pcsamp_warps_issue_stalled_wait", None, 50.0),
        ("smsp__pcsamp_warps_issue_stalled_selected", None, 20.0),
    )
    shares = _counters(
        ("smsp__warp_issue_stalled_wait_per_warp_active.pct", None, 25.0),
        ("smsp__average_warp_latency_per_inst_issued.ratio", None, 10.0),
    )
    assert sampled.need(C.STALL_WAIT) == shares.need(C.STALL_WAIT) == 2.5


def test_what_is_divided_by_nothing_is_undefined_and_not_missing() -> None:
    base = "pipe_lsu_mem_global_op_ld.sum"
    counters = _counters((f"l1tex__t_sectors_{base}", None, 0.0), (f"l1tex__t_requests_{base}", None, 0.0))
    assert "undefined" in counters.missing[C.GLOBAL_LOAD_SECTORS_PER_REQUEST].reason
    assert counters.missing[C.GLOBAL_STORE_SECTORS].metric.endswith("op_st.sum")


def test_a_missing_counter_asks_for_metrics_by_raw_name_only() -> None:
    for counter in Counter:
        asked = metric_to_ask_for(counter, (9, 0))
        assert asked, counter
        assert all("__" in name or name.startswith("memory_l") for name in asked.split(",")), (counter, asked)
