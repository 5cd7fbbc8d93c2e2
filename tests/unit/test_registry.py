"""The order in which the registry shows a ladder."""

from __future__ import annotations

from app.domain.vocabulary import BackendName
from app.kernels import registry


def test_a_branch_stands_together_and_the_longest_comes_last() -> None:
    names = [s.name for s in registry.stages("matmul", BackendName.CUDA)]
    own = [s.name for s in registry.stages("matmul", BackendName.CUDA) if not s.reference]
    assert own[-1] == "hopper_streamk"
    assert own.index("row_split") == own.index("split_k") + 1
    assert own.index("split_k") == own.index("double_buffer") + 1
    assert names[len(own) :] == ["cublas", "cublaslt"]
