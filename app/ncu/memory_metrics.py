"""Names of what memory does: DRAM, caches, global accesses, shared and local memory."""

from __future__ import annotations

from collections.abc import Mapping
from operator import mul, truediv

from app.domain.kernel_evidence import Counter
from app.ncu.metric_shapes import (
    NS,
    PERCENT,
    SECTOR_BYTES,
    SPEED_OF_LIGHT,
    SPEED_OF_LIGHT_2019,
    Concept,
    concept,
    label,
    percent,
    sectors,
    sum_of,
    throughput,
    total,
)
from app.ncu.metric_source import Derived, Named

C = Counter
MEMORY_SECTION = "Memory Workload Analysis"
BLACKWELL_CONSUMER = (12, 0)  # dram__bytes_read is n/a there
_L1, _L2 = "l1tex__", "lts__t_"
_GLOBAL = "pipe_lsu_mem_global_op"
_SHARED = "pipe_lsu_mem_shared"


def _global_access(op: str) -> dict[str, Concept]:
    mean = f"{_L1}average_t_sectors_per_request_{_GLOBAL}_{op}.ratio"
    sectors, requests = (f"{_L1}t_{what}_{_GLOBAL}_{op}.sum" for what in ("sectors", "requests"))
    useful = f"smsp__sass_average_data_bytes_per_sector_mem_global_op_{op}"
    return {
        "sectors": concept("sector", sectors),
        "requests": concept("request", requests),
        "mean": concept(
            "sector/request", mean, Named((sectors, requests), 1.0, truediv, f"{sectors} / {requests}")
        ),
        "useful": concept(
            "byte/sector",
            f"{useful}.ratio",
            Named((f"{useful}.pct",), SECTOR_BYTES * PERCENT),
            Named((f"{useful.replace('smsp__', 'sm__')}.pct",), SECTOR_BYTES * PERCENT),
        ),
    }


_LOADS, _STORES = _global_access("ld"), _global_access("st")

MEMORY: Mapping[Counter, Concept] = {
    C.DURATION_S: concept(
        "s",
        Named(("gpu__time_duration.sum",), NS),
        Named(("gpu__time_duration.avg",), NS),
        label("Duration", SPEED_OF_LIGHT, NS),
        label("Duration", SPEED_OF_LIGHT_2019, NS),
    ),
    C.DRAM_READ_BYTES: concept(
        "byte",
        Named(("dram__bytes_op_read.sum",), since=BLACKWELL_CONSUMER),
        "dram__bytes_read.sum",
        sectors("dram__sectors_read.sum"),
        "fbpa__dram_read_bytes.sum",
    ),
    C.DRAM_WRITE_BYTES: concept(
        "byte",
        Named(("dram__bytes_op_write.sum",), since=BLACKWELL_CONSUMER),
        "dram__bytes_write.sum",
        sectors("dram__sectors_write.sum"),
        "fbpa__dram_write_bytes.sum",
    ),
    C.DRAM_BYTES: concept(
        "byte",
        "dram__bytes.sum",
        sum_of(C.DRAM_READ_BYTES, C.DRAM_WRITE_BYTES),
        Derived((C.DRAM_BYTES_PER_S, C.DURATION_S), mul, "dram_bytes_per_s × duration_s"),
    ),
    C.DRAM_BYTES_PER_S: concept(
        "byte/s",
        "dram__bytes.sum.per_second",
        label("Memory Throughput", MEMORY_SECTION),
        "DRAM Bandwidth",
        total("dram__bytes_read.sum.per_second", "dram__bytes_write.sum.per_second"),
        Derived((C.DRAM_BYTES, C.DURATION_S), truediv, "dram_bytes / duration_s"),
    ),
    C.DRAM_PEAK_BYTES_PER_S: concept(
        "byte/s",
        Named(
            ("dram__bytes.sum.peak_sustained", "dram__cycles_elapsed.avg.per_second"),
            1.0,
            mul,
            "dram__bytes.sum.peak_sustained × dram__cycles_elapsed.avg.per_second",
        ),
        Derived(
            (C.DRAM_BYTES_PER_S, C.DRAM_THROUGHPUT_FRACTION),
            truediv,
            "dram_bytes_per_s / dram_throughput_fraction",
        ),
    ),
    C.L2_BYTES: concept(
        "byte",
        f"{_L2}bytes.sum",
        sectors(f"{_L2}sectors.sum"),
        sectors(f"{_L2}sectors_op_read.sum", f"{_L2}sectors_op_write.sum"),
        sectors(f"{_L2}sectors_srcunit_tex.sum"),
    ),
    C.L2_READ_BYTES: concept(
        "byte",
        sectors(f"{_L2}sectors_srcunit_tex_op_read.sum"),
        "l1tex__m_xbar2l1tex_read_bytes.sum",
        sectors(f"{_L2}sectors_op_read.sum"),
    ),
    C.L2_WRITE_BYTES: concept(
        "byte",
        sectors(f"{_L2}sectors_srcunit_tex_op_write.sum"),
        "l1tex__m_l1tex2xbar_write_bytes.sum",
        sectors(f"{_L2}sectors_op_write.sum"),
    ),
    C.L1_BYTES: concept(
        "byte",
        f"{_L1}t_bytes.sum",
        sectors(f"{_L1}t_sectors.sum"),
        sectors(
            *(
                f"{_L1}t_sectors_pipe_lsu_mem_{where}_op_{op}.sum"
                for where in ("global", "local")
                for op in ("ld", "st")
            )
        ),
        sectors(*(f"{_L1}t_sectors_{_GLOBAL}_{op}.sum" for op in ("ld", "st"))),
    ),
    C.L2_HIT_FRACTION: percent(f"{_L2}sector_hit_rate.pct", "L2 Hit Rate"),
    C.L1_HIT_FRACTION: percent(f"{_L1}t_sector_hit_rate.pct", "L1/TEX Hit Rate", "L1 Hit Rate"),
    C.SM_THROUGHPUT_FRACTION: throughput("sm__throughput", "Compute (SM) Throughput", "SM [%]"),
    C.MEMORY_THROUGHPUT_FRACTION: throughput(
        "gpu__compute_memory_throughput", "Memory Throughput", "Memory [%]"
    ),
    C.DRAM_THROUGHPUT_FRACTION: percent(
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        "DRAM Throughput",
        "SOL FB",
    ),
    C.L2_THROUGHPUT_FRACTION: throughput("lts__throughput", "L2 Cache Throughput", "SOL L2"),
    C.L1_THROUGHPUT_FRACTION: throughput("l1tex__throughput", "L1/TEX Cache Throughput", "SOL TEX"),
    C.GLOBAL_LOAD_SECTORS: _LOADS["sectors"],
    C.GLOBAL_LOAD_REQUESTS: _LOADS["requests"],
    C.GLOBAL_LOAD_SECTORS_PER_REQUEST: _LOADS["mean"],
    C.GLOBAL_LOAD_BYTES_PER_SECTOR: _LOADS["useful"],
    C.GLOBAL_STORE_SECTORS: _STORES["sectors"],
    C.GLOBAL_STORE_REQUESTS: _STORES["requests"],
    C.GLOBAL_STORE_SECTORS_PER_REQUEST: _STORES["mean"],
    C.GLOBAL_STORE_BYTES_PER_SECTOR: _STORES["useful"],
    C.GLOBAL_SECTORS: concept(
        "sector",
        "memory_l2_theoretical_sectors_global",
        sum_of(C.GLOBAL_LOAD_SECTORS, C.GLOBAL_STORE_SECTORS),
    ),
    C.GLOBAL_SECTORS_IDEAL: concept("sector", "memory_l2_theoretical_sectors_global_ideal"),
}


