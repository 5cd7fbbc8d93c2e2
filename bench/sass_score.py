"""Ranks kernels by their machine code, without a GPU: spills, mix of the busiest loop, register banks.

    python -m bench.sass_score PROBLEM/STAGE... | --race bench.fp32_race [--arch sm_90a] [-DNAME=VALUE]...

The best issue share first: the share of modelled cycles in which a float32 multiply-add is issued. Registers
are assigned by the compiler's version, so score with the NVRTC that the GPU's machine has.
"""

from __future__ import annotations

import argparse
import importlib
from concurrent.futures import ThreadPoolExecutor

from app.analysis.sass import parse
from app.analysis.sass_score import score
from app.backends import nvrtc
from app.backends.disassemble import disassembled
from app.domain.errors import CompileFailure
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Stage

COMPILERS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="PROBLEM/STAGE")
    parser.add_argument("--race", help="module with RACE: all its variants")
    parser.add_argument("--arch", default="sm_90a")
    arguments, options = parser.parse_known_args()
    named = [registry.stage(*_split(name)) for name in arguments.stages]
    raced = importlib.import_module(arguments.race).RACE.variants if arguments.race else ()
    with ThreadPoolExecutor(COMPILERS) as pool:
        lines = list(pool.map(lambda s: line_of(s, arguments.arch, options), (*named, *raced)))
    for _, line in sorted(lines, reverse=True):
        print(line)


def _split(name: str) -> tuple[str, BackendName, str]:
    problem, _, stage = name.partition("/")
    return problem, BackendName.CUDA, stage


def line_of(stage: Stage, architecture: str, options: list[str]) -> tuple[float, str]:
    """Issue share, and the line to print."""
    text = stage.source.read_text(encoding="utf-8")
    try:
        cubin, report = nvrtc.compile_cubin(
            text, stage.entry, architecture, (*stage.compile_options, *options)
        )
    except CompileFailure as failure:
        return -1.0, f"{stage.name:32s} {failure}"
    loop = score(parse(disassembled(cubin), stage.entry))
    if loop is None:
        return -1.0, f"{stage.name:32s} the disassembly has no such kernel"
    return loop.issue_fraction, (
        f"{stage.name:32s} issue {loop.issue_fraction:6.3f}  mix {loop.multiply_add_fraction:6.3f}"
        f"  {loop.multiply_adds} of {loop.instructions}, {loop.shared_loads} shared loads"
        f"  banks {loop.conflict_cycles} cycles, {loop.renamed} moved, {loop.kept_operands} kept"
        f"  {report.registers} registers, {report.spill_bytes} B spilled"
    )


if __name__ == "__main__":
    main()
