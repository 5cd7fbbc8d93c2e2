"""Reports of Nsight Compute as they are kept: which file, which launches, which stage each one belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.domain.report import Dialect, LaunchKind, LaunchProfile, ReadError
from app.domain.size import Size
from app.domain.vocabulary import Dtype


class MatchHow(StrEnum):
    """How a launch came to its stage."""

    EXACT = "exact"  # captured by this product, which named the cell
    AUTOMATIC = "automatic"  # by kernel name, grid and block
    CORRECTED = "corrected"  # by a person; never changed by the product again


class ReportOrigin(StrEnum):
    """Which way a report came in."""

    UPLOAD = "upload"
    FOLDER = "folder"  # found beside the product at start
    CAPTURE = "capture"  # by a job of this product


@dataclass(frozen=True)
class StageMatch:
    """Which stage a launch is one of. problem and stage None: none that is known here.

    confidence: 0 to 1. reasons: in words, what speaks for it or why there is none. size and dtype None:
    the launch does not tell.
    """

    problem: str | None
    stage: str | None
    confidence: float
    how: MatchHow
    reasons: tuple[str, ...] = ()
    size: Size | None = None
    dtype: Dtype | None = None


@dataclass(frozen=True)
class NewReport:
    """A file that was read and is about to be kept.

    sha256: of the file as it came. kept_sha256: of what is kept of it, None where nothing is.
    """

    sha256: str
    kept_sha256: str | None
    name: str
    size_bytes: int
    dialect: Dialect
    origin: ReportOrigin = ReportOrigin.UPLOAD
    warnings: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    error: ReadError | None = None
    device_attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    device_names: tuple[str, ...] = ()
    job_id: int | None = None
    run_id: int | None = None


@dataclass(frozen=True)
class KeptReport:
    """A kept report without its launches."""

    id: int
    imported_at: datetime
    launch_count: int
    matched_count: int
    facts: NewReport


@dataclass(frozen=True)
class KeptLaunch:
    """A launch of a kept report without its counters.

    ordinal: place in the report, from 1. kernel: cut to 2000 characters. duration_s: from the tool's clock.
    """

    id: int
    report_id: int
    ordinal: int
    number: int | None
    process_id: int | None
    kernel: str
    function: str | None
    kind: LaunchKind
    grid: tuple[int, int, int] | None
    block: tuple[int, int, int] | None
    device_name: str | None
    compute_capability: str | None
    duration_s: float | None
    invocations: int | None
    metric_count: int
    match: StageMatch


@dataclass(frozen=True)
class KeptProfile:
    """One launch with everything that was read of it."""

    report: KeptReport
    launch: KeptLaunch
    profile: LaunchProfile


@dataclass(frozen=True)
class KnownMetric:
    """A metric that some kept launch has, and in how many."""

    name: str
    section: str | None
    label: str | None
    launch_count: int
    report_count: int
