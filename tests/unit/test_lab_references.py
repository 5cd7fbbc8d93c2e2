"""What every problem outside the ladders declares can be drawn, and its reference computed, on the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from app.backends.workspace import Workspace
from app.domain.size import Size
from app.domain.vocabulary import ProblemKind
from app.kernels import registry
from app.kernels.experiment import experiments
from app.kernels.problem import Problem

LAB = [
    pytest.param(problem, size, id=f"{problem.name}-{size.key}")
    for problem in registry.problems().values()
    for size in problem.check_sizes
    if problem.kind is not ProblemKind.TRAP  # wrong on purpose
]


def draw(array: np.ndarray, seed: int) -> None:
    array[...] = np.random.default_rng(seed).standard_normal(array.shape)


@pytest.mark.parametrize(("problem", "size"), LAB)
def test_a_kernel_that_writes_the_reference_passes_and_a_wrong_one_fails(
    problem: Problem, size: Size
) -> None:
    workspace = Workspace(np, problem, size, problem.dtypes[0], draw)
    outputs = {t.name for t in problem.tensors(size) if t.is_output}
    inputs = {name: array for name, array in workspace.arrays.items() if name not in outputs}

    def right() -> None:
        for name, value in problem.reference(np, inputs, size).items():
            workspace.arrays[name][...] = value

    assert workspace.check(right, seed=1).passed_before
    assert not workspace.check(lambda: None, seed=2).passed_before, "unwritten output is found"


def test_every_experiment_names_sizes_and_stages_of_its_problem() -> None:
    assert experiments()
    for experiment in experiments().values():
        problem = registry.problem(experiment.problem)
        assert set(experiment.sizes) <= set(problem.suite_sizes)
        assert experiment.cache in problem.caches
        assert experiment.axis is None or experiment.axis in {p.name for p in problem.size_parameters}
        assert experiment.lesson.count(".") >= 2
