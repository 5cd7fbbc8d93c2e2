"""Compiles CUDA source to a cubin and reads the compiler's report; needs no GPU. The only NVRTC user."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from app.domain.errors import CompileFailure, UnavailableError
from app.domain.measurement import CompilerReport

MISSING = (
    "NVRTC is not usable here ({reason}), so CUDA stages can be neither compiled nor analysed. "
    "Install it with: .venv/bin/pip install -e '.[nvrtc]' (no GPU needed)."
)
# The architecture-specific targets: plain sm_90 leaves out TMA multicast, WGMMA and setmaxnreg.
FIRST_MAJOR_WITH_SPECIFIC_TARGET = 9
FIRST_MAJOR_WITH_OWN_CACHE = 13


class Compilation(NamedTuple):
    """Machine code for one architecture and what the compiler said of the entry."""

    cubin: bytes
    report: CompilerReport


def architecture_of(compute_capability: tuple[int, int]) -> str:
    """Compiler target of a device: (9, 0) is sm_90a, (8, 6) is sm_86."""
    major, minor = compute_capability
    return f"sm_{major}{minor}" + ("a" if major >= FIRST_MAJOR_WITH_SPECIFIC_TARGET else "")


def nvrtc_version() -> str:
    """Version such as "13.0". Raises UnavailableError where NVRTC cannot be loaded."""
    _, version = _load()
    return version


def compile_cubin(
    source: str,
    entry: str,
    architecture: str,
    options: Sequence[str] = (),
    *,
    cache_dir: Path | None = None,
) -> Compilation:
    """Compile `source` for `architecture` ("sm_90a") and report on its kernel `entry`.

    With cache_dir, a result is kept under the hash of source, entry, options, architecture and NVRTC
    version; an unreadable entry is compiled anew. Raises CompileFailure with the compiler's first error
    line, UnavailableError where NVRTC cannot be loaded.
    """
    nvrtc, version = _load()
    all_options = (f"--gpu-architecture={architecture}", *_report_options(version), *options)
    path = cache_dir / f"{_key(source, entry, all_options, version)}.json" if cache_dir else None
    kept = _read(path) if path else None
    if kept is not None:
        return kept
    cubin, log = _compile(nvrtc, source, entry, all_options)
    report = replace(
        parse_report(log, entry, f"NVRTC {version}", architecture),
        options=all_options,
        cubin_sha256=hashlib.sha256(cubin).hexdigest(),
    )
    compilation = Compilation(cubin, report)
    if path:
        _write(path, compilation)
    return compilation


def parse_report(log: str, entry: str, compiler: str, architecture: str) -> CompilerReport:
    """Read ptxas's lines about `entry` from a log of one or several kernels.

    Raises CompileFailure when the log does not mention the entry: the source has no such kernel.
    """
    found = re.search(
        rf"Compiling entry function '{re.escape(entry)}' for.*?(?=Compiling entry function|\Z)",
        log,
        re.DOTALL,
    )
    if found is None:
        raise CompileFailure(f'The source compiles but has no kernel called {entry!r} (extern "C" missing?).')
    section = found.group()

    def number(pattern: str) -> int:
        match = re.search(pattern, section)
        return int(match.group(1)) if match else 0

    return CompilerReport(
        compiler=compiler,
        architecture=architecture,
        registers=number(r"Used (\d+) registers"),
        spill_store_bytes=number(r"(\d+) bytes spill stores"),
        spill_load_bytes=number(r"(\d+) bytes spill loads"),
        stack_bytes=number(r"(\d+) bytes stack frame"),
        static_shared_bytes=number(r"(\d+) bytes smem"),
        log=log,
    )


def _report_options(version: str) -> tuple[str, ...]:
    """Make the log hold the report: NVRTC 13 may answer from a cache of its own, without ptxas's lines."""
    has_own_cache = int(version.split(".")[0]) >= FIRST_MAJOR_WITH_OWN_CACHE
    return ("--ptxas-options=-v", "--no-cache") if has_own_cache else ("--ptxas-options=-v",)


def _load() -> tuple[Any, str]:
    try:
        from cuda.bindings import nvrtc

        _, major, minor = nvrtc.nvrtcVersion()
    except (ImportError, RuntimeError, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnavailableError(MISSING.format(reason=reason)) from error
    return nvrtc, f"{major}.{minor}"


def _compile(nvrtc: Any, source: str, entry: str, options: Sequence[str]) -> tuple[bytes, str]:  # noqa: ANN401
    status, program = nvrtc.nvrtcCreateProgram(source.encode(), f"{entry}.cu".encode(), 0, None, None)
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise CompileFailure(f"NVRTC could not take the source of {entry}: {status.name}.")
    try:
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
        log = _text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).decode(errors="replace")
        log = re.sub(r"ptxas info\s*: Compile time.*\n?", "", log.rstrip("\0 \n"))
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise CompileFailure(f"{entry} does not compile: {_first_error(log) or status.name}")
        return _text(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program), log
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _text(size_of: Any, read: Any, program: Any) -> bytes:  # noqa: ANN401
    _, size = size_of(program)
    # The binding writes into the bytes object it is given; Python shares those of length 0 and 1.
    content: bytes = b" " * (size + 2)
    read(program, content)
    return content[:size]


def _first_error(log: str) -> str | None:
    return next((line.strip() for line in log.splitlines() if re.search(r"\berror\b|\bfatal\b", line)), None)


def _key(source: str, entry: str, options: Sequence[str], version: str) -> str:
    return hashlib.sha256(json.dumps([source, entry, *options, version]).encode()).hexdigest()


def _read(path: Path) -> Compilation | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        cubin = base64.b64decode(kept["cubin"])
        report = CompilerReport(**{**kept["report"], "options": tuple(kept["report"]["options"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None
    is_whole = hashlib.sha256(cubin).hexdigest() == report.cubin_sha256
    return Compilation(cubin, report) if is_whole else None


def _write(path: Path, compilation: Compilation) -> None:
    text = json.dumps(
        {"cubin": base64.b64encode(compilation.cubin).decode(), "report": asdict(compilation.report)}
    )
    # A full or read-only disk costs the next start a second compilation, not this measurement.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, suffix=".part", delete=False, encoding="utf-8"
        ) as part:
            part.write(text)
        Path(part.name).replace(path)
