"""Reports as a reader gives them, made by hand."""

from __future__ import annotations

import math
from array import array

from app.domain.kept_report import MatchHow, NewReport, StageMatch
from app.domain.report import (
    Columns,
    Dialect,
    Instance,
    LaunchProfile,
    Metrics,
    ReportFormat,
    RuleType,
    SourceLine,
    SourceView,
    ToolRule,
)
from app.storage.store import Store

HEAD = (
    '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",'
    '"Device","CC"'
)
BYTES, RATE = "dram__bytes.sum", "dram__throughput.avg.pct_of_peak_sustained_elapsed"
NONE = StageMatch(None, None, 0.0, MatchHow.AUTOMATIC, ("Nothing fits.",))
COLUMNS = Columns(
    (
        "gpu__time_duration.sum",
        "dram__bytes.sum",
        "Memory Throughput",
        "launch__func_cache_config",
        "nothing",
    ),
    (None, None, "GPU Speed Of Light Throughput", None, None),
    (None, None, None, None, None),
)


def metrics(duration_s: float = 1e-3) -> Metrics:
    """Five counters: a time, bytes, a share, a text, and one that was not collected."""
    return Metrics(
        columns=COLUMNS,
        raw=(f"{duration_s * 1e3:.3f}", "1,234.5", "73.25", "CachePreferNone", "n/a"),
        units=("ms", "Mbyte", "%", "", ""),
        base_units=("ns", "byte", "%", "", ""),
        base_values=array("d", [duration_s * 1e9, 1.2345e9, 73.25, math.nan, math.nan]),
        scales=(1e6, 1e6, 1.0, 1.0, 1.0),
        missing=frozenset({4}),
        instances={1: (Instance(0x7F, 1.0), Instance("SM 3", 0.1 + 0.2), Instance(None, -5e-324))},
    )


def launch(kernel: str = "naive(const float *, int)", number: int = 0, **changes: object) -> LaunchProfile:
    """One launch with every part filled."""
    fields: dict[str, object] = {
        "number": number,
        "process_id": 4711,
        "kernel": kernel,
        "function": "naive",
        "grid": (32, 32, 1),
        "block": (32, 32, 1),
        "device_name": "NVIDIA H200",
        "device_id": "0",
        "compute_capability": "9.0",
        "context": "1",
        "stream": "7",
        "nvtx": ("step", "forward"),
        "duration_s": 1e-3,
        "metrics": metrics(),
        "rules": (ToolRule("Spills", RuleType.WARNING, "SourceCounters", "Spills.\nMany.", 12.5, "global"),),
        "source": SourceView(
            (
                SourceLine("LDG.E R2, [R4]", {"# Samples": 3.0, "stall_wait": 1.0}, address=16),
                SourceLine("EXIT", {"# Samples": 1.0}, address=32),
            ),
            4,
            "naive.cu",
        ),
    }
    return LaunchProfile(**(fields | changes))  # type: ignore[arg-type]


def new_report(sha256: str = "a" * 64, name: str = "one.csv", **changes: object) -> NewReport:
    """What is known of a file before its launches are kept."""
    fields: dict[str, object] = {
        "sha256": sha256,
        "kept_sha256": None,
        "name": name,
        "size_bytes": 1234,
        "dialect": Dialect(ReportFormat.RAW, thousands=",", columns=5, tool_version="2025.3.1.0"),
        "warnings": ("Auto units: values have four digits.",),
        "skipped": {"rows without an id": 2},
        "device_names": ("NVIDIA H200",),
        "device_attributes": {"NVIDIA H200": {"multiprocessor_count": "132"}},
    }
    return NewReport(**(fields | changes))  # type: ignore[arg-type]


def keep(
    store: Store,
    new: NewReport | None = None,
    launches: tuple[LaunchProfile, ...] = (),
    match: StageMatch = NONE,
) -> int:
    """Keep a report; returns its id."""
    kept = launches or (launch(),)
    report_id = store.begin_report(new or new_report())
    store.add_launches(report_id, [(one, match) for one in kept])
    return store.finish_report(report_id)[0]


def raw_csv(*kernels: str, dram: float = 2.5) -> bytes:
    """A page `raw` as Nsight Compute prints it: one row a kernel."""
    lines = [
        "==PROF== Connected to process 4711",
        f'{HEAD},"{BYTES}","{RATE}","gpu__time_duration.sum"',
        '"","","","","","","","","","","","Mbyte","%","us"',
    ]
    for number, kernel in enumerate(kernels or ("naive(const float *, const float *, float *)",)):
        name = kernel.replace('"', '""')
        lines.append(
            f'"{number}","4711","python","127.0.0.1","{name}","1","7","(32, 32, 1)","(128, 128, 1)",'
            f'"0","9.0","{dram}","n/a","1,234.5"'
        )
    return "\n".join(lines).encode()
