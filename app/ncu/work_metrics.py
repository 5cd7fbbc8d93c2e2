"""Names of what a launch is and what its warps do: shape, occupancy, instructions, operations, stalls."""

from __future__ import annotations

from collections.abc import Mapping
from operator import mul, truediv

from app.domain.kernel_evidence import Counter
from app.ncu.metric_shapes import (
    SPEED_OF_LIGHT,
    SPEED_OF_LIGHT_2019,
    Concept,
    concept,
    flop,
    instructions,
    label,
    percent,
    pipe,
    stall,
    thread_instructions,
    total,
)
from app.ncu.metric_source import Named, SumOfFamily

C = Counter
_ATOMICS = "l1tex__t_"
_ATOMIC_KINDS = ("red", "atom_dot_alu", "atom_dot_cas")
LAUNCH: Mapping[Counter, Concept] = {
    C.REGISTERS_PER_THREAD: concept("register", "launch__registers_per_thread", "Registers Per Thread"),
    C.SHARED_BYTES_PER_BLOCK: concept(
        "byte",
        total("launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic"),
        total("Static Shared Memory Per Block", "Dynamic Shared Memory Per Block"),
    ),
    C.BLOCK_THREADS: concept("thread", "launch__block_size", "Block Size"),
    C.GRID_BLOCKS: concept("block", "launch__grid_size", "Grid Size"),
    C.MULTIPROCESSORS: concept("1", "device__attribute_multiprocessor_count", "launch__sm_count", "# SMs"),
    C.WAVES_PER_MULTIPROCESSOR: concept("wave", "launch__waves_per_multiprocessor", "Waves Per SM"),
    C.THEORETICAL_OCCUPANCY_FRACTION: percent(
        "sm__maximum_warps_per_active_cycle_pct", "Theoretical Occupancy"
    ),
    C.ACHIEVED_OCCUPANCY_FRACTION: percent(
        "sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy"
    ),
    C.BLOCKS_BY_REGISTERS: concept("block", "launch__occupancy_limit_registers", "Block Limit Registers"),
    C.BLOCKS_BY_SHARED_MEMORY: concept(
        "block", "launch__occupancy_limit_shared_mem", "Block Limit Shared Mem"
    ),
    C.BLOCKS_BY_WARPS: concept("block", "launch__occupancy_limit_warps", "Block Limit Warps"),
    C.BLOCKS_BY_BLOCKS: concept("block", "launch__occupancy_limit_blocks", "Block Limit SM"),
    C.BLOCKS_BY_BARRIERS: concept("block", "launch__occupancy_limit_barriers", "Block Limit Barriers"),
    C.ACTIVE_WARPS_PER_SCHEDULER: concept(
        "warp", "smsp__warps_active.avg.per_cycle_active", "Active Warps Per Scheduler"
    ),
    C.ELIGIBLE_WARPS_PER_SCHEDULER: concept(
        "warp", "smsp__warps_eligible.avg.per_cycle_active", "Eligible Warps Per Scheduler"
    ),
    C.ISSUE_ACTIVE_FRACTION: percent(
        "smsp__issue_active.avg.pct_of_peak_sustained_active",
        "One or More Eligible",
        Named(("smsp__issue_active.avg.per_cycle_active",)),
        Named(("Issued Warp Per Scheduler",)),
    ),
    C.BUSY_MULTIPROCESSOR_FRACTION: concept(
        "fraction",
        Named(
            ("sm__cycles_active.avg", "sm__cycles_elapsed.max"),
            1.0,
            truediv,
            "sm__cycles_active.avg / sm__cycles_elapsed.max",
        ),
        Named(("SM Active Cycles", "Elapsed Cycles"), 1.0, truediv, "SM Active Cycles / Elapsed Cycles"),
    ),
    C.SM_CLOCK_HZ: concept(
        "hz",
        "sm__cycles_elapsed.avg.per_second",
        "gpc__cycles_elapsed.avg.per_second",
        "smsp__cycles_elapsed.avg.per_second",
        label("SM Frequency", SPEED_OF_LIGHT),
        label("SM Frequency", SPEED_OF_LIGHT_2019),
    ),
    C.BOOST_CLOCK_HZ: concept(
        "hz",
        Named(("device__attribute_max_gpu_frequency_khz",), 1e3),
        Named(("device__attribute_clock_rate",), 1e3),
    ),
    C.DRAM_CLOCK_HZ: concept(
        "hz",
        "dram__cycles_elapsed.avg.per_second",
        label("DRAM Frequency", SPEED_OF_LIGHT),
        label("Memory Frequency", SPEED_OF_LIGHT_2019),
    ),
}


