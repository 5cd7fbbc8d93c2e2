"""Names of stages and problems as short labels."""

from __future__ import annotations

from app.domain.vocabulary import Dtype
from app.services.ladder_rows import LadderRow
from app.web import formatting


def stage_label(stage: str, dtype: Dtype, longest: int) -> str:
    """The stage's name without the element type that the whole chart is about."""
    return formatting.shortened(stage.removesuffix(f"_{formatting.dtype_title(dtype).lower()}"), longest)


def row_label(row: LadderRow, dtype: Dtype, longest: int) -> str:
    """A library line by its title, any other rung by its name."""
    if row.reference:
        return formatting.shortened(row.title, longest)
    return stage_label(row.stage, dtype, longest)


def problem_word(problem: str) -> str:
    """ "Tensor matmul" for tensor_matmul."""
    return problem.replace("_", " ").capitalize()
