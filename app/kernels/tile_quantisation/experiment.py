"""The sweep over rows as time and as a rate, beside what whole tiles and whole waves say."""

from __future__ import annotations

from dataclasses import replace

from app.analysis.quantisation import matmul_tiles, waves
from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype
from app.kernels.experiment import Experiment, Theory, TheoryLine, Unit, median_time
from app.kernels.stage import Stage
from app.kernels.tile_quantisation.problem import FIRST_ROWS, LAST_ROWS, PROBLEM, TILE, K, N

# The models take the time of one wave from here and say the rest.
ANCHOR = Size.of(m=4096, n=N, k=K)


def tiles_of_size(size: Size) -> int:
    """Blocks of the launch."""
    return matmul_tiles(size["m"], size["n"], TILE, TILE)


def rate(cell: MeasuredCell) -> float | None:
    """FLOP of the results that exist over the median time."""
    return cell.measurement.flop_per_s


def wave_s(stage: Stage, evidence: DeviceEvidence) -> float | None:
    """Seconds of one wave: the anchor's time over its waves; None where it was not measured."""
    sms = evidence.device.multiprocessor_count
    found = evidence.sound(PROBLEM.name, stage.name, ANCHOR, CacheState.WARM, Dtype.FLOAT32)
    if found is None or not sms:
        return None
    return found.measurement.median_s / waves(tiles_of_size(ANCHOR), sms)


def time_by_waves(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Whole waves: a wave with one block takes as long as a full one."""
    one, sms = wave_s(stage, evidence), evidence.device.multiprocessor_count
    return one * waves(tiles_of_size(size), sms) if one and sms else None


def time_by_tiles(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Whole tiles, shared out over the multiprocessors as if a tile could be divided among them."""
    one, sms = wave_s(stage, evidence), evidence.device.multiprocessor_count
    return one * tiles_of_size(size) / sms if one and sms else None


def rate_of(time: Theory) -> Theory:
    """The FLOP of a size over what a model of its time says."""

    def theory(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
        seconds = time(stage, size, evidence)
        return stage.cost(size, Dtype.FLOAT32).flop / seconds if seconds else None

    return theory


SWEEP = Experiment(
    name="tile_quantisation",
    title="Tiles and waves over the rows",
    question="What do one more row, one more tile and one more wave cost?",
    lesson="Tiles are 128×128 and an SM holds one block. One row over the edge of a tile adds a row of tiles "
    "that compute almost nothing: tile quantisation. Time moves only when they no longer fit the waves that "
    "are paid for: wave quantisation. On 132 SMs, 4097 rows make exactly eight full waves and cost nothing; "
    "4225 rows begin a ninth.",
    problem=PROBLEM.name,
    axis="m",
    axis_title=f"Rows of C, N {N}, K {K}",
    value_title="Time",
    unit=Unit.SECONDS,
    value=median_time,
    theory=time_by_waves,
    theory_title="whole waves",
    further_theories=(TheoryLine("whole tiles, shared out", time_by_tiles),),
    source="L24 §0.3",
    cache=CacheState.WARM,
    ticks=tuple(range(FIRST_ROWS, LAST_ROWS + 1, TILE)),
    from_zero=False,
    order=200,
)
EXPERIMENTS = (
    SWEEP,
    replace(
        SWEEP,
        name="quantised_rate",
        title="What quantisation leaves of the rate",
        question="Which sizes waste least?",
        lesson="Within a wave every further row is nearly free: the rate climbs until the wave is full and "
        "drops when the next begins. A size just past a drop is the one to avoid or to pad down. Between the "
        "two lines lies what smaller tiles, slices of k or a persistent kernel can win back.",
        value_title="Rate",
        unit=Unit.FLOP_PER_S,
        value=rate,
        theory=rate_of(time_by_waves),
        further_theories=(TheoryLine("whole tiles, shared out", rate_of(time_by_tiles)),),
        order=201,
    ),
)
