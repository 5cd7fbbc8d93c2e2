import json

from app.domain.cell_progress import CellProgress, CellState
from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype

KEY = CellKey("matmul", "naive", Size.of(m=256, n=128, k=64), Dtype.FLOAT32)


def test_a_cell_survives_the_way_through_json() -> None:
    cell = CellProgress(
        KEY, CellState.SAMPLING, CacheState.WARM, 40, 1.5e-3, 0.007, 4, 1.98e9, 2.8e9, "throttled"
    )
    assert CellProgress.from_data(json.loads(json.dumps(cell.as_data()))) == cell


def test_only_ended_cells_are_final() -> None:
    final = {state for state in CellState if state.is_final}
    assert final == {
        CellState.DONE,
        CellState.SKIPPED,
        CellState.UNSUPPORTED,
        CellState.WRONG_RESULT,
        CellState.FAILED,
    }
    assert not any(state.is_working for state in final)
