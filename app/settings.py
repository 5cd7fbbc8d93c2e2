"""The only reader of the environment. Entries read it and pass plain values down."""

from __future__ import annotations

from pathlib import Path

from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Every variable the product reads. Names are given in docs/configuration.md."""

    model_config = SettingsConfigDict(env_prefix="ROOFLADDER_", extra="ignore")

    host: str = Field("127.0.0.1", validation_alias=AliasChoices("HOST", "ROOFLADDER_HOST"))
    port: int = Field(8020, ge=1, le=65535, validation_alias=AliasChoices("PORT", "ROOFLADDER_PORT"))
    data_dir: Path = Path("data")
    token: str | None = None  # needed to bind beyond loopback
    backend: str = "auto"  # auto, cuda or cpu: which machine the worker drives
    first_benchmark: bool = True  # queue one benchmark when the database is empty

    @property
    def results_url(self) -> str:
        """Database of runs, jobs and devices."""
        return f"sqlite:///{self.data_dir.resolve() / 'roofladder.db'}"

    @property
    def engine_url(self) -> str:
        """The job engine's own database, so that the two do not share one writer."""
        return f"sqlite:///{self.data_dir.resolve() / 'jobs.db'}"
