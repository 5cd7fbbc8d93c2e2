"""Coverage-guided fuzzing of the readers of Nsight Compute's files; not part of the tests.

    pip install atheris
    python -m tools.fuzz_ncu csv -runs=100000      # or: rep
    python -m tools.fuzz_ncu csv crash-…           # one input again

Seeds are the committed captures, cut short. Every input must give a report that holds together, in bounded
time; options behind the reader's name are libFuzzer's.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["app.ncu"]):
    from app.ncu.reading import read_bytes
    from app.ncu.rep_framing import MAGIC

SEEDS = Path(__file__).parents[1] / "tests" / "data"
SEED_BYTES = 3_000
LONGEST_S = 10


def check(data: bytes) -> None:
    """Raises AssertionError where a report says neither what it holds nor why it holds nothing."""
    report = read_bytes(data)
    assert report.launches or report.error is not None
    for launch in report.launches:
        assert len(launch.metrics.raw) == len(launch.metrics.base_values) == len(list(launch.metrics))


READERS: dict[str, tuple[str, Callable[[bytes], None]]] = {
    "csv": ("*.csv", check),
    "rep": ("*.ncu-rep", lambda data: check(MAGIC + data)),
}


def main() -> None:
    """Fuzz until `-runs` inputs are done or one fails."""
    pattern, target = READERS[sys.argv.pop(1)]
    with tempfile.TemporaryDirectory() as corpus:
        for number, path in enumerate(sorted(SEEDS.rglob(pattern))):
            (Path(corpus) / str(number)).write_bytes(path.read_bytes().removeprefix(MAGIC)[:SEED_BYTES])
        options = [f"-timeout={LONGEST_S}", f"-max_len={2 * SEED_BYTES}", corpus]
        atheris.Setup([*sys.argv, *options], target)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
