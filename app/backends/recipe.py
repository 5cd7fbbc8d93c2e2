"""What is needed to run a measurement again."""

from __future__ import annotations

import hashlib

from app.domain.measurement import CompilerReport, Recipe
from app.domain.size import Size
from app.kernels.problem import Problem
from app.kernels.stage import Stage


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
    """Source, options, launch and arguments of one cell. Arguments: tensors by name, then the scalars."""
    launch = stage.launch(size) if stage.launch else None
    index = (f"launch 0 to {launch.count - 1}",) if launch and launch.launches else ()
    tensors = tuple(f"{t.name}{list(t.shape)}" for t in problem.tensors(size))
    return Recipe(
        source_sha256=source_of(stage)[0],
        entry=stage.entry,
        compile_options=compile_options,
        grid=launch.grid if launch else None,
        block=launch.block if launch else None,
        dynamic_shared_bytes=launch.dynamic_shared_bytes if launch else 0,
        arguments=(*tensors, *(str(scalar) for scalar in problem.scalars(size)), *index),
        cubin_sha256=compiler.cubin_sha256 if compiler else None,
        library=library,
    )
