"""Entry of the measuring child: a plan on standard input, one message a line on standard output.

Exit codes: 0 after Done; 2 the plan cannot be read; 3 no usable device (Fatal was sent); 4 the device
context is lost after a kernel's fault (its outcome was sent; start a new child for the other cells);
5 an unexpected error (Fatal was sent); 143 ended by SIGTERM.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import FrameType
from typing import TextIO

from pydantic import TypeAdapter, ValidationError

import app
from app.backends.backend import Backend
from app.domain.child_messages import ChildMessage, Fatal, Plan
from app.domain.errors import DeviceUnavailableError, StickyDeviceFailure, UnavailableError
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.settings import Settings

COMPILED_FOLDERS = tuple(Path(app.__file__).parent / name for name in ("kernels", "backends"))

EXIT_DONE = 0
EXIT_BAD_PLAN = 2
EXIT_NO_DEVICE = 3
EXIT_DEVICE_CONTEXT_LOST = 4
EXIT_UNEXPECTED = 5
EXIT_TERMINATED = 128 + signal.SIGTERM

Emit = Callable[[ChildMessage], None]


def main() -> int:
    """Read the plan, measure, answer with messages; returns the exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    emit = _writer(_take_over_stdout())
    try:
        plan = TypeAdapter(Plan).validate_json(sys.stdin.buffer.read())
    except ValidationError as error:
        emit(Fatal("invalid_plan", f"The plan cannot be read: {error}"))
        return EXIT_BAD_PLAN
    os.environ.update(environment_of(plan))
    for folder in Settings().problem_paths:
        registry.add_folder(folder)
    return _run(plan, emit)


def environment_of(plan: Plan) -> Mapping[str, str]:
    """Variables that libraries read when they are first imported.

    Eager module loading: a lazy load while the blocking kernel holds the stream would wait for ever.
    """
    found = {"CUDA_MODULE_LOADING": "EAGER", "NVIDIA_TF32_OVERRIDE": "0", "CUPY_TF32": "0"}
    if plan.cache_dir:
        root = Path(plan.cache_dir).resolve()
        code = code_digest(*COMPILED_FOLDERS, *Settings().problem_paths)
        found["NUMBA_CACHE_DIR"] = str(root / f"numba-{code}")
        found["CUPY_CACHE_DIR"] = str(root / "cupy")
        found["CUDA_CACHE_PATH"] = str(root / "cuda")
    return found


def code_digest(*folders: Path) -> str:
    """Sixteen hex digits that change with any Python file in the folders and with the product's version.

    Numba asks only whether a function's own file changed: without this, code compiled before an upgrade
    would be taken although what it calls, or the name of its module, is another one now.
    """
    found = hashlib.sha256(app.__version__.encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


def _run(plan: Plan, emit: Emit) -> int:
    from app.backends.session import run_plan  # imports NumPy, which reads the environment set above

    try:
        run_plan(_BACKENDS[plan.backend](plan), plan, emit, secrets.randbits(31))
    except UnavailableError as error:
        emit(Fatal(error.code, error.message))
        return EXIT_NO_DEVICE
    except StickyDeviceFailure:
        return EXIT_DEVICE_CONTEXT_LOST
    except Exception as error:
        traceback.print_exc()
        last = str(error).splitlines()[0] if str(error) else type(error).__name__
        emit(Fatal("unexpected", f"The measuring process stopped on {type(error).__name__}: {last}"))
        return EXIT_UNEXPECTED
    return EXIT_DONE


def _open_cpu(plan: Plan) -> Backend:
    from app.backends.cpu import CpuBackend

    return CpuBackend()


def _open_cuda(plan: Plan) -> Backend:
    try:
        from app.backends.cuda import CudaBackend
    except ImportError as error:
        raise DeviceUnavailableError(
            f"CuPy cannot be loaded ({str(error).splitlines()[0]}), so no GPU can be used. "
            "Where an NVIDIA driver is installed, `make clean setup` installs it."
        ) from error
    return CudaBackend(Path(plan.cache_dir or ".cache") / "cubins")


_BACKENDS: Mapping[BackendName, Callable[[Plan], Backend]] = {
    BackendName.CPU: _open_cpu,
    BackendName.CUDA: _open_cuda,
}


def _take_over_stdout() -> TextIO:
    """Keep the pipe for messages; whatever a library prints goes to standard error instead."""
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return pipe


def _writer(pipe: TextIO) -> Emit:
    def emit(message: ChildMessage) -> None:
        pipe.write(_messages().dump_json(message).decode() + "\n")
        pipe.flush()

    return emit


@cache
def _messages() -> TypeAdapter[ChildMessage]:
    return TypeAdapter(ChildMessage)


def _terminate(number: int, frame: FrameType | None) -> None:
    # Samples are streamed already, and a launch in flight cannot be called back: leave at once.
    os._exit(EXIT_TERMINATED)


if __name__ == "__main__":
    exit_code = main()
    sys.stderr.flush()
    # Destructors of a lost device context fail or abort, which would hide the exit code.
    os._exit(exit_code)
