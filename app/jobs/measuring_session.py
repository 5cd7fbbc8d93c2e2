"""One attempt at a job: as many measuring children as it takes, each going on where the last one died."""

from __future__ import annotations

import time

from app.domain.child_messages import CellEnded, ChildMessage
from app.domain.errors import DeviceUnavailableError
from app.domain.measurement import CellKey, CellOutcome
from app.domain.run import Job
from app.domain.vocabulary import BackendName, CellStatus
from app.jobs.bench import Bench
from app.jobs.cell_ledger import CellLedger
from app.jobs.child import ChildCommand, ChildProcess
from app.jobs.findings import Findings
from app.jobs.live_report import LiveReport
from app.jobs.watch import DeadlinePassed, Watch
from app.kernels import registry
from app.storage.store import Store


class MeasuringSession:
    """Runs children for one job until every cell has an outcome."""

    def __init__(
        self, store: Store, bench: Bench, job: Job, watch: Watch, ledger: CellLedger, report: LiveReport
    ) -> None:
        self._bench = bench
        self._job = job
        self._watch = watch
        self._ledger = ledger
        self._report = report
        self._findings = Findings(store, job.run_id, bench.worker_id)

    def run(self, device_uuid: str, lock_fd: int) -> None:
        """Measure what remains. Raises JobInterrupted, DeviceUnavailableError and UnavailableError.

        Whatever ends it, no child is alive afterwards and all that was said is written.
        """
        command = _on_device(self._bench.command, self._job.selection.backend, device_uuid)
        deaths = 0
        try:
            while self._ledger.remaining:
                reason = self._run_child(command, lock_fd)
                deaths += 1
                self._bury(reason, deaths)
        except DeadlinePassed:
            self._fail(self._ledger.in_flight, "the job's deadline passed while this cell was measured")
            raise
        finally:
            self._report.write()

    def _run_child(self, command: ChildCommand, lock_fd: int) -> str:
        """Run one child to its end; returns why cells may be left over."""
        plan = self._ledger.plan(self._job.selection, self._bench.cache_dir)
        child = ChildProcess(command, plan, (lock_fd,))
        try:
            silent = self._listen(child)
            child.kill()
            return silent or self._last_words(child)
        finally:
            child.kill()

    def _listen(self, child: ChildProcess) -> str | None:
        """Follow the child to its end; returns a reason when it said nothing for too long."""
        limits = self._bench.limits
        heard_s = time.monotonic()
        while True:
            messages = child.read(limits.read_wait_s)
            for message in messages:
                self._take(message)
            if messages:
                heard_s = time.monotonic()
            elif child.returncode is not None:
                return None
            self._watch.check()
            patience_s = self._patience_s()
            if time.monotonic() - heard_s > patience_s:
                return f"hung: no sign of life for {patience_s:g} s"
            self._report.write_if_due()

    def _patience_s(self) -> float:
        """How long a child may be silent: a trap that hangs on purpose states its own, shorter deadline."""
        longest_s, key = self._bench.limits.silence_s, self._ledger.in_flight
        if key is None:
            return longest_s
        trap = registry.stage(key.problem, self._job.selection.backend, key.stage).trap
        return min(longest_s, trap.deadline_s) if trap and trap.deadline_s else longest_s

    def _last_words(self, child: ChildProcess) -> str:
        fatal = self._ledger.fatal
        if fatal is not None and fatal.code == DeviceUnavailableError.code:
            raise DeviceUnavailableError(fatal.message)
        if fatal is not None:
            return fatal.message
        if self._ledger.done:
            return "the measuring process ended without measuring this cell"
        return child.why_it_died()

    def _bury(self, reason: str, deaths: int) -> None:
        """Blame the cell in flight; all that remain after too many deaths or a child that said Done."""
        self._fail(self._ledger.child_died(), reason)
        remaining = self._ledger.remaining
        if not remaining:
            return
        if self._ledger.done or deaths > self._bench.limits.child_restarts:
            for key in remaining:
                self._fail(key, reason)
            return
        self._report.log(
            f"The measuring process ended: {reason}. A new one goes on with {len(remaining)} cells."
        )

    def _fail(self, key: CellKey | None, reason: str) -> None:
        if key is not None:
            self._take(CellEnded(CellOutcome(key, CellStatus.FAILED, reason)))

    def _take(self, message: ChildMessage) -> None:
        self._findings.take(message)
        self._ledger.take(message)
        self._report.take(message)


def _on_device(command: ChildCommand, backend: BackendName, device_uuid: str) -> ChildCommand:
    if backend is not BackendName.CUDA:
        return command
    return ChildCommand(command.argv, {**command.environment, "CUDA_VISIBLE_DEVICES": device_uuid})
