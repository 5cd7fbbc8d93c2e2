"""Assets: hashed, kept for a year, in the best encoding, and nothing beside the folder."""

from __future__ import annotations

import gzip
import re

import pytest
from fastapi.testclient import TestClient

from app.web import static_files

VENDORED = ("vendor/htmx.min.js", "vendor/plotly-basic.min.js")


@pytest.mark.parametrize("name", ["app.css", "app.js", "icon.svg", *VENDORED, "vendor/inter-variable.woff2"])
def test_a_hashed_address_is_kept_for_a_year(client: TestClient, name: str) -> None:
    answer = client.get(static_files.url(name))
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.content == (static_files.FOLDER / name).read_bytes()


def test_another_versions_address_gets_todays_file_but_may_not_keep_it(client: TestClient) -> None:
    answer = client.get("/static/000000000000/app.css")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("name", VENDORED)
def test_the_best_encoding_is_served_and_holds_the_same_bytes(client: TestClient, name: str) -> None:
    raw = (static_files.FOLDER / name).read_bytes()
    for taken, chosen in (("gzip, br", "br"), ("gzip", "gzip"), ("identity", None)):
        answer = client.get(static_files.url(name), headers={"Accept-Encoding": taken})
        assert answer.headers.get("content-encoding") == chosen
        assert "Accept-Encoding" in answer.headers["vary"]
        if chosen != "br":
            assert answer.content == raw
    assert len(gzip.compress(raw)) > len((static_files.FOLDER / f"{name}.br").read_bytes())


@pytest.mark.parametrize(
    "name", ["../main.py", "%2e%2e/main.py", "vendor", "nothing.css", "vendor/htmx.min.js.br", "a" * 300]
)
def test_nothing_else_is_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{static_files.version()}/{name}").status_code == 404


def test_every_vendored_file_has_its_licence() -> None:
    vendor = static_files.FOLDER / "vendor"
    licences = {path.name.split(".")[0] for path in vendor.glob("*.LICENSE.txt")}
    for path in vendor.iterdir():
        stem = path.name.split(".")[0].removesuffix("-variable")
        assert stem in licences, path.name


def test_the_style_sheet_and_scripts_name_only_files_that_exist() -> None:
    css = (static_files.FOLDER / "app.css").read_text()
    for name in re.findall(r'url\("([^"]+)"\)', css):
        assert (static_files.FOLDER / name).is_file()
    for script in static_files.FOLDER.glob("*.js"):
        for name in re.findall(r'from "\./([^"]+)"', script.read_text()):
            assert (static_files.FOLDER / name).is_file()
