"""The environment as settings: names, overrides, and one clear line for a bad value."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.domain.errors import InvalidInputError
from app.settings import read_settings


def test_the_three_plain_names_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOST", "::1")
    monkeypatch.setenv("PORT", "9000")
    monkeypatch.setenv("ROOFLADDER_DATA_DIR", str(tmp_path))
    settings = read_settings()
    assert (settings.host, settings.port, settings.data_dir) == ("::1", 9000, tmp_path)
    assert settings.results_url == f"sqlite:///{tmp_path}/roofladder.db"
    assert settings.engine_url == f"sqlite:///{tmp_path}/jobs.db"


def test_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "9000")
    assert read_settings(port=9001).port == 9001
    assert read_settings(port=None).port == 9000


def test_hosts_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOFLADDER_ALLOWED_HOSTS", "lab.example, gpu7")
    assert read_settings().allowed_hosts == ("lab.example", "gpu7")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "70000"),
        ("ROOFLADDER_BACKEND", "rocm"),
        ("ROOFLADDER_FIRST_BENCHMARK", "no!"),
    ],
)
def test_a_bad_value_is_one_line_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInputError) as caught:
        read_settings()
    assert caught.value.message.startswith(f"{name}={value!r} is not usable")
    assert "\n" not in caught.value.message