def _shared_requests(plural: str, op: str) -> Concept:
    return concept(
        "request",
        f"sass__inst_executed_shared_{plural}",
        f"smsp__sass_inst_executed_op_shared_{op}.sum",
        f"smsp__inst_executed_op_shared_{op}.sum",
    )


SHARED_AND_LOCAL: Mapping[Counter, Concept] = {
    C.SHARED_LOAD_WAVEFRONTS: concept("wavefront", f"{_L1}data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    C.SHARED_STORE_WAVEFRONTS: concept("wavefront", f"{_L1}data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    C.SHARED_LOAD_REQUESTS: _shared_requests("loads", "ld"),
    C.SHARED_STORE_REQUESTS: _shared_requests("stores", "st"),
    C.SHARED_WAVEFRONTS: concept(
        "wavefront",
        "memory_l1_wavefronts_shared",  # by instruction, without arbitration
        f"{_L1}data_pipe_lsu_wavefronts_mem_shared.sum",
        sum_of(C.SHARED_LOAD_WAVEFRONTS, C.SHARED_STORE_WAVEFRONTS),
    ),
    C.SHARED_WAVEFRONTS_IDEAL: concept("wavefront", "memory_l1_wavefronts_shared_ideal"),
    C.SHARED_LOAD_CONFLICTS: concept("conflict", f"{_L1}data_bank_conflicts_{_SHARED}_op_ld.sum"),
    C.SHARED_STORE_CONFLICTS: concept("conflict", f"{_L1}data_bank_conflicts_{_SHARED}_op_st.sum"),
    C.SHARED_CONFLICTS: concept(
        "conflict",
        f"{_L1}data_bank_conflicts_{_SHARED}.sum",
        sum_of(C.SHARED_LOAD_CONFLICTS, C.SHARED_STORE_CONFLICTS),
    ),
    C.SHARED_THROUGHPUT_FRACTION: percent(
        f"{_L1}data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed"
    ),
    C.LOCAL_LOAD_REQUESTS: concept(
        "request",
        f"{_L1}t_requests_pipe_lsu_mem_local_op_ld.sum",
        "sass__inst_executed_local_loads",
        "smsp__inst_executed_op_local_ld.sum",
        "sm__sass_inst_executed_op_local_ld.sum",
    ),
    C.LOCAL_STORE_REQUESTS: concept(
        "request",
        f"{_L1}t_requests_pipe_lsu_mem_local_op_st.sum",
        "sass__inst_executed_local_stores",
        "smsp__inst_executed_op_local_st.sum",
        "sm__sass_inst_executed_op_local_st.sum",
    ),
    C.LOCAL_BYTES: concept(
        "byte",
        sectors(*(f"{_L1}t_sectors_pipe_lsu_mem_local_op_{op}.sum" for op in ("ld", "st"))),
        total(*(f"{_L1}t_bytes_pipe_lsu_mem_local_op_{op}.sum" for op in ("ld", "st"))),
    ),
    C.LOCAL_SPILL_REQUESTS: concept(
        "request",
        "derived__local_spilling_requests",
        "sass__inst_executed_register_spilling",
        "Local Memory Spilling Requests",
    ),
}
