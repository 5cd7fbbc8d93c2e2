"""One step of one coordinate of a 28-byte particle, from two layouts of the same particles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.problem import Problem, SizeParameter, Tensor

FIELDS = 7  # position, velocity, mass: 28 bytes
POSITION, VELOCITY = 0, 3


def _tensors(size: Size) -> tuple[Tensor, ...]:
    n = size["n"]
    return (Tensor("aos", (n, FIELDS)), Tensor("soa", (FIELDS, n)), Tensor("y", (n,), is_output=True))


def _draw(xp: Any, size: Size, seed: int) -> Mapping[str, Any]:  # noqa: ANN401
    aos = xp.random.default_rng(seed).standard_normal((size["n"], FIELDS), dtype=xp.float32)
    return {"aos": aos, "soa": aos.T}


def _reference(xp: Any, inputs: Mapping[str, Any], size: Size) -> Mapping[str, Any]:  # noqa: ANN401
    position, velocity = inputs["soa"][POSITION], inputs["soa"][VELOCITY]
    return {"y": position.astype(xp.float64) + 0.5 * velocity.astype(xp.float64)}


PROBLEM = Problem(
    name="particle_layout",
    title="Particle layout",
    question="What does an array of structures cost when two of its seven fields are read?",
    size_parameters=(SizeParameter("n", "Particles", 1, 2**27, 2**20),),
    dtypes=(Dtype.FLOAT32,),
    tensors=_tensors,
    scalars=lambda size: (size["n"],),
    reference=_reference,
    tolerance=lambda size, dtype: 2.0**-23,
    size_title=lambda size: f"{size['n']} particles",
    kind=ProblemKind.EXPERIMENT,
    draw=_draw,
    suite_sizes=(Size.of(n=2**25),),
    check_sizes=tuple(Size.of(n=n) for n in (1, 33, 1000, 4096)),
    caches=(CacheState.COLD,),
)
