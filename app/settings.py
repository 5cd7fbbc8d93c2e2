"""The only reader of the environment. Entries read it and pass plain values down."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.domain.errors import InvalidInputError


class Settings(BaseSettings):
    """Every variable the product reads. Names are given in docs/configuration.md."""

    model_config = SettingsConfigDict(env_prefix="ROOFLADDER_", extra="ignore", populate_by_name=True)

    host: str = Field("127.0.0.1", validation_alias=AliasChoices("HOST", "ROOFLADDER_HOST"))
    # 0 takes any free port
    port: int = Field(8020, ge=0, le=65535, validation_alias=AliasChoices("PORT", "ROOFLADDER_PORT"))
    data_dir: Path = Path("data")
    token: str | None = None  # needed to bind beyond loopback
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()  # further names in the Host header, by commas
    backend: Literal["auto", "cuda", "cpu"] = "auto"  # which machine the worker drives
    problem_folders: str = ""  # further problems, laid out like app/kernels; separated as in PATH
    first_benchmark: bool = True  # queue one benchmark when the database is empty
    lock_dir: Path | None = None  # device locks, shared by all who measure on the machine; system default

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return (
            [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value
        )

    @property
    def problem_paths(self) -> tuple[Path, ...]:
        """`problem_folders` as paths, for `kernels.registry.add_folder`."""
        return tuple(Path(part) for part in self.problem_folders.split(os.pathsep) if part)

    @property
    def results_url(self) -> str:
        """Database of runs, jobs and devices."""
        return f"sqlite:///{self.data_dir.resolve() / 'roofladder.db'}"

    @property
    def engine_url(self) -> str:
        """The job engine's own database, so that the two do not share one writer."""
        return f"sqlite:///{self.data_dir.resolve() / 'jobs.db'}"


def read_settings(**overrides: object) -> Settings:
    """The environment, with the command line's values over it. Raises InvalidInputError in one line.

    An override of None leaves what the environment says.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).lower()
        raise InvalidInputError(
            f"{variable_name(name)}={first['input']!r} is not usable: {first['msg']}. Nothing was started; "
            "docs/configuration.md lists every variable.",
            field=name,
        ) from error


def variable_name(field: str) -> str:
    """The environment variable of a setting: HOST and PORT are plain, the rest carries our prefix."""
    return field.upper() if field in ("host", "port") else f"ROOFLADDER_{field.upper()}"
