"""What a command ends with; docs/configuration.md repeats this list."""

from __future__ import annotations

from enum import IntEnum

from app.domain.errors import (
    ConflictError,
    DeviceUnavailableError,
    InvalidInputError,
    NotFoundError,
    RoofladderError,
    UnauthorizedError,
    UnavailableError,
)
from app.supervisor.data_folder import AlreadyRunningError


class ExitCode(IntEnum):
    """Exit codes of every command."""

    OK = 0
    ERROR = 1
    INVALID_INPUT = 2
    UNAVAILABLE = 3
    ALREADY_RUNNING = 4
    NOT_FOUND = 5
    CONFLICT = 6
    UNAUTHORIZED = 7
    DEVICE_UNAVAILABLE = 8
    INCOMPLETE = 9  # the job failed, was cancelled, or some of its cells have no correct result
    INTERRUPTED = 130


_CODES: dict[type[RoofladderError], ExitCode] = {
    InvalidInputError: ExitCode.INVALID_INPUT,
    AlreadyRunningError: ExitCode.ALREADY_RUNNING,
    DeviceUnavailableError: ExitCode.DEVICE_UNAVAILABLE,
    UnavailableError: ExitCode.UNAVAILABLE,
    NotFoundError: ExitCode.NOT_FOUND,
    ConflictError: ExitCode.CONFLICT,
    UnauthorizedError: ExitCode.UNAUTHORIZED,
}


def exit_code(error: RoofladderError) -> ExitCode:
    """The code of the nearest class in the error's ancestry."""
    return next((_CODES[kind] for kind in type(error).__mro__ if kind in _CODES), ExitCode.ERROR)
