"""Errors under /api are problem+json, elsewhere a page; none shows the inside."""

from __future__ import annotations

import logging
from typing import Any, cast

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.domain import errors
from app.main import create_app
from app.web.error_pages import STATUS_BY_ERROR, field_name, status_of

SECRET = "cause that nobody outside may read"


@pytest.fixture
def web() -> FastAPI:
    app = create_app(cast(Any, None), cast(Any, None))

    @app.get("/api/v1/boom")
    @app.get("/boom")
    def boom() -> None:
        raise ValueError(SECRET)

    @app.get("/api/v1/raise/{name}")
    def fail(name: str) -> None:
        raise getattr(errors, name)("The fact. The consequence. What to do.", field="sizes[0].m")

    return app


@pytest.fixture
def client(web: FastAPI) -> TestClient:
    return TestClient(web, base_url="http://127.0.0.1")


@pytest.mark.parametrize("error", STATUS_BY_ERROR)
def test_each_error_has_its_status_and_words(client: TestClient, error: type[errors.RoofladderError]) -> None:
    response = client.get(f"/api/v1/raise/{error.__name__}")
    body = response.json()
    assert response.status_code == STATUS_BY_ERROR[error]
    assert response.headers["content-type"] == "application/problem+json"
    assert body["status"] == response.status_code
    assert body["code"] == error.code
    assert body["type"].endswith(error.code)
    assert body["detail"] == "The fact. The consequence. What to do."
    assert body["field"] == "sizes[0].m"
    assert body["request_id"] == response.headers["x-request-id"]


def test_a_class_without_an_entry_takes_its_parents_status() -> None:
    assert status_of(errors.UnsupportedCapsuleError("x")) == 422
    assert status_of(errors.DeviceUnavailableError("x")) == 503
    assert status_of(errors.OutOfMemoryFailure("x")) == 500


@pytest.mark.parametrize("path", ["/api/v1/boom", "/boom"])
def test_an_unforeseen_failure_is_logged_and_shows_nothing(
    client: TestClient, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        response = client.get(path)
    assert response.status_code == 500
    assert SECRET not in response.text
    assert "Traceback" not in response.text
    assert response.headers["x-request-id"] in response.text
    assert SECRET in caplog.text
    assert response.headers["x-request-id"] in caplog.text
    assert response.headers["x-content-type-options"] == "nosniff"


def test_unknown_addresses_and_methods(client: TestClient) -> None:
    api, page, method = client.get("/api/v1/no"), client.get("/no"), client.put("/api/v1/health")
    assert (api.status_code, api.json()["code"]) == (404, "not_found")
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert (method.status_code, method.json()["code"]) == (405, "method_not_allowed")
    assert method.headers["allow"] == "GET"


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/api/v1/runs/1", "GET, PATCH, DELETE"),
        ("DELETE", "/api/v1/jobs", "GET, POST"),
        ("DELETE", "/jobs", "GET, POST"),
        ("GET", "/api/v1/jobs/1/cancel", "POST"),
    ],
)
def test_every_method_of_an_address_is_named(client: TestClient, method: str, path: str, allow: str) -> None:
    response = client.request(method, path)
    assert (response.status_code, response.headers["allow"]) == (405, allow)


def test_an_error_page_that_fails_is_replaced_by_a_plain_one(web: FastAPI, client: TestClient) -> None:
    def broken(*_: object) -> Any:
        raise KeyError(SECRET)

    web.state.error_page = broken
    response = client.get("/no")
    assert response.status_code == 404
    assert "404 Not Found" in response.text
    assert SECRET not in response.text


def test_hostile_text_is_escaped(client: TestClient) -> None:
    assert "<script>" not in client.get("/<script>alert(1)</script>").text


@pytest.mark.parametrize(
    ("loc", "name"),
    [
        (("body", "sizes", 0, "m"), "sizes[0].m"),
        (("body",), "body"),
        (("query", "limit"), "limit"),
        (("body", "sizes", 3, "odd", "[key]"), "sizes[3].odd"),
    ],
)
def test_fields_are_named_as_a_reader_would(loc: tuple[str | int, ...], name: str) -> None:
    assert field_name(loc) == name
