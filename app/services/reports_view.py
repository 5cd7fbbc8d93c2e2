"""The list of reports, and one report with its launches."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.kept_report import KeptLaunch, KeptReport
from app.storage.store import Store

REPORTS_SHOWN = 50
LAUNCHES_SHOWN = 100


@dataclass(frozen=True)
class ReportsView:
    """One page of reports, newest first."""

    reports: tuple[KeptReport, ...]
    text: str
    next_before: int | None


@dataclass(frozen=True)
class ReportView:
    """A report with one page of its launches, in the order of the file."""

    report: KeptReport
    launches: tuple[KeptLaunch, ...]
    text: str
    next_after: int | None
    total_s: float | None  # of the launches shown


def reports_view(store: Store, text: str = "", before_id: int | None = None) -> ReportsView:
    """Read one page."""
    found = store.reports(before_id=before_id, limit=REPORTS_SHOWN + 1, text=text.strip() or None)
    page = tuple(found[:REPORTS_SHOWN])
    return ReportsView(page, text, page[-1].id if len(found) > REPORTS_SHOWN else None)


def report_view(store: Store, report_id: int, text: str = "", after: int = 0) -> ReportView:
    """Read one page of launches. Raises NotFoundError."""
    report = store.report(report_id)
    found = store.launches(
        report_id, after_ordinal=after, limit=LAUNCHES_SHOWN + 1, text=text.strip() or None
    )
    page = tuple(found[:LAUNCHES_SHOWN])
    durations = [launch.duration_s for launch in page if launch.duration_s is not None]
    return ReportView(
        report=report,
        launches=page,
        text=text,
        next_after=page[-1].ordinal if len(found) > LAUNCHES_SHOWN else None,
        total_s=sum(durations) if durations else None,
    )
