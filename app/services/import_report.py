"""Import a report: read it, match its launches, keep it once. A zip is imported file by file."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from app.domain.errors import InvalidInputError, RoofladderError, UnreadableReportError
from app.domain.kept_report import KeptReport, NewReport, ReportOrigin, StageMatch
from app.domain.report import LaunchProfile, Report, ReportFormat
from app.ncu.reading import read_report
from app.ncu.rep_framing import MAGIC
from app.ncu.rep_metrics import RepInstances
from app.ncu.rep_strip import strip
from app.services.edit_run import printable
from app.services.matching import match_of
from app.services.report_archive import is_archive, members
from app.storage.report_files import file_sha256
from app.storage.store import Store

logger = logging.getLogger(__name__)

LONGEST_NAME = 200
DEVICE_NAME_METRIC = "device__attribute_display_name"
# A transaction writes about so many values, so that other writers wait for a fraction of a second.
VALUES_PER_TRANSACTION = 100_000
MOST_LAUNCHES_PER_TRANSACTION = 400


@dataclass(frozen=True)
class Upload:
    """A file as it came: what the sender calls it, and where it lies now."""

    name: str
    path: Path


@dataclass(frozen=True)
class Imported:
    """What became of one file: its report, or why there is none. created: False when it was here already."""

    name: str
    report: KeptReport | None
    created: bool = False
    error: InvalidInputError | None = None


@dataclass(frozen=True)
class Source:
    """Where reports come from, and the job that captured them."""

    origin: ReportOrigin = ReportOrigin.UPLOAD
    job_id: int | None = None
    run_id: int | None = None


BY_UPLOAD = Source()


def import_uploads(
    store: Store, uploads: Sequence[Upload], source: Source = BY_UPLOAD
) -> tuple[Imported, ...]:
    """Import each file, and each file of a zip; one that cannot be read costs the others nothing.

    Raises the error of the only file, and the first one where none could be read; nothing is stored then.
    """
    results = tuple(result for upload in uploads for result in _results(store, upload, source))
    errors = [result.error for result in results if result.error is not None]
    if errors and len(errors) == len(results):
        raise errors[0]
    return results


def import_report(store: Store, upload: Upload, source: Source = BY_UPLOAD) -> Imported:
    """Keep one report, once by its content. Raises UnreadableReportError for what is none."""
    sha256 = file_sha256(upload.path)
    known = store.report_of_file(sha256)
    if known is not None:
        return Imported(upload.name, known)
    report = read_report(upload.path)
    if not report.launches and (report.error or report.dialect.format is ReportFormat.NONE):
        raise _unreadable(report, upload.name)
    new = _new_report(report, upload, source, sha256)
    new = replace(new, kept_sha256=_keep_file(store, upload.path))
    report_id, created = _keep(store, new, map(_lean, map(_with_device, report.launches)))
    return Imported(upload.name, store.report(report_id), created)


def _keep_file(store: Store, path: Path) -> str | None:
    """Keep the file; of a report file what is left without environment, hosts, command lines and paths.

    A damaged report file cannot be stripped and is not kept: what was read of it is.
    """
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return store.keep_report_file(path)
    try:
        stripped = strip(path.read_bytes()).data
    except InvalidInputError:
        return None
    with tempfile.NamedTemporaryFile() as target:
        target.write(stripped)
        target.flush()
        return store.keep_report_file(Path(target.name))


def _results(store: Store, upload: Upload, source: Source) -> Iterator[Imported]:
    if not is_archive(upload.path):
        yield _attempt(store, upload, source)
        return
    found = False
    try:
        for member in members(upload.path):
            found = True
            if member.problem is not None:
                yield Imported(member.name, None, error=UnreadableReportError(member.problem, field="file"))
            else:
                yield _attempt(store, Upload(member.name, member.path), source)
    except InvalidInputError as error:
        yield Imported(upload.name, None, error=error)
        return
    if not found:
        empty = UnreadableReportError("The zip holds no file; nothing was stored.", field="file")
        yield Imported(upload.name, None, error=empty)


def _attempt(store: Store, upload: Upload, source: Source) -> Imported:
    try:
        return import_report(store, upload, source)
    except InvalidInputError as error:
        return Imported(upload.name, None, error=error)


def _keep(store: Store, new: NewReport, launches: Iterable[LaunchProfile]) -> tuple[int, bool]:
    report_id = store.begin_report(new)
    try:
        for batch in _batches((launch, match_of(launch)) for launch in launches):
            store.add_launches(report_id, batch)
        return store.finish_report(report_id)
    except BaseException:
        _abandon(store, report_id)
        raise


def _abandon(store: Store, report_id: int) -> None:
    try:
        store.abandon_report(report_id)
    except RoofladderError as error:
        logger.warning("A report that was begun stays hidden until it is swept away: %s", error.message)


def _batches(
    launches: Iterator[tuple[LaunchProfile, StageMatch]],
) -> Iterator[list[tuple[LaunchProfile, StageMatch]]]:
    """Cut by the number of values; every batch has at least one launch."""
    for first in launches:
        values = max(len(first[0].metrics), 1)
        room = min(max(VALUES_PER_TRANSACTION // values, 1), MOST_LAUNCHES_PER_TRANSACTION)
        yield [first, *islice(launches, room - 1)]


def _with_device(launch: LaunchProfile) -> LaunchProfile:
    """Wide pages name the device in a metric instead of a column."""
    if launch.device_name is not None:
        return launch
    named = launch.metrics.find(DEVICE_NAME_METRIC)
    return replace(launch, device_name=named.value) if named and isinstance(named.value, str) else launch


def _lean(launch: LaunchProfile) -> LaunchProfile:
    """A full report file holds millions of instances: they stay in the kept file (`launch_instances`)."""
    if not isinstance(launch.metrics.instances, RepInstances):
        return launch
    return replace(launch, metrics=replace(launch.metrics, instances={}))


def _new_report(report: Report, upload: Upload, source: Source, sha256: str) -> NewReport:
    launches = map(_with_device, report.launches)
    names = dict.fromkeys(launch.device_name for launch in launches if launch.device_name)
    return NewReport(
        sha256=sha256,
        kept_sha256=None,
        name=shown_name(upload.name),
        size_bytes=upload.path.stat().st_size,
        dialect=report.dialect,
        origin=source.origin,
        warnings=report.warnings,
        skipped=report.skipped,
        error=report.error,
        device_attributes=report.device_attributes,
        device_names=tuple(names) or tuple(report.device_attributes),
        job_id=source.job_id,
        run_id=source.run_id,
    )


def shown_name(name: str) -> str:
    """A file's name without folders and control characters, its middle left out where it is long."""
    bare = printable(name.replace("\\", "/").rsplit("/", 1)[-1]).replace("\n", " ").strip() or "unnamed"
    return (
        bare if len(bare) <= LONGEST_NAME else f"{bare[: LONGEST_NAME // 2]}…{bare[1 - LONGEST_NAME // 2 :]}"
    )


def _unreadable(report: Report, name: str) -> UnreadableReportError:
    said = report.error.message if report.error else "It holds no launch of Nsight Compute."
    return UnreadableReportError(f"{shown_name(name)}: {said}", field="file")
