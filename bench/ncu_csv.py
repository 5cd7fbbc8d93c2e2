"""Reading Nsight Compute's CSV: time beside pandas, memory over file sizes.

    python -m bench.ncu_csv            # needs pandas, as a baseline only

Files are made from a committed capture: its head, its units and the form of each of its cells, with other
digits in every row, so that no reader can live off repeated cells. Each figure is the best of several rounds
in which the readers take turns. Ours ends with domain objects: values in base units, missing cells told
apart, raw text kept; pandas ends with a frame of floats.
"""

from __future__ import annotations

import argparse
import csv
import gc
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.ncu.reading import read_report
from app.ncu.units import unit_of

CAPTURES = Path(__file__).parents[1] / "tests" / "data" / "ncu"
WIDE, LONG = CAPTURES / "bank_conflict_benchmark.raw.csv", CAPTURES / "bank_conflict_benchmark.details.csv"
WIDE_LAUNCHES, LONG_ROWS = 500, 200_000
MEMORY_MB = (10, 100, 500)


def _other_digits(cell: str, rng: random.Random) -> str:
    """A cell of the same form: each digit after the first becomes another one."""
    if len(cell) < 2 or not cell[0].isdigit():
        return cell
    return cell[0] + "".join(str(rng.randrange(10)) if c.isdigit() else c for c in cell[1:])


def _rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def _line(cells: list[str]) -> str:
    """As ncu prints it: every cell quoted, a short row ends behind a comma."""
    end = "," if cells[-1] == "" else ""
    cells = cells[:-1] if end else cells
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + end + "\n"


def write_wide(path: Path, launches: int) -> None:
    """A raw page with that many launches."""
    head, units, row = _rows(WIDE)[:3]
    first = head.index("CC") + 1
    rng = random.Random(5)
    with path.open("w", encoding="utf-8", newline="") as out:
        out.write(_line(head) + _line(units))
        for number in range(launches):
            values = [_other_digits(cell, rng) for cell in row[first:]]
            out.write(_line([str(number), *row[1:first], *values]))


def write_long(path: Path, rows: int) -> None:
    """A details page with that many rows, the tool's rules among them."""
    head, *body = _rows(LONG)
    one = [row for row in body if row[0] == "0"]
    value = head.index("Metric Value")
    rng = random.Random(5)
    with path.open("w", encoding="utf-8", newline="") as out:
        out.write(_line(head))
        for count in range(rows):
            number, place = divmod(count, len(one))
            row = [str(number), *one[place][1:]]
            row[value] = _other_digits(row[value], rng)
            out.write(_line(row))


def pandas_by_column(path: Path) -> Any:
    """Text cells, then each column without commas, as numbers, in base units."""
    import pandas as pd

    frame = pd.read_csv(path, dtype=str)
    units = frame.iloc[0]
    frame = frame.iloc[1:]
    first = frame.columns.get_loc("CC") + 1
    cleaned = {}
    for name in frame.columns[first:]:
        numbers = pd.to_numeric(frame[name].str.replace(",", "", regex=False), errors="coerce")
        unit = units[name]
        cleaned[name] = numbers * (unit_of(unit).scale if isinstance(unit, str) else 1.0)
    return pd.DataFrame(cleaned)


def pandas_thousands(path: Path) -> Any:
    """As it comes: the row of units makes text of every column."""
    import pandas as pd

    return pd.read_csv(path, thousands=",", low_memory=False)


def pandas_without_units(path: Path) -> Any:
    """As fast as pandas reads such a page: no units, no text kept, nothing checked."""
    import pandas as pd

    return pd.read_csv(path, thousands=",", skiprows=[1])


def best_of(rounds: int, readers: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Least seconds of each reader; they take turns."""
    times: dict[str, float] = dict.fromkeys(readers, float("inf"))
    for _ in range(rounds):
        for name, read in readers.items():
            gc.collect()
            start = time.perf_counter()
            kept = read()
            times[name] = min(times[name], time.perf_counter() - start)
            del kept
    return times


def race_wide(folder: Path, rounds: int) -> None:
    path = folder / "wide.csv"
    write_wide(path, WIDE_LAUNCHES)
    times = best_of(
        rounds,
        {
            "ours": lambda: read_report(path),
            "pandas, text then by column": lambda: pandas_by_column(path),
            "pandas, thousands=','": lambda: pandas_thousands(path),
            "pandas, the same without units": lambda: pandas_without_units(path),
        },
    )
    _tell(f"wide, {WIDE_LAUNCHES} launches, {path.stat().st_size / 1e6:.1f} MB", times)


def race_long(folder: Path, rounds: int) -> None:
    path = folder / "long.csv"
    write_long(path, LONG_ROWS)
    times = best_of(rounds, {"ours": lambda: read_report(path), "pandas": lambda: pandas_thousands(path)})
    _tell(f"details, {LONG_ROWS} rows, {path.stat().st_size / 1e6:.1f} MB", times)


def _tell(title: str, times: dict[str, float]) -> None:
    print(title)
    for name, seconds in times.items():
        print(f"  {name:32} {seconds:7.3f} s   {seconds / times['ours']:5.2f} × ours")


_CHILD = """
import re, sys, time
from pathlib import Path
from app.ncu.reading import open_csv

def resident_mb(which):
    return int(re.search(which + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

idle, start, launches = resident_mb("VmRSS"), time.perf_counter(), 0
with open_csv(Path(sys.argv[1])) as stream:
    for launch in stream:
        launches += 1
print(launches, resident_mb("VmHWM") - idle, time.perf_counter() - start)
"""


def _grow(source: Path, target: Path, head_lines: int, megabytes: int) -> None:
    """The launches of a file over and over, numbered on."""
    head, body = [], []
    with source.open(encoding="utf-8", newline="") as stream:
        for place, line in enumerate(stream):
            (head if place < head_lines else body).append(line)
    cut = [line.partition(",") for line in body]
    step = 1 + max(int(number.strip('"')) for number, _, _ in cut)
    rows = [(int(number.strip('"')), rest) for number, _, rest in cut]
    with target.open("w", encoding="utf-8", newline="") as out:
        out.writelines(head)
        for turn in range(max(1, round(megabytes * 1e6 / source.stat().st_size))):
            out.writelines(f'"{turn * step + number}",{rest}' for number, rest in rows)


def memory(folder: Path) -> None:
    """Peak resident memory above idle while a file streams by, a process a file."""
    source, path = folder / "once.csv", folder / "grown.csv"
    for kind, head_lines, write, count in (
        ("wide", 2, write_wide, WIDE_LAUNCHES),
        ("long", 1, write_long, LONG_ROWS // 5),
    ):
        write(source, count)
        for megabytes in MEMORY_MB:
            _grow(source, path, head_lines, megabytes)
            told = subprocess.run(
                [sys.executable, "-c", _CHILD, str(path)], capture_output=True, text=True, check=True
            )
            launches, peak, seconds = told.stdout.split()
            told_of = f"{kind:5} {path.stat().st_size / 1e6:6.1f} MB {launches:>7} launches"
            print(f"  {told_of}: {float(peak):6.1f} MiB, {float(seconds):6.2f} s")
            path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-memory", action="store_true", help="Only the races.")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        race_wide(folder, options.rounds)
        race_long(folder, options.rounds)
        if not options.no_memory:
            memory(folder)


if __name__ == "__main__":
    main()
