"""Reports: kept in short transactions, listed without their counters, read one launch at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import delete, distinct, func, or_, select
from sqlalchemy.orm import Session
from sqlmodel import col

from app.domain.errors import NotFoundError
from app.domain.kept_report import KeptLaunch, KeptProfile, KeptReport, KnownMetric, NewReport, StageMatch
from app.domain.report import LaunchProfile
from app.storage.launch_encoding import unpack_launch
from app.storage.launch_writing import packed_launches, write_launches
from app.storage.report_files import ReportFiles
from app.storage.report_queries import reports, uses_of_names, whole_launches
from app.storage.report_rows import bare_profile, kept_launch, kept_report, report_row, set_match
from app.storage.report_tables import LaunchContentRow, LaunchRow, MetricNameRow, MetricSetRow, ReportRow
from app.storage.repository import Repository

ABANDONED_AFTER = timedelta(hours=6)


class ReportRepository(Repository):
    """A report can be seen once its last launch is kept; one that was never finished is swept away later."""

    def begin_report(self, new: NewReport) -> int:
        """Start to keep a report; returns the id that its launches are added under."""
        now = datetime.now(UTC)
        with self._database.write() as session:
            row = ReportRow
            abandoned = (col(row.sha256).is_(None), col(row.imported_at) < now - ABANDONED_AFTER)
            session.execute(delete(ReportRow).where(*abandoned))
            begun = report_row(new, now)
            session.add(begun)
            session.flush()
            assert begun.id is not None
            return begun.id

    def add_launches(self, report_id: int, launches: Sequence[tuple[LaunchProfile, StageMatch]]) -> None:
        """Append launches in one transaction. Raises NotFoundError."""
        if not launches:
            return
        packed = packed_launches(launches)  # before the write lock is taken
        with self._database.write() as session:
            write_launches(session, _report_row(session, report_id), launches, packed)

    def finish_report(self, report_id: int) -> tuple[int, bool]:
        """Let the report be seen: (its id, True); (another's id, False) where the file is here already."""
        with self._database.write() as session:
            row = _report_row(session, report_id)
            query = select(col(ReportRow.id)).where(col(ReportRow.sha256) == row.content_sha256)
            known = session.scalar(query)
            if known is not None:
                session.execute(delete(ReportRow).where(col(ReportRow.id) == report_id))
                return known, False
            row.sha256 = row.content_sha256
            return report_id, True

    def abandon_report(self, report_id: int) -> None:
        """Forget a report that was begun and cannot be finished."""
        with self._database.write() as session:
            session.execute(
                delete(ReportRow).where(col(ReportRow.id) == report_id, col(ReportRow.sha256).is_(None))
            )

    def report_of_file(self, sha256: str) -> KeptReport | None:
        """The report of a file with that content."""
        with self._database.read() as session:
            found = session.execute(reports().where(col(ReportRow.sha256) == sha256)).first()
            return kept_report(*found) if found else None

    def report(self, report_id: int) -> KeptReport:
        """The report of that id. Raises NotFoundError."""
        with self._database.read() as session:
            return _report(session, report_id)

    def reports(
        self, *, before_id: int | None = None, limit: int = 50, text: str | None = None
    ) -> list[KeptReport]:
        """Newest first. `text` matches the file's name, devices and kernels."""
        query = reports().order_by(col(ReportRow.id).desc()).limit(limit)
        if before_id is not None:
            query = query.where(col(ReportRow.id) < before_id)
        if text:
            kernels = select(col(LaunchRow.report_id)).where(_contains(LaunchRow.kernel, text))
            query = query.where(
                or_(
                    _contains(ReportRow.name, text),
                    _contains(ReportRow.device_names, text),
                    col(ReportRow.id).in_(kernels),
                )
            )
        with self._database.read() as session:
            return [kept_report(*found) for found in session.execute(query)]

    def delete_report(self, report_id: int) -> None:
        """Forget a report with all of its launches and its file. Raises NotFoundError."""
        with self._database.write() as session:
            kept = _report(session, report_id).facts.kept_sha256
            session.execute(delete(ReportRow).where(col(ReportRow.id) == report_id))
            used = select(col(LaunchContentRow.names_sha256)).union(
                select(col(LaunchContentRow.units_sha256))
            )
            session.execute(delete(MetricSetRow).where(col(MetricSetRow.sha256).not_in(used)))
            shared = session.scalar(select(col(ReportRow.id)).where(col(ReportRow.kept_sha256) == kept))
        if kept is not None and shared is None:
            self._files.remove(kept)

    def launches(
        self, report_id: int, *, after_ordinal: int = 0, limit: int = 200, text: str | None = None
    ) -> list[KeptLaunch]:
        """In the order of the file. `text` matches kernel and stage. Raises NotFoundError."""
        query = (
            select(LaunchRow)
            .where(col(LaunchRow.report_id) == report_id, col(LaunchRow.ordinal) > after_ordinal)
            .order_by(col(LaunchRow.ordinal))
            .limit(limit)
        )
        if text:
            query = query.where(or_(_contains(LaunchRow.kernel, text), _contains(LaunchRow.stage, text)))
        with self._database.read() as session:
            _report(session, report_id)
            return [kept_launch(row) for row in session.scalars(query)]

    def stage_launches(self, problem: str, stage: str | None = None, limit: int = 200) -> list[KeptLaunch]:
        """Launches that were matched to a problem, or to one stage of it; newest reports first."""
        query = (
            select(LaunchRow)
            .join(ReportRow, col(ReportRow.id) == col(LaunchRow.report_id))
            .where(col(LaunchRow.problem) == problem, col(ReportRow.sha256).is_not(None))
            .order_by(col(LaunchRow.report_id).desc(), col(LaunchRow.ordinal))
            .limit(limit)
        )
        if stage is not None:
            query = query.where(col(LaunchRow.stage) == stage)
        with self._database.read() as session:
            return [kept_launch(row) for row in session.scalars(query)]

    def launch_profile(self, report_id: int, ordinal: int) -> KeptProfile:
        """One launch with all of its counters. Raises NotFoundError."""
        with self._database.read() as session:
            report = _report(session, report_id)
            found = session.execute(
                whole_launches().where(
                    col(LaunchRow.report_id) == report_id, col(LaunchRow.ordinal) == ordinal
                )
            ).first()
        if found is None:
            raise NotFoundError(
                f"Report {report_id} has {report.launch_count} launches, none of them number {ordinal}."
                " See the report for those that it has."
            )
        return KeptProfile(report, *_whole(found))

    def launch_profiles(self, launch_ids: Sequence[int]) -> list[tuple[KeptLaunch, LaunchProfile]]:
        """Launches by id with all of their counters; unknown ids are left out."""
        query = whole_launches().where(col(LaunchRow.id).in_(launch_ids)).order_by(col(LaunchRow.id))
        with self._database.read() as session:
            return [_whole(found) for found in session.execute(query)]

    def launch(self, launch_id: int) -> KeptLaunch:
        """The launch of that id. Raises NotFoundError."""
        with self._database.read() as session:
            return kept_launch(_launch_row(session, launch_id))

    def match_launch(self, launch_id: int, match: StageMatch) -> KeptLaunch:
        """Say which stage a launch is one of. Raises NotFoundError."""
        with self._database.write() as session:
            row = _launch_row(session, launch_id)
            set_match(row, match)
            session.flush()
            return kept_launch(row)

    def metric_names(self, text: str, limit: int = 50) -> list[KnownMetric]:
        """Metrics whose name, section or label holds the text, most often counted first."""
        row, used = MetricNameRow, uses_of_names().subquery()
        launches = func.sum(used.c.launches)
        query = (
            select(
                col(row.name),
                col(row.section),
                col(row.label),
                launches,
                func.count(distinct(used.c.report_id)),
            )
            .join(used, used.c.names_sha256 == col(row.set_sha256))
            .where(or_(*(_contains(column, text) for column in (row.name, row.section, row.label))))
            .group_by(col(row.name), col(row.section), col(row.label))
            .order_by(launches.desc(), col(row.name), col(row.section), col(row.label))
            .limit(limit)
        )
        with self._database.read() as session:
            return [KnownMetric(*found) for found in session.execute(query)]

    def keep_report_file(self, source: Path) -> str:
        """Keep a copy of a file under the address of its content, once; returns that address."""
        return self._files.keep(source)

    def report_file(self, sha256: str) -> Path:
        """Where a kept file lies. Raises NotFoundError."""
        return self._files.path(sha256)

    @property
    def _files(self) -> ReportFiles:
        return ReportFiles(self._database.folder / "reports")


def _whole(found: Any) -> tuple[KeptLaunch, LaunchProfile]:  # noqa: ANN401 - a row of `_whole_launches`
    row, content, names, units = found
    launch = kept_launch(row)
    parts = (names, units, content.base_values, content.raw, content.rest)
    return launch, unpack_launch(bare_profile(launch), *parts)


def _report(session: Session, report_id: int) -> KeptReport:
    found = session.execute(reports().where(col(ReportRow.id) == report_id)).first()
    if found is None:
        raise NotFoundError(f"There is no report {report_id}. See the list of reports for those that exist.")
    return kept_report(*found)


def _report_row(session: Session, report_id: int) -> ReportRow:
    row = session.get(ReportRow, report_id)
    if row is None:
        raise NotFoundError(f"Report {report_id} is no longer there; nothing was stored. Import it again.")
    return row


def _launch_row(session: Session, launch_id: int) -> LaunchRow:
    row = session.get(LaunchRow, launch_id)
    if row is None:
        raise NotFoundError(f"There is no launch {launch_id}. See its report for those that exist.")
    return row


def _contains(column: Any, text: str) -> Any:  # noqa: ANN401 - SQLModel columns are typed as values
    return col(column).icontains(text, autoescape=True)
