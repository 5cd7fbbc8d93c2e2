"""What a capture asks Nsight Compute for: a quick list that feeds every rule, or one of the tool's sets."""

from __future__ import annotations

from enum import StrEnum


class CaptureSet(StrEnum):
    """How much is counted. More counters mean more replays of each kernel."""

    QUICK = "quick"
    FULL = "full"
    ROOFLINE = "roofline"
    SOURCE = "source"


# Ten replays or so; every counter that a rule, the cross-check or the attribution of a ladder needs.
QUICK_METRICS = (
    *("gpu__time_duration.sum", "launch__registers_per_thread", "launch__shared_mem_per_block"),
    *("launch__waves_per_multiprocessor", "launch__occupancy_limit_registers"),
    *(
        "launch__occupancy_limit_shared_mem",
        "launch__occupancy_limit_warps",
        "launch__occupancy_limit_blocks",
    ),
    *("sm__maximum_warps_per_active_cycle_pct", "sm__warps_active.avg.pct_of_peak_sustained_active"),
    *("dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_bytes.sum", "l1tex__t_bytes.sum"),
    *("lts__t_sector_hit_rate.pct", "l1tex__t_sector_hit_rate.pct"),
    *("sm__throughput.avg.pct_of_peak_sustained_elapsed",),
    *("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",),
    *(
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    ),
    *("l1tex__throughput.avg.pct_of_peak_sustained_elapsed",),
    *("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    *("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    *("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"),
    *("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",),
    *("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",),
    *("sass__inst_executed_shared_loads", "sass__inst_executed_shared_stores"),
    *("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",),
    *("smsp__inst_executed.sum", "smsp__issue_active.avg.pct_of_peak_sustained_active"),
    *("smsp__thread_inst_executed_per_inst_executed.ratio", "smsp__warps_eligible.avg.per_cycle_active"),
    *(
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    ),
    *("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "sm__inst_executed_pipe_tensor.sum"),
    *("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",),
    *("smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",),
    *("smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",),
    *("smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",),
    *("smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",),
    *("smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",),
    *("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",),
    *("smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",),
    *("smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio",),
    *("sm__cycles_elapsed.avg.per_second", "dram__cycles_elapsed.avg.per_second"),
)

_OPTIONS: dict[CaptureSet, tuple[str, ...]] = {
    CaptureSet.QUICK: ("--metrics", ",".join(QUICK_METRICS)),
    CaptureSet.FULL: ("--set", "full"),
    CaptureSet.ROOFLINE: ("--set", "roofline"),
    CaptureSet.SOURCE: ("--set", "source", "--section", "SourceCounters", "--import-source", "yes"),
}


def options_of(chosen: CaptureSet) -> tuple[str, ...]:
    """The tool's options for a set."""
    return _OPTIONS[chosen]
