"""The stride sweep."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.experiment import Experiment, Unit
from app.kernels.stage import Stage


def _useful_read(cell: MeasuredCell) -> float | None:
    """Only the words that were asked for, in bytes per second."""
    measured = cell.measurement
    return measured.key.size["n"] * Dtype.FLOAT32.item_bytes / measured.median_s


def _theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Every sector that a warp touches is moved whole, at the copy roof."""
    roof = evidence.roof("dram_copy")
    moved = stage.cost(size, Dtype.FLOAT32).bytes_by_level[Level.DRAM]
    return size["n"] * Dtype.FLOAT32.item_bytes * roof / moved if roof else None


EXPERIMENTS = (
    Experiment(
        name="stride",
        title="Stride sweep",
        question="What does a gap between neighbouring lanes cost?",
        lesson="Memory moves sectors of 32 bytes. At stride 2 half of each sector is thrown away, at 8 and "
        "beyond seven eighths: the fall ends there by theory. What falls further on a device is not sectors "
        "but rows of DRAM and address translation, which larger strides touch more of.",
        problem="strided_access",
        axis="stride",
        axis_title="Stride in words",
        value_title="Useful bytes read",
        unit=Unit.BYTES_PER_S,
        value=_useful_read,
        theory=_theory,
        theory_title="sectors moved at the copy roof",
        source="L22 §7.1",
        logarithmic=True,
        order=20,
    ),
)
