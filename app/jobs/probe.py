"""Asks a short-lived child what device it sees, so that the worker itself loads no device library."""

from __future__ import annotations

from app.domain.child_messages import Fatal, Plan, Probed
from app.domain.errors import DeviceUnavailableError
from app.domain.vocabulary import BackendName
from app.jobs.child import ChildCommand, ChildProcess

_PATIENCE_READS = 300
_READ_WAIT_S = 0.2


class DeviceProbe:
    """Probes each backend once and remembers what it saw."""

    def __init__(self, command: ChildCommand, cache_dir: str) -> None:
        self._command = command
        self._cache_dir = cache_dir
        self._seen: dict[BackendName, Probed] = {}

    def probe(self, backend: BackendName) -> Probed:
        """The device as a child sees it. Raises DeviceUnavailableError with one clear line."""
        if backend not in self._seen:
            self._seen[backend] = self._ask(backend)
        return self._seen[backend]

    def device_uuid(self, backend: BackendName) -> str:
        """The identity of the backend's device. Raises DeviceUnavailableError."""
        return self.probe(backend).device.uuid

    def _ask(self, backend: BackendName) -> Probed:
        plan = Plan(backend, (), measure_ceilings=False, cache_dir=self._cache_dir, probe_only=True)
        child = ChildProcess(self._command, plan)
        try:
            for _ in range(_PATIENCE_READS):
                messages = child.read(_READ_WAIT_S)
                for message in messages:
                    if isinstance(message, Probed):
                        return message
                    if isinstance(message, Fatal):
                        raise DeviceUnavailableError(message.message)
                if not messages and child.returncode is not None:
                    raise DeviceUnavailableError(
                        f"The {backend.value} device cannot be probed: {child.why_it_died()}. Run"
                        " `roofladder doctor` for what is missing."
                    )
            raise DeviceUnavailableError(
                f"The {backend.value} device gave no answer for a minute. Check the driver with"
                " `roofladder doctor`."
            )
        finally:
            child.kill()
