"""Says in words why a measuring child died."""

from __future__ import annotations

import signal
from pathlib import Path

_SIGNALS = {
    signal.SIGSEGV: "an invalid memory access",
    signal.SIGBUS: "an invalid memory access",
    signal.SIGILL: "an instruction that this CPU lacks",
    signal.SIGFPE: "an arithmetic fault",
    signal.SIGABRT: "the program aborted itself",
    signal.SIGKILL: "from outside, often because memory ran out",
}
# What libraries write before they give up, in order of weight.
_SIGNS = {
    "illegal address": "illegal address: the kernel read or wrote outside its arrays",
    "illegal_address": "illegal address: the kernel read or wrote outside its arrays",
    "misaligned": "misaligned address: the kernel read or wrote at an address that its type does not allow",
    "memoryerror": "out of memory",
    "bad_alloc": "out of memory",
    "out of memory": "out of memory",
    "out_of_memory": "out of memory",
}


def death_reason(returncode: int, stderr_tail: str, *, memory_ran_out: bool = False) -> str:
    """One line without a full stop: "killed by SIGSEGV (an invalid memory access)"."""
    if memory_ran_out and returncode == -signal.SIGKILL:
        return "out of memory: the system killed the measuring process"
    said = stderr_tail.lower()
    for sign, meaning in _SIGNS.items():
        if sign in said:
            return meaning
    if returncode < 0:
        number = signal.Signals(-returncode)
        meaning = _SIGNALS.get(number, "")
        return f"killed by {number.name}" + (f" ({meaning})" if meaning else "")
    last_line = next((line for line in reversed(stderr_tail.splitlines()) if line.strip()), "")
    return f"the measuring process ended with exit code {returncode}" + (
        f": {last_line}" if last_line else ""
    )


def out_of_memory_kills() -> int:
    """How often the system has killed a process for memory since it started; 0 where that is not told."""
    try:
        text = Path("/proc/vmstat").read_text()
    except OSError:
        return 0
    counts = dict(line.split(" ", 1) for line in text.splitlines())
    return int(counts.get("oom_kill", 0))