_TENSOR_TOTAL = "sm__inst_executed_pipe_tensor.sum"
_TENSOR_OPS = r"sm__ops_path_tensor_src_(\w+)\.sum"

WORK: Mapping[Counter, Concept] = {
    C.INSTRUCTIONS: concept("inst", "smsp__inst_executed.sum", "inst_executed", "Executed Instructions"),
    C.GLOBAL_LOAD_INSTRUCTIONS: instructions("global_ld", "sass__inst_executed_global_loads"),
    C.GLOBAL_STORE_INSTRUCTIONS: instructions("global_st", "sass__inst_executed_global_stores"),
    C.SHARED_LOAD_INSTRUCTIONS: instructions("shared_ld", "sass__inst_executed_shared_loads"),
    C.SHARED_STORE_INSTRUCTIONS: instructions("shared_st", "sass__inst_executed_shared_stores"),
    C.LOCAL_LOAD_INSTRUCTIONS: instructions("local_ld", "sass__inst_executed_local_loads"),
    C.LOCAL_STORE_INSTRUCTIONS: instructions("local_st", "sass__inst_executed_local_stores"),
    C.ASYNC_COPY_INSTRUCTIONS: instructions("ldgsts"),
    C.BULK_COPY_INSTRUCTIONS: instructions("tma_ld"),
    C.FFMA_THREADS: thread_instructions("ffma"),
    C.FADD_THREADS: thread_instructions("fadd"),
    C.FMUL_THREADS: thread_instructions("fmul"),
    C.DFMA_THREADS: thread_instructions("dfma"),
    C.DADD_THREADS: thread_instructions("dadd"),
    C.DMUL_THREADS: thread_instructions("dmul"),
    C.HFMA_THREADS: thread_instructions("hfma"),
    C.HADD_THREADS: thread_instructions("hadd"),
    C.HMUL_THREADS: thread_instructions("hmul"),
    C.FP32_FLOP: flop(C.FFMA_THREADS, C.FADD_THREADS, C.FMUL_THREADS),
    C.FP64_FLOP: flop(C.DFMA_THREADS, C.DADD_THREADS, C.DMUL_THREADS),
    C.FP16_FLOP: flop(C.HFMA_THREADS, C.HADD_THREADS, C.HMUL_THREADS, packed=2),
    C.TENSOR_FLOP: concept(
        "flop",
        SumOfFamily(
            _TENSOR_OPS, ("_sparsity_", "_dst_"), "sum over input types", "sm__ops_path_tensor_src_fp16.sum"
        ),
    ),
    C.TENSOR_TF32_FLOP: concept(
        "flop",
        SumOfFamily(
            r"sm__ops_path_tensor_src_(tf32\w*)\.sum",
            ("_sparsity_",),
            "sum over TF32 inputs",
            "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
        ),
    ),
    C.FP32_PEAK_FLOP_PER_S: concept(
        "flop/s",
        Named(
            (
                "derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2",
                "sm__cycles_elapsed.avg.per_second",
            ),
            1.0,
            mul,
            "FFMA a cycle at peak × 2 × SM clock",
        ),
        Named(
            ("Theoretical Predicated-On FFMA Operations", "SM Frequency"),
            1.0,
            mul,
            "theoretical FFMA operations a cycle × SM clock",
        ),
    ),
    C.TENSOR_INSTRUCTIONS: concept(
        "inst",
        _TENSOR_TOTAL,
        "smsp__inst_executed_pipe_tensor.sum",
        SumOfFamily(
            r"sm__inst_executed_pipe_tensor_(?:op|subpipe)_(\w+)\.sum", (), "sum over kinds", _TENSOR_TOTAL
        ),
    ),
    C.TENSOR_PIPE_FRACTION: pipe(
        "tensor",
        "sm__pipe_tc_cycles_active.avg.pct_of_peak_sustained_active",
        "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active",
        "sm__pipe_tensor_subpipe_hmma_cycles_active.avg.pct_of_peak_sustained_active",
    ),
    C.FMA_PIPE_FRACTION: pipe("fma"),
    C.FP64_PIPE_FRACTION: pipe("fp64"),
    C.ALU_PIPE_FRACTION: pipe("alu"),
    C.XU_PIPE_FRACTION: pipe("xu"),
    C.LSU_PIPE_FRACTION: pipe("lsu"),
    C.THREADS_PER_INSTRUCTION: concept(
        "thread",
        "smsp__thread_inst_executed_per_inst_executed.ratio",
        "Avg. Active Threads Per Warp",
    ),
    C.UNIFORM_BRANCH_FRACTION: percent(
        "smsp__sass_average_branch_targets_threads_uniform.pct", "Branch Efficiency"
    ),
    C.DIVERGENT_BRANCHES: concept(
        "branch", "smsp__sass_branch_targets_threads_divergent.sum", "smsp__branch_targets_threads_divergent"
    ),
    C.GLOBAL_REDUCTION_REQUESTS: concept("request", f"{_ATOMICS}requests_pipe_lsu_mem_global_op_red.sum"),
    C.GLOBAL_ATOMIC_REQUESTS: concept("request", f"{_ATOMICS}requests_pipe_lsu_mem_global_op_atom.sum"),
    C.GLOBAL_ATOMIC_SECTORS: concept(
        "sector", total(*(f"{_ATOMICS}sectors_pipe_lsu_mem_global_op_{op}.sum" for op in ("red", "atom")))
    ),
    C.L2_ATOMIC_REQUESTS: concept(
        "request",
        total(
            *(f"lts__t_requests_srcunit_tex_op_{op}.sum" for op in ("red", "atom_dot_alu", "atom_dot_cas"))
        ),
        total("lts__t_requests_op_red.sum", "lts__t_requests_op_atom.sum"),
    ),
    C.SHARED_ATOMIC_INSTRUCTIONS: instructions("shared_atom"),
}

