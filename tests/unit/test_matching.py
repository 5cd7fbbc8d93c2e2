"""Foreign launches find their stage, and say how sure that is."""

from __future__ import annotations

import pytest

from app.domain.cell_range import cell_of_range, cell_range
from app.domain.errors import InvalidInputError, NotFoundError
from app.domain.kept_report import MatchHow
from app.domain.measurement import CellKey
from app.domain.report import LaunchKind, LaunchProfile
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.services.kernel_aliases import ALIASES, LIBRARY_NAMES
from app.services.kernel_words import function_name, words_of
from app.services.matching import corrected_match, match_of
from app.services.stage_launches import known_stages

Shape = tuple[int, int, int]
CUBE = "m=4096,n=4096,k=4096"


def launch(
    kernel: str, grid: Shape | None = None, block: Shape | None = None, **more: object
) -> LaunchProfile:
    return LaunchProfile(0, 1, kernel, grid=grid, block=block, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kernel", "function"),
    [
        ("transpose_conflict(const float *, float *, int, int)", "transpose_conflict"),
        ("void transform_kernel<float, Cfg<float, 32, 1>>(const T1 *, T1 *, int, T2)", "transform_kernel"),
        ("<unnamed>::anon_reduce(const float *, float *, int)", "anon_reduce"),
        ("unnamed>::anon_reduce(const float *)", "anon_reduce"),
        ("void apply<main::[lambda(float) (instance 1)]>(T1, float *, int)", "apply"),
        ("void a::b<(anonymous namespace)::C>::d(int)", "d"),
        ("_Z6saxpyNifPf", "saxpyN"),
        ("_ZN2ns5naiveIfEEvPKf", "naive"),
        ("_Z99999x", "_Z99999x"),
        ("plain", "plain"),
        ("", ""),
        ("(((", "((("),
    ],
)
def test_a_kernels_name_is_brought_to_its_function(kernel: str, function: str) -> None:
    assert function_name(kernel) == function


def test_words_of_a_name() -> None:
    assert words_of("gemm_2d_RegisterTilingHMMA") == {"gemm", "2d", "register", "tiling", "hmma"}


def test_our_own_range_is_certain() -> None:
    key = CellKey("matmul", "naive", Size.of(m=64, n=65, k=66), Dtype.FLOAT32)
    assert cell_of_range(cell_range(key)) == key
    match = match_of(launch("whatever", nvtx=("step", cell_range(key))))
    assert (match.problem, match.stage, match.size, match.dtype) == ("matmul", "naive", key.size, key.dtype)
    assert (match.confidence, match.how) == (1.0, MatchHow.EXACT)


@pytest.mark.parametrize(
    "name",
    ["roofladder:", "roofladder:naive:m=1:float32", "roofladder:a/b:m=x:float32", "roofladder:a/b:m=1:f"],
)
def test_a_range_of_another_form_is_none_of_ours(name: str) -> None:
    assert cell_of_range(name) is None
    assert match_of(launch("unheard_of()", nvtx=(name,))).stage is None


def test_each_stage_is_found_by_its_own_launch() -> None:
    wrong = []
    for known in known_stages():
        for size, shape in known.launches[:2]:
            match = match_of(launch(f"{known.stage.entry}(void *)", shape.grid, shape.block))
            sharers = [k.stage.name for k in known_stages() if k.stage.entry == known.stage.entry]
            if match.stage not in sharers or match.confidence < 0.3:
                wrong.append((known.problem.name, known.stage.name, size.key, match))
    assert wrong == []


