"""Report and launch rows to domain types and back."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime

from app.domain.kept_report import KeptLaunch, KeptReport, MatchHow, NewReport, ReportOrigin, StageMatch
from app.domain.report import Dialect, LaunchKind, LaunchProfile, ReadError
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.storage.encoding import TEXTS, Codec
from app.storage.report_tables import LaunchRow, ReportRow

DIALECT = Codec(Dialect)
READ_ERROR = Codec(ReadError)
COUNTS = Codec(dict[str, int])
ATTRIBUTES = Codec(dict[str, dict[str, str]])
LONGEST_TEXT = 2000
_LARGEST = 2**63 - 1


def storable(text: str, longest: int = LONGEST_TEXT) -> str:
    """Text that every database takes: no NUL, no half of a surrogate pair, cut to a length."""
    cut = text if len(text) <= longest else f"{text[: longest - 1]}…"
    return cut.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def report_row(new: NewReport, at: datetime) -> ReportRow:
    """A report that has no launches yet."""
    return ReportRow(
        content_sha256=new.sha256,
        kept_sha256=new.kept_sha256,
        name=storable(new.name),
        size_bytes=new.size_bytes,
        format=new.dialect.format.value,
        tool_version=_optional(new.dialect.tool_version),
        origin=new.origin.value,
        dialect=DIALECT.dump(new.dialect),
        warnings=TEXTS.dump(tuple(map(storable, new.warnings))),
        skipped=COUNTS.dump({storable(why): count for why, count in new.skipped.items()}),
        error=READ_ERROR.dump(replace(new.error, message=storable(new.error.message))) if new.error else None,
        device_names=TEXTS.dump(tuple(map(storable, new.device_names))),
        device_attributes=ATTRIBUTES.dump(
            {
                storable(device): {storable(name): storable(value) for name, value in facts.items()}
                for device, facts in new.device_attributes.items()
            }
        ),
        imported_at=at,
        job_id=new.job_id,
        run_id=new.run_id,
    )


def kept_report(row: ReportRow, matched_count: int) -> KeptReport:
    """A report whose launches are all kept."""
    assert row.id is not None
    return KeptReport(
        id=row.id,
        imported_at=row.imported_at,
        launch_count=row.launch_count,
        matched_count=matched_count,
        facts=NewReport(
            sha256=row.content_sha256,
            kept_sha256=row.kept_sha256,
            name=row.name,
            size_bytes=row.size_bytes,
            dialect=DIALECT.load(row.dialect),
            origin=ReportOrigin(row.origin),
            warnings=TEXTS.load(row.warnings),
            skipped=COUNTS.load(row.skipped),
            error=READ_ERROR.load(row.error) if row.error else None,
            device_attributes=ATTRIBUTES.load(row.device_attributes),
            device_names=TEXTS.load(row.device_names),
            job_id=row.job_id,
            run_id=row.run_id,
        ),
    )


def launch_values(
    report_id: int, ordinal: int, profile: LaunchProfile, match: StageMatch
) -> dict[str, object]:
    """A launch as plain values: a report may have 100 000, and row objects cost more than the database."""
    return {
        "report_id": report_id,
        "ordinal": ordinal,
        "number": _whole(profile.number),
        "process_id": _whole(profile.process_id),
        "kernel": storable(profile.kernel),
        "function": _optional(profile.function),
        "kind": profile.kind.value,
        "grid": _dimensions_key(profile.grid),
        "block": _dimensions_key(profile.block),
        "device_name": _optional(profile.device_name),
        "compute_capability": _optional(profile.compute_capability),
        "duration_s": _finite(profile.duration_s),
        "invocations": _whole(profile.invocations),
        "metric_count": len(profile.metrics),
        **match_values(match),
    }


def match_values(match: StageMatch) -> dict[str, object]:
    """The columns that hold the stage of a launch."""
    return {
        "problem": match.problem,
        "stage": match.stage,
        "size_key": match.size.key if match.size else None,
        "dtype": match.dtype.value if match.dtype else None,
        "match_confidence": match.confidence,
        "match_how": match.how.value,
        "match_reasons": TEXTS.dump(tuple(map(storable, match.reasons))),
    }


def set_match(row: LaunchRow, match: StageMatch) -> None:
    """Write the stage of a launch."""
    for column, value in match_values(match).items():
        setattr(row, column, value)


def kept_launch(row: LaunchRow) -> KeptLaunch:
    """The launch as lists show it."""
    assert row.id is not None
    return KeptLaunch(
        id=row.id,
        report_id=row.report_id,
        ordinal=row.ordinal,
        number=row.number,
        process_id=row.process_id,
        kernel=row.kernel,
        function=row.function,
        kind=LaunchKind(row.kind),
        grid=_dimensions(row.grid),
        block=_dimensions(row.block),
        device_name=row.device_name,
        compute_capability=row.compute_capability,
        duration_s=row.duration_s,
        invocations=row.invocations,
        metric_count=row.metric_count,
        match=StageMatch(
            problem=row.problem,
            stage=row.stage,
            confidence=row.match_confidence,
            how=MatchHow(row.match_how),
            reasons=TEXTS.load(row.match_reasons),
            size=Size.parse(row.size_key) if row.size_key else None,
            dtype=Dtype(row.dtype) if row.dtype else None,
        ),
    )


def bare_profile(launch: KeptLaunch) -> LaunchProfile:
    """The part of a profile that the launch's row holds."""
    return LaunchProfile(
        number=launch.number,
        process_id=launch.process_id,
        kernel=launch.kernel,
        kind=launch.kind,
        grid=launch.grid,
        block=launch.block,
        device_name=launch.device_name,
        compute_capability=launch.compute_capability,
        duration_s=launch.duration_s,
        invocations=launch.invocations,
    )


def _optional(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _whole(value: int | None) -> int | None:
    return value if value is not None and abs(value) <= _LARGEST else None


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _dimensions_key(values: tuple[int, int, int] | None) -> str | None:
    return None if values is None else ",".join(str(value) for value in values)


def _dimensions(key: str | None) -> tuple[int, int, int] | None:
    if key is None:
        return None
    x, y, z = (int(part) for part in key.split(","))
    return x, y, z
