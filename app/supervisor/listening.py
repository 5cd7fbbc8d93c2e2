"""Where the web service listens: loopback unless a token guards the door, and a clear line when taken."""

from __future__ import annotations

import errno
import ipaddress
import socket

from app.domain.errors import InvalidInputError, UnavailableError


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`. Names other than localhost count as open."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def require_token_beyond_loopback(host: str, token: str | None) -> None:
    """Raise InvalidInputError when others could reach the service without a token."""
    if not is_loopback(host) and not token:
        raise InvalidInputError(
            f"HOST={host} lets other machines in, and there is no token: Roofladder did not start. "
            "Set ROOFLADDER_TOKEN to a long random text, or leave HOST at 127.0.0.1.",
            field="host",
        )


def bind(host: str, port: int) -> socket.socket:
    """A bound socket; port 0 takes any free port. Raises UnavailableError with one line."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # uvicorn listens later; listening now makes the second of two quick starts fail here, with our line.
        bound.listen(128)
    except OSError as error:
        raise UnavailableError(_refusal(host, port, error), field="port") from error
    return bound


def _refusal(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} on {host} is in use by another program: Roofladder did not start. "
            f"Choose another one: PORT={port % 65535 + 1} make run."
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} needs more rights than this user has. Set PORT to one above 1023."
    return f"Cannot listen on {host}:{port} ({error.strerror}). Set HOST to an address of this machine."


def local_url(bound: socket.socket) -> str:
    """The address to open on this machine."""
    host, port = bound.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "127.0.0.1"
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"
