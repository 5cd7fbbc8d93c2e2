"""Why an output holds no launches: the tool's own words, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.report import ReadError, ReportFormat
from app.ncu.surroundings import OUTPUT, Surroundings


@dataclass(frozen=True)
class Cause:
    """A word of the tool's line, and the way out."""

    word: str
    code: str
    advice: str


CAUSES = (
    Cause(
        "ERR_NVGPUCTRPERM",
        "no_counter_rights",
        "Counters are for administrators on that machine: run ncu as root, or load the driver with "
        "NVreg_RestrictProfilingToAdminUsers=0 (in a container: --cap-add=SYS_ADMIN).",
    ),
    Cause("did not match any section", "unknown_section", "`ncu --list-sections` names those that exist."),
    Cause("Could not open report", "report_missing", "Check the path, or capture the report again."),
    Cause(
        "returned an error code", "application_failed", "Run the program without ncu first; then profile it."
    ),
    Cause("Received signal", "application_killed", "Run the program without ncu first; then profile it."),
    Cause(
        "No kernels were profiled",
        "no_kernels",
        "Check the filters (--kernel-name, --launch-skip, --nvtx-include); the program may reach no kernel.",
    ),
)
_QUOTED = 3


def why_empty(around: Surroundings, formats: Sequence[ReportFormat]) -> ReadError:
    """The error of a file without launches."""
    if ReportFormat.SESSION in formats:
        return ReadError(
            "session_page",
            "A session page: it tells of the machine and holds no launches. Export `--page raw` or "
            "`--page details` of the same report for its counters.",
        )
    said = " ".join(around.errors[:_QUOTED])
    if said:
        cause = next((cause for cause in CAUSES if cause.word in said), None)
        advice = cause.advice if cause else "Capture it again once that is solved."
        return ReadError(cause.code if cause else "tool_error", f"Nsight Compute says: {said} {advice}")
    if formats:
        return ReadError(
            "no_rows", "The table has a head and no launch below it. Capture or export it again."
        )
    if around.prof_count:
        return ReadError(
            "no_table",
            f"{around.prof_count} ==PROF== lines and no table: this is what ncu prints while it runs. "
            "Run it with --csv, or export a report with `ncu --import FILE --csv --page raw`.",
        )
    if around.skipped[OUTPUT]:
        return ReadError(
            "not_ncu",
            "Text without a table of Nsight Compute. Export one with `ncu --import FILE --csv --page raw`.",
        )
    return ReadError("empty", "The file is empty. Export it again with `ncu --import FILE --csv --page raw`.")