@pytest.mark.parametrize(
    ("kernel", "grid", "block", "stage", "size"),
    [
        ("transpose_conflict(const float *)", (256, 256, 1), (32, 8, 1), "tile32", "rows=8192,columns=8192"),
        ("transpose_padded(const float *)", (256, 256, 1), (32, 8, 1), "tile33", "rows=8192,columns=8192"),
        ("strided_read_kernel(const float *)", (262144, 1, 1), (256, 1, 1), "strided", None),
        ("gemm_naive(const float *)", (64, 64, 1), (16, 16, 1), "naive", None),
        ("gemm_2d_register_tiling_kernel(const float *)", (32, 32, 1), (16, 16, 1), "register_tile", None),
        ("gemm_double_buffering_kernel(const float *)", (32, 32, 1), (16, 16, 1), "double_buffer", None),
        ("wmma_gemm_fp16_kernel(const __half *)", (128, 128, 1), (128, 1, 1), "wmma_global_fp16", CUBE),
        ("kernel_forced_occupancy_spill(float *, int)", (4096, 1, 1), (256, 1, 1), "lecture_forced", None),
        ("scalar_copy_kernel(const float *)", (1048576, 1, 1), (256, 1, 1), "scalar", "n=268435456"),
        ("void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_nn>(T1)", None, None, "cublas", None),
        ("sm90_xmma_gemm_f16f16_f16f32_f32_nn_n_tilesize128x128x64", None, None, "cublas_fp16", None),
    ],
)  # fmt: skip
def test_textbook_kernels_find_the_stage_that_does_the_same(
    kernel: str, grid: Shape | None, block: Shape | None, stage: str, size: str | None
) -> None:
    match = match_of(launch(kernel, grid, block))
    assert (match.stage, match.size.key if match.size else None) == (stage, size)
    assert 0.3 <= match.confidence < 1
    assert match.how is MatchHow.AUTOMATIC
    assert len(match.reasons) >= 1


def test_grid_and_block_raise_the_confidence() -> None:
    stage = registry.stage("matmul", BackendName.CUDA, "block_tile")
    assert stage.launch is not None
    shape = stage.launch(Size.of(m=2048, n=2048, k=2048))
    fitting = match_of(launch("coalesced(float *)", *_shape("coalesced", 2048)))
    other_grid = match_of(launch("coalesced(float *)", (7, 7, 7), _shape("coalesced", 2048)[1]))
    nameless_shape = match_of(launch("coalesced(float *)"))
    other_block = match_of(launch("coalesced(float *)", shape.grid, (1, 1, 1)))
    found = [one.confidence for one in (fitting, other_grid, nameless_shape, other_block)]
    assert found == sorted(found, reverse=True)
    assert fitting.size == Size.of(m=2048, n=2048, k=2048)


def _shape(stage: str, side: int) -> tuple[Shape, Shape]:
    launch = registry.stage("matmul", BackendName.CUDA, stage).launch
    assert launch is not None
    shape = launch(Size.of(m=side, n=side, k=side))
    return shape.grid, shape.block


@pytest.mark.parametrize(
    "kernel", ["spilly(float *, int)", "", "x" * 100_000, "<<<<>>>>((((", "_Z", "main", "=1+1"]
)
def test_what_is_like_nothing_here_stays_without_a_stage(kernel: str) -> None:
    match = match_of(launch(kernel, (1, 1, 1), (1, 1, 1)))
    assert (match.problem, match.stage, match.confidence) == (None, None, 0.0)
    assert match.reasons


def test_a_range_of_launches_is_no_kernel() -> None:
    match = match_of(launch("naive", kind=LaunchKind.RANGE))
    assert (match.stage, match.reasons) == (None, ("It is a range, not one kernel.",))


def test_every_alias_names_a_stage() -> None:
    for alias in (*ALIASES, *LIBRARY_NAMES):
        registry.stage(alias.problem, BackendName.CUDA, alias.stage)


def test_a_person_has_the_last_word() -> None:
    match = corrected_match("matmul", "naive", "m=1,n=2,k=3", None)
    assert (match.size, match.dtype, match.confidence) == (Size.of(m=1, n=2, k=3), Dtype.FLOAT32, 1.0)
    assert corrected_match(None, None, None, None).how is MatchHow.CORRECTED
    for problem, stage in (("matmul", None), (None, "naive")):
        with pytest.raises(InvalidInputError, match="go together"):
            corrected_match(problem, stage, None, None)
    with pytest.raises(NotFoundError):
        corrected_match("matmul", "nothing", None, None)
    for size in ("m=1", "n=1,m=1,k=1", "many", "m=1,n=2,k=x"):
        with pytest.raises(InvalidInputError, match="size is not of the form m=…,n=…,k=…"):
            corrected_match("matmul", "naive", size, None)
    with pytest.raises(InvalidInputError, match="float64"):
        corrected_match("matmul", "naive", None, "float64")
