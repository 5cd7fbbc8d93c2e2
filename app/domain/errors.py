"""The whole error tree. Each message says what to do; the edges translate it once.

`web/error_pages.py` maps a class to a status, `cli.py` to an exit code, the measuring child to a
cell failure. `code` is the stable word that clients match on; `field` names the input at fault.
"""

from __future__ import annotations


class RoofladderError(Exception):
    """Root of every error this product raises on purpose."""

    code = "error"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class InvalidInputError(RoofladderError):
    """The caller asked for something that cannot be; nothing was stored."""

    code = "invalid_input"


class TooLargeError(InvalidInputError):
    """An upload, list or text is over its stated limit."""

    code = "too_large"


class UnsupportedCapsuleError(InvalidInputError):
    """A run capsule is corrupt, or written by a newer version than this one reads."""

    code = "unsupported_capsule"


class UnreadableReportError(InvalidInputError):
    """A file is no output of Nsight Compute, or holds no launch; the message quotes the tool's own line."""

    code = "unreadable_report"


class IdempotencyMismatchError(InvalidInputError):
    """The same Idempotency-Key came with another body."""

    code = "idempotency_mismatch"


class DeadlineTooShortError(InvalidInputError):
    """The job is estimated to take longer than its deadline allows."""

    code = "deadline_too_short"


class NotFoundError(RoofladderError):
    """No such run, job, problem, stage or chart."""

    code = "not_found"


class ConflictError(RoofladderError):
    """The thing exists, but its state does not allow the request."""

    code = "conflict"


class UnauthorizedError(RoofladderError):
    """The service is bound beyond loopback and the token is missing or wrong."""

    code = "unauthorized"


class ForbiddenError(RoofladderError):
    """The request comes from another site, or names a host that this service does not answer to."""

    code = "forbidden"


class UnavailableError(RoofladderError):
    """Something outside our code is missing or busy: disk, database, driver, port, worker."""

    code = "unavailable"


class DeviceUnavailableError(UnavailableError):
    """No usable GPU: none visible, lost (Xid), driver and library mismatch, or MIG without an instance."""

    code = "device_unavailable"


class NotCollectedError(UnavailableError):
    """A counter is needed that the report does not hold; names what to ask Nsight Compute for."""

    code = "not_collected"

    def __init__(self, counter: str, metric: str, reason: str) -> None:
        ask = f" Profile again with --metrics {metric}." if metric else ""
        super().__init__(f"{counter.replace('_', ' ').capitalize()}: {reason}.{ask}", field=counter)
        self.metric = metric


class StageFailure(RoofladderError):  # noqa: N818 - a failed cell is a result, not a fault of the service
    """One cell could not be measured; the other cells go on."""

    code = "stage_failed"


class CompileFailure(StageFailure):
    """The compiler refused the stage; the message ends with its first error line."""

    code = "compile_failed"


class WrongResultFailure(StageFailure):
    """The output differs from the reference by more than the tolerance. A wrong kernel has no speed."""

    code = "wrong_result"


class OutOfMemoryFailure(StageFailure):
    """The device or host has not enough free memory for this size."""

    code = "out_of_memory"


class NotOnThisDeviceFailure(StageFailure):
    """The device lacks what the stage needs; shown grey, never as a failure of the kernel."""

    code = "not_on_this_device"


class LeftOutFailure(StageFailure):
    """The stage could run here, but this job leaves the cell out."""

    code = "left_out"


class StickyDeviceFailure(StageFailure):
    """The kernel faulted (illegal address, trap): the process's device context is lost."""

    code = "device_fault"
