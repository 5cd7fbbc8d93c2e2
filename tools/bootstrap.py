"""Install Roofladder into .venv with nothing but the standard library; `make setup` runs this.

    python3 tools/bootstrap.py [--venv FOLDER] [--extra NAME ...]

Without --extra it installs what a user needs: the service, the CPU stages where Numba has a wheel, and
the CUDA libraries that fit the NVIDIA driver, where there is one.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG_NAME = "setup.log"
OLDEST_PYTHON = (3, 11)
DRIVER_VERSION_FILE = Path("/proc/driver/nvidia/version")
# The first driver branch that runs programs of each CUDA major version (CUDA release notes, table 3).
FIRST_DRIVER_OF_CUDA = {13: 580, 12: 525}


class SetupFailed(Exception):  # noqa: N818 - read by people, as a sentence
    """Why the set-up stopped and what to do."""


def cuda_extra(nvidia_smi_output: str, driver_file_text: str = "") -> str | None:
    """The CUDA extra that the installed driver can run, None without a usable driver."""
    shown = re.search(r"CUDA(?: \w+)? Version\s*:\s*(\d+)", nvidia_smi_output)
    if shown:
        return _extra_of_major(int(shown.group(1)))
    branch = re.search(r"\b(\d{3})\.\d+(?:\.\d+)?\b", driver_file_text)
    if not branch:
        return None
    majors = [major for major, first in FIRST_DRIVER_OF_CUDA.items() if int(branch.group(1)) >= first]
    return _extra_of_major(max(majors, default=0))


def _extra_of_major(major: int) -> str | None:
    newest = max(FIRST_DRIVER_OF_CUDA)
    known = min(major, newest)
    return f"cuda{known}" if known in FIRST_DRIVER_OF_CUDA else None


def detect_cuda_extra() -> str | None:
    """Ask nvidia-smi, else the kernel module, which driver is here."""
    output = ""
    if shutil.which("nvidia-smi"):
        output = subprocess.run(["nvidia-smi"], capture_output=True, text=True, check=False).stdout
    module = DRIVER_VERSION_FILE.read_text() if DRIVER_VERSION_FILE.exists() else ""
    return cuda_extra(output, module)


def make_venv(venv: Path) -> None:
    """Create the environment unless it is there."""
    if (venv / "bin" / "python").exists():
        return
    command = [sys.executable, "-m", "venv", str(venv)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        shutil.rmtree(venv, ignore_errors=True)
        raise SetupFailed(
            f"{sys.executable} cannot make a virtual environment. On Debian and Ubuntu: "
            "apt install python3-venv. Then run make again."
        )


def install(venv: Path, extras: Sequence[str], say: Callable[[str], None]) -> bool:
    """Run pip on this checkout with `extras`; False when it failed. Its output goes to the log."""
    target = f".[{','.join(extras)}]" if extras else "."
    # Building Numba or LLVM from source would take an hour: a missing wheel is an answer.
    command = [str(venv / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check"]
    command += ["--only-binary", "numba,llvmlite", "-e", target]
    seen = installing = 0
    last_said = time.monotonic()
    pip = subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with (venv / LOG_NAME).open("a") as log, pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            log.write(line)
            seen += line.startswith("Collecting ")
            if line.startswith("Installing collected packages"):
                installing = len(line.split(","))
                say(f"installing {installing} packages")
            elif not installing and time.monotonic() - last_said > 5:
                say(f"{seen} packages found so far")
                last_said = time.monotonic()
    return pip.returncode == 0


def set_up(venv: Path, extras: Sequence[str], say: Callable[[str], None]) -> None:
    """Make the environment and install this checkout with `extras`, or with what fits this machine."""
    if sys.version_info < OLDEST_PYTHON:
        raise SetupFailed(
            f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}. "
            "Name another one: make PYTHON=python3.12 run"
        )
    make_venv(venv)
    if extras:
        if not install(venv, extras, say):
            raise SetupFailed(_pip_failure(venv / LOG_NAME))
        return
    cuda = detect_cuda_extra()
    say(f"NVIDIA driver: {'none' if cuda is None else f'found, installing {cuda}'}")
    fitting = [cuda] if cuda else []
    if install(venv, ["cpu", *fitting], say):
        return
    say("Numba has no wheel for this Python; trying without: the CPU ladder will be NumPy and BLAS only")
    if not install(venv, fitting, say):
        raise SetupFailed(_pip_failure(venv / LOG_NAME))


def _pip_failure(log: Path) -> str:
    errors = [line for line in log.read_text().splitlines() if line.startswith("ERROR")]
    reason = errors[-1] if errors else "pip failed"
    return f"{reason}\nThe packages are not installed; all of pip's output is in {log}. Run make again."


def main() -> int:
    """Read the arguments, set up, and end with 0 or one clear line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extra", action="append", default=[], help="install this extra and nothing else")
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="where to install")
    options = parser.parse_args()
    venv, extras = options.venv.absolute(), options.extra
    started = time.monotonic()

    def say(text: str) -> None:
        sys.stdout.write(f"  {text} ({time.monotonic() - started:.0f} s)\n")
        sys.stdout.flush()

    what = "the test and check tools" if extras else "Roofladder"
    sys.stdout.write(f"Installing {what} into {venv.name} with Python {sys.version.split()[0]}, once:\n")
    sys.stdout.flush()
    try:
        set_up(venv, extras, say)
    except SetupFailed as failure:
        sys.stderr.write(f"{failure}\n")
        return 1
    say("done")
    return 0


if __name__ == "__main__":
    sys.exit(main())
