"""y = x, with a stage that never returns and says so."""

from __future__ import annotations

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

PROBLEM = Problem(
    name="hanging_trap",
    title="Hanging trap",
    question="Is a trap that hangs ended by its own deadline?",
    size_parameters=(SizeParameter("n", "Elements", 1, 1 << 20, 100),),
    dtypes=(Dtype.FLOAT32,),
    tensors=lambda size: (Tensor("x", (size["n"],)), Tensor("y", (size["n"],), is_output=True)),
    scalars=lambda size: (size["n"],),
    reference=lambda xp, inputs, size: {"y": inputs["x"]},
    tolerance=lambda size, dtype: 0.0,
    size_title=lambda size: f"{size['n']}",
    kind=ProblemKind.TRAP,
    suite_sizes=(Size.of(n=100),),
    check_sizes=(Size.of(n=1),),
    caches=(CacheState.WARM,),
)
