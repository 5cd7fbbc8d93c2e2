"""Where the service listens and whom it lets in."""

from __future__ import annotations

import socket

import pytest

from app.domain.errors import InvalidInputError, UnavailableError
from app.supervisor.listening import bind, is_loopback, local_url, require_token_beyond_loopback


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_loopback_needs_no_token(host: str) -> None:
    assert is_loopback(host)
    require_token_beyond_loopback(host, None)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "lab.example"])
def test_beyond_loopback_a_token_is_required(host: str) -> None:
    with pytest.raises(InvalidInputError, match="Set ROOFLADDER_TOKEN"):
        require_token_beyond_loopback(host, "")
    require_token_beyond_loopback(host, "long random text")


def test_a_taken_port_is_one_line_with_the_next_port() -> None:
    with bind("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(
            UnavailableError, match=rf"Port {port} on 127.0.0.1 is in use.*PORT={port + 1} make"
        ):
            bind("127.0.0.1", port)


def test_an_address_of_another_machine_is_one_line() -> None:
    with pytest.raises(UnavailableError, match="Set HOST to an address of this machine"):
        bind("192.0.2.1", 0)


def test_the_url_can_be_opened_on_this_machine() -> None:
    with bind("0.0.0.0", 0) as bound:
        url = local_url(bound)
        host, port = url.removeprefix("http://").split(":")
        assert host == "127.0.0.1"
        socket.create_connection((host, int(port)), timeout=1).close()
