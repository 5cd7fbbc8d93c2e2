"""Machine code as text through `nvdisasm`, which a pip package brings; needs no GPU."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from app.analysis.sass import parse
from app.analysis.sass_score import score
from app.domain.errors import UnavailableError
from app.domain.measurement import CompilerReport

MISSING = (
    "The disassembler nvdisasm is not here, so the inner loop of a kernel cannot be read. "
    "Install it with: .venv/bin/pip install -e '.[sass]' (no GPU needed)."
)
DEADLINE_S = 20.0


@cache
def disassembler() -> Path | None:
    """Path of `nvdisasm`: the pip package's, else one on PATH; None where there is neither."""
    try:
        from cuda.pathfinder import find_nvidia_binary_utility
    except ImportError:
        found = None
    else:
        found = find_nvidia_binary_utility("nvdisasm")
    found = found or shutil.which("nvdisasm")
    return Path(found) if found else None


def disassembled(cubin: bytes) -> str:
    """What `nvdisasm -c` prints. Raises UnavailableError where it is missing or cannot read the cubin."""
    program = disassembler()
    if program is None:
        raise UnavailableError(MISSING)
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        try:
            done = subprocess.run(
                [program, "-c", file.name], capture_output=True, text=True, check=True, timeout=DEADLINE_S
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise UnavailableError(
                f"The disassembler {program} could not read the machine code ({type(error).__name__}), so "
                "the inner loop is not known. It is usually older than the compiler: update it."
            ) from error
    return done.stdout


def with_inner_loop(report: CompilerReport, cubin: bytes, entry: str) -> CompilerReport:
    """The report with the facts of the kernel's busiest loop, or as it was where they cannot be read."""
    try:
        return replace(report, loop=score(parse(disassembled(cubin), entry)))
    except UnavailableError:
        return report
