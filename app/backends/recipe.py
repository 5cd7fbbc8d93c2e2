"""What is needed to run a measurement again."""

from __future__ import annotations

import hashlib

from app.domain.measurement import CompilerReport, Recipe
from app.domain.size import Size
from app.kernels.problem import Problem
from app.kernels.stage import Launch, Stage


def source_of(stage: Stage) -> tuple[str, str]:
    """SHA-256 (hex) and text of the stage's source file."""
    text = stage.source.read_text(encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest(), text


def recipe_of(
    stage: Stage,
    problem: Problem,
    size: Size,
    *,
    compile_options: tuple[str, ...],
    compiler: CompilerReport | None = None,
    library: str | None = None,
) -> Recipe:
    """Source, options, launch and arguments of one cell, the arguments in the order of the kernel's own."""
    launch = stage.launch(size) if stage.launch else None
    return Recipe(
        source_sha256=source_of(stage)[0],
        entry=stage.entry,
        compile_options=compile_options,
        grid=launch.grid if launch else None,
        block=launch.block if launch else None,
        dynamic_shared_bytes=launch.dynamic_shared_bytes if launch else 0,
        arguments=_arguments(stage, problem, size, launch),
        cubin_sha256=compiler.cubin_sha256 if compiler else None,
        library=library,
    )


def _arguments(stage: Stage, problem: Problem, size: Size, launch: Launch | None) -> tuple[str, ...]:
    scratch = (f"scratch of {stage.scratch_bytes(size)} bytes",) if stage.scratch_bytes else ()
    index = (f"launch 0 to {launch.count - 1}",) if launch and launch.launches else ()
    return (
        *(f"{t.name}{list(t.shape)}" for t in problem.tensors(size)),
        *scratch,
        *(str(scalar) for scalar in problem.scalars(size)),
        *index,
        *(f"tensor map of {m.tensor}, box {m.box[0]}x{m.box[1]}" for m in stage.tensor_maps),
    )
