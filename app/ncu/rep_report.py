"""Nsight Compute's own file, `.ncu-rep`, read without Nsight: launches, counters, rules, devices, versions.

The environment, host names, command lines and paths of the session are never looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from app.domain.report import (
    Dialect,
    LaunchKind,
    LaunchProfile,
    ReadError,
    Report,
    ReportFormat,
    RuleType,
    ToolRule,
)
from app.ncu.limits import DEFAULT_LIMITS, Limits
from app.ncu.page import DEVICE_NAME, duration_s
from app.ncu.rep_framing import MAGIC, Block, FrameError, Part, blocks
from app.ncu.rep_metrics import MetricColumns
from app.ncu.rep_schema import Decoded, message_class

UNDECODED = "results that could not be decoded"
BEYOND = "launches beyond the limit"
_MESSAGE_TYPES = {
    0: RuleType.INFORMATION,
    1: RuleType.OK,
    2: RuleType.WARNING,
    3: RuleType.ERROR,
    4: RuleType.OPTIMISATION,
}
_SCOPES = {1: "local", 2: "global"}
_PROVIDERS_OF_TOOL = ("Nsight Compute", "NVIDIA Nsight Compute")


@dataclass(frozen=True)
class _Kind:
    """How one part of a payload is read."""

    message: str
    launch: LaunchKind
    name: str = ""  # of results that have none


_KINDS = {
    Part.KERNEL: _Kind("KernelResult", LaunchKind.KERNEL),
    Part.RANGE: _Kind("RangeResult", LaunchKind.RANGE, "range"),
    Part.COMMAND_LIST: _Kind("RangeResult", LaunchKind.COMMAND_LIST, "command list"),
    Part.GRAPH: _Kind("GraphResult", LaunchKind.GRAPH, "graph"),
}


@dataclass
class _Session:
    """What the blocks say about all launches."""

    names: list[str] = field(default_factory=list)
    process_id: int | None = None
    devices: dict[str, dict[str, str]] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def take(self, header: Decoded) -> None:
        """Strings append over the blocks; the newest process holds."""
        self.names += (_text(name) for name in header.strings.strings)
        if header.HasField("process"):
            self.process_id = header.process.process_id
        session = header.session
        for device in session.devices:
            attributes = {_text(a.name): _text(a.value) for a in device.attributes}
            self.devices[_text(device.name) or f"device {device.id}"] = attributes
        self.versions |= {_text(v.provider): _text(v.version) for v in session.versions}


class RepReader:
    """One file on its way."""

    def __init__(self, data: bytes, limits: Limits = DEFAULT_LIMITS) -> None:
        self._data, self._limits = memoryview(data), limits
        self._session = _Session()
        self._columns = MetricColumns(self._session.names)
        self._skipped: Counter[str] = Counter()
        self._warnings: list[str] = []
        self._count = 0

    def report(self) -> Report:
        """Everything that can be read; never raises for content."""
        launches = tuple(self._launches())
        session = self._session
        return Report(
            dialect=Dialect(
                format=ReportFormat.REP,
                encoding="protobuf",
                columns=max((len(launch.metrics) for launch in launches), default=0),
                tool_version=_tool_version(session.versions),
                notes=("base units",),
            ),
            launches=launches,
            warnings=tuple(self._warnings),
            error=None if launches else self._why_empty(),
            skipped=dict(self._skipped),
            device_attributes=session.devices,
        )

    def _launches(self) -> Iterator[LaunchProfile]:
        try:
            for block in blocks(self._data):
                self._session.take(block.header)
                yield from self._of_block(block)
        except FrameError as error:
            self._warnings.append(f"The report is cut off or damaged: {error}. What came before is kept.")

    def _of_block(self, block: Block) -> Iterator[LaunchProfile]:
        for part, body in block.messages:
            kind = _KINDS.get(part)
            if kind is None:
                continue
            if self._count >= self._limits.launches:
                self._skipped[BEYOND] += 1
                continue
            raw = bytes(body)
            try:
                result = message_class(kind.message).FromString(raw)
            except DecodeError:
                self._skipped[UNDECODED] += 1
                continue
            yield self._launch(result, raw, kind)
            self._count += 1

    def _launch(self, result: Decoded, body: bytes, kind: _Kind) -> LaunchProfile:
        metrics = self._columns.metrics(result, body, kind.message)
        is_kernel = kind.launch is LaunchKind.KERNEL
        capability = (metrics.number(f"device__attribute_compute_capability_{p}") for p in ("major", "minor"))
        major, minor = capability
        device = metrics.find(DEVICE_NAME)
        return LaunchProfile(
            number=self._count,
            process_id=self._session.process_id,
            kernel=_kernel_name(result) if is_kernel else kind.name,
            kind=kind.launch,
            function=_text(result.function) or None if is_kernel else None,
            grid=_dimensions(result, "grid") if is_kernel else None,
            block=_dimensions(result, "block") if is_kernel else None,
            device_name=str(device.value) if device else None,
            compute_capability=None if major is None or minor is None else f"{major:.0f}.{minor:.0f}",
            context=None if kind.launch is LaunchKind.GRAPH else _number(result, "context"),
            stream=_number(result, "stream") if is_kernel else None,
            duration_s=duration_s(metrics),
            metrics=metrics,
            rules=tuple(self._rules(result)),
        )

    def _rules(self, result: Decoded) -> Iterator[ToolRule]:
        count = 0
        for rule in result.rules:
            for item in rule.body.items:
                if not item.HasField("message") or (count := count + 1) > self._limits.rules_per_launch:
                    continue
                has_speedup = item.HasField("speedup") and item.speedup.type in _SCOPES
                yield ToolRule(
                    name=_text(rule.identifier),
                    type=_MESSAGE_TYPES.get(item.message.type, RuleType.INFORMATION),
                    section=_text(rule.section),
                    text=_text(item.message.text),
                    speedup_percent=item.speedup.value if has_speedup else None,
                    speedup_scope=_SCOPES[item.speedup.type] if has_speedup else None,
                )

    def _why_empty(self) -> ReadError:
        if self._warnings:
            return ReadError(
                "damaged_report", f"{self._warnings[0]} No launch came before. Copy the file again."
            )
        return ReadError(
            "no_results", "The report holds no launches: nothing was profiled. Capture it again."
        )


def read_rep(data: bytes, limits: Limits = DEFAULT_LIMITS) -> Report:
    """The content of a `.ncu-rep` file. What cannot be read is told by `warnings`, `skipped` and `error`."""
    if not data.startswith(MAGIC):
        message = "The file does not begin as a .ncu-rep does. Give a report that Nsight Compute wrote."
        return Report(Dialect(ReportFormat.NONE), (), error=ReadError("not_a_report", message))
    return RepReader(data, limits).report()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _kernel_name(result: Decoded) -> str:
    """As the tool prints it: renamed, else demangled, else what there is."""
    names = result.renamed, result.demangled, result.function, result.mangled
    return next((_text(name) for name in names if name), "")


def _number(result: Decoded, name: str) -> str | None:
    return str(getattr(result, name)) if result.HasField(name) else None


def _dimensions(result: Decoded, name: str) -> tuple[int, int, int] | None:
    if not result.HasField(name):
        return None
    dim = getattr(result, name)
    return dim.x, dim.y, dim.z


def _tool_version(versions: Mapping[str, str]) -> str | None:
    named = (version for provider, version in versions.items() if provider.startswith(_PROVIDERS_OF_TOOL))
    return next(named, next(iter(versions.values()), None))
