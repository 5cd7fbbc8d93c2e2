"""What Nsight Compute says when it cannot profile, and the way out of each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cause:
    """A word of the tool's line, and the way out."""

    word: str
    code: str
    advice: str


RIGHTS_FIX = (
    "write `options nvidia NVreg_RestrictProfilingToAdminUsers=0` to /etc/modprobe.d/nvidia-profiling.conf "
    "and reboot, or run as root; a container needs --cap-add=SYS_ADMIN"
)
CONTAINER_FIX = "start the container with --cap-add=SYS_ADMIN, or let its host's driver allow everyone"

CAUSES = (
    Cause("ERR_NVGPUCTRPERM", "no_counter_rights", f"Counters are for administrators there: {RIGHTS_FIX}."),
    Cause(
        "already in use",
        "profiler_in_use",
        "Another profiler holds the counters of that GPU (DCGM, Nsight Systems, a second ncu): end it, or "
        "`dcgmi profile --pause`.",
    ),
    Cause("No such file or directory", "program_missing", "Check the program's path."),
    Cause(
        "driver",
        "driver_too_old",
        "That ncu needs a newer driver, or use the ncu of the driver's CUDA version.",
    ),
    Cause("did not match any section", "unknown_section", "`ncu --list-sections` names those that exist."),
    Cause("Could not open report", "report_missing", "Check the path, or capture the report again."),
    Cause("MIG", "mig", "Counters that MIG instances share cannot be read: profile on a GPU without MIG."),
    Cause("returned an error code", "application_failed", "Let the program end well without ncu first."),
    Cause("Received signal", "application_killed", "Let the program end well without ncu first."),
    Cause(
        "No kernels were profiled",
        "no_kernels",
        "Check the filters (--kernel-name, --launch-skip, --nvtx-include); the program may reach no kernel.",
    ),
)


def cause_of(said: str) -> Cause | None:
    """The first known cause in the tool's words."""
    return next((cause for cause in CAUSES if cause.word in said), None)
