"""The image and the compose file keep their promises, without Docker."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from app.cli import cli

ROOT = Path(__file__).resolve().parents[2]
COMPOSE_TEXT = (ROOT / "docker-compose.yml").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)["services"]
    return services


def test_web_and_worker_share_one_volume(services: dict[str, Any]) -> None:
    assert set(services) == {"web", "worker"}
    for service in services.values():
        assert service["volumes"] == ["data:/data"]
        assert service["environment"]["ROOFLADDER_DATA_DIR"] == "/data"
    assert "data" in yaml.safe_load(COMPOSE_TEXT)["volumes"]


def test_the_port_is_published_on_this_machine_only(services: dict[str, Any]) -> None:
    assert [port for port in services["web"]["ports"] if not port.startswith("127.0.0.1:")] == []
    assert "ports" not in services["worker"]


def test_the_token_comes_from_the_environment_and_is_required(services: dict[str, Any]) -> None:
    assert services["web"]["environment"]["ROOFLADDER_TOKEN"].startswith("${ROOFLADDER_TOKEN:?")


def test_only_the_worker_reserves_a_gpu(services: dict[str, Any]) -> None:
    device = services["worker"]["deploy"]["resources"]["reservations"]["devices"][0]
    assert device["driver"] == "nvidia"
    assert device["capabilities"] == ["gpu"]
    assert "deploy" not in services["web"]


def test_counter_rights_are_offered_but_not_taken(services: dict[str, Any]) -> None:
    assert all("cap_add" not in service and "privileged" not in service for service in services.values())
    assert re.search(r"^ +# cap_add:\n +#   - SYS_ADMIN$", COMPOSE_TEXT, re.MULTILINE)


def test_every_container_command_is_one_that_the_product_has(services: dict[str, Any]) -> None:
    commands = [service["command"] for service in services.values()]
    commands += [service["healthcheck"]["test"][2:] for service in services.values()]
    for command in commands:
        shown = CliRunner().invoke(cli, [command[0], "--help"], env={"COLUMNS": "200"})
        assert shown.exit_code == 0
        for option in command[1:]:
            assert option in shown.output


def test_the_image_runs_as_an_ordinary_user_and_is_watched() -> None:
    user = re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE)
    assert user == ["roofladder"]
    assert DOCKERFILE.index("USER ") < DOCKERFILE.index("ENTRYPOINT ")
    assert 'CMD ["roofladder", "serve", "--check"]' in DOCKERFILE
    assert re.search(r"^FROM python:3\.\d+-slim$", DOCKERFILE, re.MULTILINE)


def test_the_image_gets_all_that_it_copies() -> None:
    allowed = set(re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    copied = {
        name for line in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()
    }
    assert copied <= allowed
    assert [name for name in copied if not (ROOT / name).exists()] == []
