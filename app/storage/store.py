"""The store: one object that the entries make from a URL and pass down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from app.domain.device import WorkerSnapshot
from app.domain.duel import Duel, FoughtDuel
from app.domain.evidence import CellFate, DeviceCoverage, MeasuredCell
from app.domain.kept_report import KeptLaunch, KeptProfile, KeptReport, KnownMetric, NewReport, StageMatch
from app.domain.measurement import Ceiling, CellOutcome, Measurement, Samples
from app.domain.report import LaunchProfile
from app.domain.run import Job, JobError, JobEvent, Progress, Run, RunSummary, Selection
from app.domain.vocabulary import BackendName, JobKind, JobStatus, RunStatus


class Store(Protocol):
    """Everything the rest of the product asks of the database. Times are aware and in UTC.

    Methods raise NotFoundError for an unknown id, ConflictError where the state forbids the change and
    UnavailableError when the database is locked, read-only or the disk is full.
    """

    # jobs and their runs; creating, starting and finishing a job each append its "status" event
    def create_job(
        self,
        *,
        kind: JobKind,
        selection: Selection,
        label: str,
        deadline_s: float,
        estimate_s: float,
        cell_count: int,
        idempotency_key: str | None,
        request_sha256: str,
    ) -> tuple[Job, bool]:
        """One transaction: job row and its run row. Returns (job, created).

        With a known idempotency key returns the first job and False; IdempotencyMismatchError when
        `request_sha256` differs.
        """
        ...

    def job_submitted_before(self, idempotency_key: str, request_sha256: str) -> Job | None:
        """The job of that key. IdempotencyMismatchError when it came with another request."""
        ...

    def job(self, job_id: int) -> Job:
        """The job of that id."""
        ...

    def jobs(
        self, *, status: JobStatus | None = None, before_id: int | None = None, limit: int = 50
    ) -> list[Job]:
        """Newest first, with queue positions filled."""
        ...

    def active_jobs(self) -> list[Job]:
        """Queued and running, oldest first."""
        ...

    def start_job(self, job_id: int, at: datetime) -> Job:
        """Queued or running -> running, attempts + 1. ConflictError when final."""
        ...

    def finish_job(self, job_id: int, status: JobStatus, error: JobError | None, at: datetime) -> bool:
        """Set a final state once, on job and run together; False when it was final already.

        Of its events only those stay that no later one replaced (`JobEvent.subject`).
        """
        ...

    def release_job(self, job_id: int, at: datetime) -> None:
        """Running -> queued because its worker stops in good order; the attempt is not counted."""
        ...

    def set_progress(
        self, job_id: int, progress: Progress, events: Sequence[tuple[str, dict[str, object]]] = ()
    ) -> None:
        """Overwrite the job's progress and append (kind, data) events with it; a final job's stays."""
        ...

    def add_events(self, job_id: int, events: Sequence[tuple[str, dict[str, object]]]) -> None:
        """Append (kind, data) rows in one transaction."""
        ...

    def events(self, *, after_id: int, job_id: int | None = None, limit: int = 500) -> list[JobEvent]:
        """Events in id order."""
        ...

    def latest_event_id(self) -> int:
        """The newest event's id, 0 when there is none."""
        ...

    # what a run finds out
    def set_run_device(self, run_id: int, snapshot: WorkerSnapshot) -> None:
        """Tie the run to its device and environment."""
        ...

    def add_measurement(self, run_id: int, measurement: Measurement, samples: Samples) -> None:
        """Insert or replace, by cell, cache and regime. ConflictError before `set_run_device`."""
        ...

    def add_outcome(self, run_id: int, outcome: CellOutcome) -> None:
        """Insert or replace, by cell."""
        ...

    def add_ceiling(self, run_id: int, ceiling: Ceiling) -> None:
        """Insert or replace, by name and source."""
        ...

    def add_duel(self, run_id: int, duel: Duel) -> None:
        """Insert or replace, by problem, size, dtype, arithmetic and regime."""
        ...

    def add_source(self, run_id: int, sha256: str, text: str) -> None:
        """Keep the text once, content-addressed."""
        ...

    # reading and editing runs
    def run(self, run_id: int) -> Run:
        """The whole run but its raw samples."""
        ...

    def runs(
        self,
        *,
        before_id: int | None = None,
        limit: int = 50,
        status: RunStatus | None = None,
        backend: str | None = None,
        imported: bool | None = None,
        problem: str | None = None,
        device: str | None = None,
        text: str | None = None,
        tag: str | None = None,
    ) -> list[RunSummary]:
        """Newest first. `device` is a name or UUID; `text` matches label, note, tags and device name."""
        ...

    def samples(self, run_id: int) -> list[Samples]:
        """Raw samples of every measurement of the run."""
        ...

    def edit_run(
        self, run_id: int, *, label: str | None, note: str | None, tags: tuple[str, ...] | None
    ) -> RunSummary:
        """Change what is not None."""
        ...

    def delete_run(self, run_id: int) -> None:
        """ConflictError while its job is queued or running."""
        ...

    def import_run(self, run: Run, samples: Sequence[Samples]) -> tuple[int, bool]:
        """Keep a run of another machine; returns (run id, created). The same `uid` twice is the same run."""
        ...

    # what is known of a device over all its runs, whatever became of them
    def newest_cells(self, device_uuid: str) -> list[MeasuredCell]:
        """The last measurement of each cell, cache state and regime."""
        ...

    def newest_fates(self, device_uuid: str) -> list[CellFate]:
        """What last became of each cell in the device's latest runs."""
        ...

    def newest_ceilings(self, device_uuid: str) -> list[tuple[int, Ceiling]]:
        """The last value of each ceiling by name and source in its latest runs, with the run's id."""
        ...

    def measured_devices(self) -> list[DeviceCoverage]:
        """Every device with a measurement, as it was in its latest run."""
        ...

    def newest_duels(self, problem: str, backend: BackendName) -> list[FoughtDuel]:
        """The last duel of each device, size, dtype, arithmetic and regime."""
        ...

    # reports of Nsight Compute; one can be seen once it is finished
    def begin_report(self, new: NewReport) -> int:
        """Start to keep a report; returns the id that its launches are added under."""
        ...

    def add_launches(self, report_id: int, launches: Sequence[tuple[LaunchProfile, StageMatch]]) -> None:
        """Append launches in one transaction."""
        ...

    def finish_report(self, report_id: int) -> tuple[int, bool]:
        """Returns (its id, True), or another's id and False where the same file is here already."""
        ...

    def abandon_report(self, report_id: int) -> None:
        """Forget a report that was begun and cannot be finished."""
        ...

    def report_of_file(self, sha256: str) -> KeptReport | None:
        """The report of a file with that content."""
        ...

    def report(self, report_id: int) -> KeptReport:
        """The report of that id, without its launches."""
        ...

    def reports(
        self, *, before_id: int | None = None, limit: int = 50, text: str | None = None
    ) -> list[KeptReport]:
        """Newest first. `text` matches the file's name, devices and kernels."""
        ...

    def delete_report(self, report_id: int) -> None:
        """Forget a report with all of its launches and its file."""
        ...

    def launches(
        self, report_id: int, *, after_ordinal: int = 0, limit: int = 200, text: str | None = None
    ) -> list[KeptLaunch]:
        """In the order of the file. `text` matches kernel and stage."""
        ...

    def stage_launches(self, problem: str, stage: str | None = None, limit: int = 200) -> list[KeptLaunch]:
        """Launches that were matched to a problem, or to one stage of it; newest reports first."""
        ...

    def launch_profile(self, report_id: int, ordinal: int) -> KeptProfile:
        """One launch with all of its counters; `ordinal` counts from 1."""
        ...

    def launch_profiles(self, launch_ids: Sequence[int]) -> list[tuple[KeptLaunch, LaunchProfile]]:
        """Launches by id with all of their counters; unknown ids are left out."""
        ...

    def launch(self, launch_id: int) -> KeptLaunch:
        """The launch of that id."""
        ...

    def match_launch(self, launch_id: int, match: StageMatch) -> KeptLaunch:
        """Say which stage a launch is one of."""
        ...

    def metric_names(self, text: str, limit: int = 50) -> list[KnownMetric]:
        """Metrics whose name, section or label holds the text, most often counted first."""
        ...

    def keep_report_file(self, source: Path) -> str:
        """Keep a copy of a file under the address of its content, once; returns that address."""
        ...

    def report_file(self, sha256: str) -> Path:
        """Where a kept file lies."""
        ...

    # workers
    def put_worker(self, snapshot: WorkerSnapshot) -> None:
        """Insert or replace, by worker id."""
        ...

    def workers(self) -> list[WorkerSnapshot]:
        """Latest snapshot of each worker, newest first."""
        ...

    def is_empty(self) -> bool:
        """Whether no job was ever submitted and no run of this machine is kept."""
        ...

    def milestone_reached(self, name: str) -> bool:
        """Whether `reach_milestone` was called with this name in this database's life."""
        ...

    def reach_milestone(self, name: str) -> None:
        """Remember for ever that something done once was done (a bundled capsule imported)."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...
