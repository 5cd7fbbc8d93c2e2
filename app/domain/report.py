"""What Nsight Compute says: a report, its launches, their counters and the tool's own rules.

Counters are kept by column, not as an object a value: a report of 500 launches holds a million of them.
Launches with the same columns share them. A value has two forms: `raw`, the text as the tool printed it (of a
report file, the number), and its value in base units (ns, byte, byte/s, hz, %).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from math import isnan


class ReportFormat(StrEnum):
    """Which of Nsight Compute's outputs a file is."""

    DETAILS = "details"  # a row a metric and launch
    RAW = "raw"  # a row a launch, a column a metric
    SUMMARY = "summary"  # minimum, maximum, average over launches
    SOURCE = "source"  # a row an instruction or line
    SESSION = "session"  # facts of the machine, no launches
    REP = "rep"  # the tool's own file
    NONE = "none"  # nothing that can be read


class LaunchKind(StrEnum):
    """What was profiled as one."""

    KERNEL = "kernel"
    RANGE = "range"
    GRAPH = "graph"
    COMMAND_LIST = "command_list"


class RuleType(StrEnum):
    """How the tool grades the text of one of its rules."""

    OPTIMISATION = "OPT"
    INFORMATION = "INF"
    WARNING = "WRN"
    ERROR = "ERR"
    OK = "OK"


@dataclass(frozen=True, eq=False)
class Columns:
    """What the values of a launch are called, in order; shared by launches that have the same.

    A metric is named by section, label and name together: `Memory Throughput` is a percentage in one section
    and bytes per second in another. Sections and labels are None where the output has no such column.
    """

    names: tuple[str, ...]
    sections: tuple[str | None, ...]
    labels: tuple[str | None, ...]

    @cached_property
    def places(self) -> Mapping[str, tuple[int, ...]]:
        """Positions by metric name."""
        found: dict[str, list[int]] = {}
        for place, name in enumerate(self.names):
            found.setdefault(name, []).append(place)
        return {name: tuple(places) for name, places in found.items()}

    @cached_property
    def twice(self) -> tuple[tuple[int, int], ...]:
        """Positions of columns that have section, label and name in common: the first, and each later one."""
        first: dict[tuple[str | None, str | None, str], int] = {}
        keys = zip(self.sections, self.labels, self.names, strict=True)
        return tuple(
            (first[key], place) for place, key in enumerate(keys) if first.setdefault(key, place) != place
        )


@dataclass(frozen=True, slots=True)
class Instance:
    """One part of a metric that is counted apart: an address, a multiprocessor, a stall reason."""

    key: int | str | None  # None where the output leaves the keys out
    value: float


@dataclass(frozen=True, slots=True)
class Metric:
    """One counter of one launch. value: in `unit`; text as it is; None where the tool has none (n/a)."""

    name: str
    raw: str
    unit: str
    value: float | str | None
    base_value: float | None
    base_unit: str
    section: str | None = None
    label: str | None = None
    instances: tuple[Instance, ...] = ()


@dataclass(frozen=True, eq=False)
class Metrics:
    """The counters of one launch by column.

    raw and units have one entry a column, as printed; base_values is NaN where the cell is text or missing,
    base_units says what they are in. missing: columns where the tool printed n/a or nothing.
    """

    columns: Columns
    raw: Sequence[str]
    units: Sequence[str]
    base_units: Sequence[str]
    base_values: array[float]
    scales: Sequence[float]  # base value = value in `unit` times this
    missing: frozenset[int] = frozenset()
    instances: Mapping[int, tuple[Instance, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.columns.names)

    def __iter__(self) -> Iterator[Metric]:
        return map(self.at, range(len(self)))

    def at(self, place: int) -> Metric:
        """The counter of one column."""
        columns, base = self.columns, self.base_values[place]
        text = None if place in self.missing else self.raw[place]
        return Metric(
            name=columns.names[place],
            raw=self.raw[place],
            unit=self.units[place],
            value=text if isnan(base) else base / self.scales[place],
            base_value=None if isnan(base) else base,
            base_unit=self.base_units[place],
            section=columns.sections[place],
            label=columns.labels[place],
            instances=self.instances.get(place, ()),
        )

    def find(self, name: str, section: str | None = None) -> Metric | None:
        """The first counter of that name that has a value, in that section where one is named."""
        for place in self.columns.places.get(name, ()):
            if place in self.missing or (section is not None and self.columns.sections[place] != section):
                continue
            return self.at(place)
        return None

    def number(self, name: str, section: str | None = None) -> float | None:
        """Value in base units, or None where it is missing or text."""
        for place in self.columns.places.get(name, ()):
            if section is not None and self.columns.sections[place] != section:
                continue
            if not isnan(base := self.base_values[place]):
                return base
        return None


NO_METRICS = Metrics(Columns((), (), ()), (), (), (), array("d"), ())


@dataclass(frozen=True, slots=True)
class ToolRule:
    """What one of Nsight Compute's own rules says. speedup: in per cent, of the kernel or of a unit."""

    name: str
    type: RuleType
    section: str
    text: str
    speedup_percent: float | None = None
    speedup_scope: str | None = None  # global or local


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One instruction (address known) or one line of source (line known) with its counters by name."""

    text: str
    values: Mapping[str, float]
    address: int | None = None
    line: int | None = None


@dataclass(frozen=True)
class SourceView:
    """The source page of a kernel. total_samples: of the warp sampler over all lines."""

    lines: tuple[SourceLine, ...]
    total_samples: int
    file_name: str | None = None


@dataclass(frozen=True)
class LaunchProfile:
    """One launch, range or graph as profiled. None: the output does not say.

    number: the tool's id, unique within a process only. kernel: the name as printed. function: without
    parameters, where the file has it. duration_s: from the tool's clock. nvtx: names of the ranges that were
    open, outermost first.
    """

    number: int | None
    process_id: int | None
    kernel: str
    kind: LaunchKind = LaunchKind.KERNEL
    function: str | None = None
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    device_name: str | None = None
    device_id: str | None = None
    compute_capability: str | None = None
    context: str | None = None
    stream: str | None = None
    nvtx: tuple[str, ...] = ()
    duration_s: float | None = None
    metrics: Metrics = NO_METRICS
    rules: tuple[ToolRule, ...] = ()
    source: SourceView | None = None
    invocations: int | None = None  # of a summary: how many launches it stands for


@dataclass(frozen=True)
class Dialect:
    """How a file was written, decided once for the whole file and shown with it."""

    format: ReportFormat
    encoding: str = "utf-8"
    delimiter: str = ","
    thousands: str = ""  # "," or "." or none
    decimal: str = "."
    columns: int = 0
    tool_version: str | None = None
    notes: tuple[str, ...] = ()  # in words: "base units", "program output before the table", ...


@dataclass(frozen=True)
class ReadError:
    """Why a file has no launches. message quotes the tool's own line and says what to do."""

    code: str
    message: str


@dataclass(frozen=True)
class Report:
    """A file that was read: launches, and what was odd about it.

    skipped: how many rows, cells or blocks were left out, by reason in words. device_attributes: by device
    name, what the file says of the hardware.
    """

    dialect: Dialect
    launches: tuple[LaunchProfile, ...]
    warnings: tuple[str, ...] = ()
    error: ReadError | None = None
    skipped: Mapping[str, int] = field(default_factory=dict)
    device_attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
