from __future__ import annotations

import signal

import pytest

from app.jobs.death import death_reason


@pytest.mark.parametrize(
    ("returncode", "stderr", "reason"),
    [
        (-signal.SIGSEGV, "", "killed by SIGSEGV (an invalid memory access)"),
        (-signal.SIGTERM, "", "killed by SIGTERM"),
        (-signal.SIGKILL, "", "killed by SIGKILL (from outside, often because memory ran out)"),
        (1, "Traceback…\nMemoryError\n", "out of memory"),
        (1, "CUDA_ERROR_OUT_OF_MEMORY: out of memory", "out of memory"),
        (
            1,
            "cudaErrorIllegalAddress: an illegal address was met",
            "illegal address: the kernel read or wrote outside its arrays",
        ),
        (
            -signal.SIGABRT,
            "CUDA_ERROR_ILLEGAL_ADDRESS",
            "illegal address: the kernel read or wrote outside its arrays",
        ),
        (
            3,
            "first\nthe last line\n\n",
            "the measuring process ended with exit code 3: the last line",
        ),
        (3, "", "the measuring process ended with exit code 3"),
    ],
)
def test_the_reason_is_in_words(returncode: int, stderr: str, reason: str) -> None:
    assert death_reason(returncode, stderr) == reason


def test_a_kill_for_memory_is_told_from_other_kills() -> None:
    reason = death_reason(-signal.SIGKILL, "", memory_ran_out=True)
    assert reason == "out of memory: the system killed the measuring process"
    assert "SIGSEGV" in death_reason(-signal.SIGSEGV, "", memory_ran_out=True)
