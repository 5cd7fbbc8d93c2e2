"""Host, origin, token, body limits and headers, through the whole application."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from app.domain.errors import InvalidInputError
from app.main import create_app

TOKEN = "a-long-random-token"
Client = Callable[..., TestClient]


@pytest.fixture
def client() -> Client:
    def make(base_url: str = "http://127.0.0.1:8020", **options: Any) -> TestClient:
        web = create_app(cast(Any, None), cast(Any, None), **options)
        return TestClient(web, base_url=base_url, follow_redirects=False)

    return make


SCHEMA = "/api/v1/openapi.json"


@pytest.mark.parametrize("host", ["localhost:8020", "127.0.0.1:8020", "[::1]:8020", "LOCALHOST"])
def test_answers_to_loopback_names(client: Client, host: str) -> None:
    assert client().get(SCHEMA, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "", "[", "10.0.0.1"]
)
def test_refuses_a_rebound_host(client: Client, host: str) -> None:
    response = client().get(SCHEMA, headers={"Host": host})
    assert response.status_code == 403
    assert response.json()["field"] == "Host"
    assert response.headers["content-type"] == "application/problem+json"


def test_answers_to_a_configured_host(client: Client) -> None:
    web = client(allowed_hosts=["bench.lan"])
    assert web.get(SCHEMA, headers={"Host": "bench.lan:8020"}).status_code == 200
    assert web.get(SCHEMA, headers={"Host": "other.lan"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE", "PUT"])
def test_refuses_a_change_from_another_site(client: Client, headers: dict[str, str], method: str) -> None:
    response = client().request(method, "/api/v1/jobs", headers=headers)
    assert (response.status_code, response.json()["field"]) == (403, "Origin")


def test_takes_a_change_from_its_own_page_and_from_a_program(client: Client) -> None:
    own = client().post("/api/v1/nothing", headers={"Origin": "http://127.0.0.1:8020"})
    program = client().post("/api/v1/nothing")
    assert (own.status_code, program.status_code) == (404, 404)


def test_refuses_to_start_beyond_loopback_without_a_token(client: Client) -> None:
    with pytest.raises(InvalidInputError, match="ROOFLADDER_TOKEN"):
        client(bound_to_loopback=False)


class TestToken:
    @pytest.fixture
    def guarded(self, client: Client) -> Iterator[TestClient]:
        with client("http://gpu-box:8020", token=TOKEN, bound_to_loopback=False) as web:
            yield web

    @pytest.mark.parametrize("value", [None, "Bearer wrong", "Bearer ", TOKEN, f"Basic {TOKEN}", "Bearer é"])
    def test_missing_or_wrong_is_401(self, guarded: TestClient, value: str | None) -> None:
        headers = {"Authorization": value.encode()} if value is not None else {}
        response = guarded.get(SCHEMA, headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert response.json()["code"] == "unauthorized"

    def test_bearer_is_taken(self, guarded: TestClient) -> None:
        assert guarded.get(SCHEMA, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200

    def test_a_browser_signs_in(self, guarded: TestClient) -> None:
        assert guarded.get("/").headers["location"] == "/login"
        assert "Token" in guarded.get("/login").text
        assert guarded.post("/login", data={"token": "wrong"}).status_code == 401
        accepted = guarded.post("/login", data={"token": TOKEN})
        cookie = accepted.headers["set-cookie"]
        assert accepted.status_code == 303
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert TOKEN not in cookie
        assert guarded.get(SCHEMA).status_code == 200

    def test_a_forged_cookie_is_refused(self, guarded: TestClient) -> None:
        guarded.cookies.set("roofladder_session", "0" * 64)
        assert guarded.get(SCHEMA).status_code == 401


def test_every_response_carries_the_security_headers(client: Client) -> None:
    for path in ("/api/v1/openapi.json", "/api/v1/nothing", "/nothing"):
        headers = client().get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert len(headers["x-request-id"]) == 16


def test_large_responses_are_compressed(client: Client) -> None:
    assert client().get(SCHEMA).headers["content-encoding"] == "gzip"


def test_a_declared_oversize_body_is_refused_unread(client: Client) -> None:
    response = client().post("/api/v1/jobs", content=b"x" * (1024 * 1024 + 1))
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


def test_an_undeclared_oversize_body_is_refused_while_it_streams(client: Client) -> None:
    chunks = (b"x" * 65536 for _ in range(64))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client().post("/login", content=chunks, headers=headers).status_code == 413
