"""What every repository shares: the database, and keeping content once."""

from __future__ import annotations

from sqlalchemy.orm import Session

from app.domain.device import Device, Environment
from app.domain.errors import NotFoundError
from app.domain.measurement import CompilerReport, Recipe
from app.storage.encoding import COMPILER_REPORT, DEVICE, ENVIRONMENT, RECIPE, content_sha256
from app.storage.tables import (
    CompilerReportRow,
    DeviceSnapshotRow,
    EnvironmentRow,
    RecipeRow,
    RunRow,
    SourceRow,
)
from app.storage.transactions import Database


class Repository:
    """Base of the repositories: each public method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database


def run_row(session: Session, run_id: int) -> RunRow:
    """The run's row. Raises NotFoundError."""
    row = session.get(RunRow, run_id)
    if row is None:
        raise NotFoundError(f"There is no run {run_id}. See the list of runs for those that exist.")
    return row


def keep_device(session: Session, device: Device) -> str:
    """Keep a device snapshot once; returns its address."""
    body = DEVICE.dump(device)
    sha256 = content_sha256(body)
    if session.get(DeviceSnapshotRow, sha256) is None:
        session.add(
            DeviceSnapshotRow(
                sha256=sha256, uuid=device.uuid, backend=device.backend, name=device.name, body=body
            )
        )
        session.flush()
    return sha256


def keep_environment(session: Session, environment: Environment) -> str:
    """Keep an environment once; returns its address."""
    body = ENVIRONMENT.dump(environment)
    sha256 = content_sha256(body)
    if session.get(EnvironmentRow, sha256) is None:
        session.add(
            EnvironmentRow(
                sha256=sha256,
                host=environment.host,
                driver_version=environment.driver_version,
                body=body,
            )
        )
        session.flush()
    return sha256


def keep_recipe(session: Session, recipe: Recipe) -> str:
    """Keep a recipe once; returns its address."""
    body = RECIPE.dump(recipe)
    sha256 = content_sha256(body)
    if session.get(RecipeRow, sha256) is None:
        session.add(RecipeRow(sha256=sha256, body=body))
        session.flush()
    return sha256


def keep_compiler_report(session: Session, report: CompilerReport | None) -> str | None:
    """Keep a compiler report once; returns its address, None for None."""
    if report is None:
        return None
    body = COMPILER_REPORT.dump(report)
    sha256 = content_sha256(body)
    if session.get(CompilerReportRow, sha256) is None:
        session.add(CompilerReportRow(sha256=sha256, body=body))
        session.flush()
    return sha256


def keep_source(session: Session, sha256: str, text: str) -> None:
    """Keep a source's text once, under the address its recipe states."""
    if session.get(SourceRow, sha256) is None:
        session.add(SourceRow(sha256=sha256, text=text))
        session.flush()
