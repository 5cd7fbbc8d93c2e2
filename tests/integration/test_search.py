"""Search knows every page of the lab, each experiment and pair, stages and runs, and jumps where it can."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from app.kernels.experiment import experiments
from app.kernels.pair import pairs
from app.kernels.registry import problem
from app.storage.store import Store
from app.web.search_hits import PLACES, Place
from tests import ladders


def target(client: TestClient, text: str) -> str:
    answer = client.get("/search", params={"q": text})
    return str(answer.headers["location"]) if answer.status_code == 303 else str(answer.text)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.title)
def test_a_page_is_jumped_to_by_its_title_and_is_there(client: TestClient, place: Place) -> None:
    assert target(client, place.title.upper()) == place.href
    assert client.get(place.href).status_code == 200


def test_every_experiment_and_pair_is_found_by_name_and_title(client: TestClient) -> None:
    for one in experiments().values():
        for text in (one.name, one.title):
            assert f"/lab/{one.name}" in target(client, text), text
    for name in pairs():
        for text in (name.replace("_", " "), problem(name).title):
            assert f"/pairs#{name}" in target(client, text), text
    assert "/incidents/transpose" in target(client, "transpose")


def test_without_a_text_the_pages_are_listed(client: TestClient) -> None:
    html = client.get("/search").text
    assert all(f'href="{place.href}"' in html for place in PLACES)


def test_stages_and_runs_stand_together_and_nothing_is_said_to_be_nothing(
    client: TestClient, store: Store
) -> None:
    store.import_run(*ladders.gpu_run())
    assert target(client, "double_buffer") == "/ladders/matmul"
    client.patch("/api/v1/runs/1", json={"label": "tile study"})
    html = target(client, "tile")
    assert "tile study" in html
    assert "block_tile" in html
    assert "Nothing found" in target(client, "<b>no such thing</b>")
    assert "<b>no such thing" not in target(client, "<b>no such thing</b>")