STALLS: Mapping[Counter, Concept] = {
    C.STALL_LONG_SCOREBOARD: stall("long_scoreboard"),
    C.STALL_SHORT_SCOREBOARD: stall("short_scoreboard"),
    C.STALL_MIO_THROTTLE: stall("mio_throttle"),
    C.STALL_LG_THROTTLE: stall("lg_throttle"),
    C.STALL_TEX_THROTTLE: stall("tex_throttle"),
    C.STALL_MATH_PIPE_THROTTLE: stall("math_pipe_throttle"),
    C.STALL_BARRIER: stall("barrier"),
    C.STALL_MEMBAR: stall("membar"),
    C.STALL_WAIT: stall("wait"),
    C.STALL_BRANCH_RESOLVING: stall("branch_resolving"),
    C.STALL_DISPATCH: stall("dispatch_stall"),
    C.STALL_DRAIN: stall("drain"),
    C.STALL_IMC_MISS: stall("imc_miss"),
    C.STALL_NO_INSTRUCTION: stall("no_instruction", "no_instructions"),
    C.STALL_SLEEPING: stall("sleeping"),
    C.STALL_GMMA: stall("gmma"),
    C.STALL_WARPGROUP_ARRIVE: stall("warpgroup_arrive"),
    C.STALL_MISC: stall("misc"),
    C.STALL_NOT_SELECTED: stall("not_selected"),
    C.STALL_SELECTED: stall("selected"),
}
