"""Style sheets, scripts and fonts: served from memory, compressed, under a name that holds their hash.

The hash covers the whole folder, so relative imports between modules stay inside one version.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.domain.errors import NotFoundError

FOLDER = Path(__file__).parent.parent / "static"
PREFIX = "/static"
_SMALLEST_TO_COMPRESS = 500
_A_YEAR = "public, max-age=31536000, immutable"
_MEDIA_TYPES = {".woff2": "font/woff2", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

router = APIRouter(prefix=PREFIX, include_in_schema=False)


@dataclass(frozen=True)
class Asset:
    """One file in the encodings that browsers ask for."""

    media_type: str
    raw: bytes
    by_encoding: dict[str, bytes]


@cache
def version() -> str:
    """Short hash over names and contents of every file."""
    digest = hashlib.sha256()
    for path in sorted(p for p in FOLDER.rglob("*") if p.is_file()):
        digest.update(path.relative_to(FOLDER).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def url(name: str) -> str:
    """Address of a file by its path below the folder. Raises NotFoundError when there is none."""
    _asset(name)
    return f"{PREFIX}/{version()}/{name}"


@cache
def _names() -> frozenset[str]:
    """What may be asked for: the files of the folder, and nothing that only looks like one."""
    files = (p for p in FOLDER.rglob("*") if p.is_file() and p.suffix != ".br")
    return frozenset(p.relative_to(FOLDER).as_posix() for p in files)


@cache
def _asset(name: str) -> Asset:
    if name not in _names():
        raise NotFoundError(f"There is no static file {name[:80]!r}.")
    path = FOLDER / name
    raw = path.read_bytes()
    media_type = _MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    by_encoding: dict[str, bytes] = {}
    if path.suffix != ".woff2" and len(raw) > _SMALLEST_TO_COMPRESS:
        brotli = path.with_name(f"{path.name}.br")
        if brotli.is_file():
            by_encoding["br"] = brotli.read_bytes()
        by_encoding["gzip"] = gzip.compress(raw, 9, mtime=0)
    return Asset(media_type, raw, by_encoding)


@router.get("/{asked_version}/{name:path}")
def static_file(request: Request, asked_version: str, name: str) -> Response:
    """The file in the best encoding the browser takes."""
    asset = _asset(name)
    taken = {part.split(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    encoding = next((e for e in asset.by_encoding if e in taken), None)
    headers = {
        # A page of an older version may still ask: it gets today's file, but must not keep it.
        "Cache-Control": _A_YEAR if asked_version == version() else "no-cache",
        "Vary": "Accept-Encoding",
    }
    if encoding:
        headers["Content-Encoding"] = encoding
    body = asset.by_encoding[encoding] if encoding else asset.raw
    return Response(body, media_type=asset.media_type, headers=headers)
