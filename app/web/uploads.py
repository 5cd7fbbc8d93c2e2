"""Files of a request on disk, for as long as it takes to look at them: never whole in memory."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from app.domain.errors import InvalidInputError, UnavailableError
from app.services.import_report import Upload

MAX_FILES = 100
FIELD = "file"


async def uploaded_files(request: Request) -> AsyncIterator[list[Upload]]:
    """The files of a form's `file` fields, or the whole body under the name in `?name=`.

    Raises InvalidInputError for a form without a file, UnavailableError where the disk takes none.
    """
    with tempfile.TemporaryDirectory(prefix="roofladder-upload-") as folder:
        yield await _received_on_disk(request, Path(folder))


async def _received_on_disk(request: Request, folder: Path) -> list[Upload]:
    try:
        return await _received(request, folder)
    except OSError as error:
        raise UnavailableError(
            f"The upload could not be written to disk ({error.strerror}); nothing was stored."
            " Free some space and try again."
        ) from error


async def _received(request: Request, folder: Path) -> list[Upload]:
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await _form_files(request, folder)
    target = folder / "0"
    with target.open("wb") as out:
        async for chunk in request.stream():
            out.write(chunk)
    return [Upload(request.query_params.get("name", "") or "report", target)]


async def _form_files(request: Request, folder: Path) -> list[Upload]:
    uploads = []
    async with request.form(max_files=MAX_FILES, max_fields=10) as form:
        for index, part in enumerate(form.getlist(FIELD)):
            if isinstance(part, UploadFile) and (part.filename or part.size):
                target = folder / str(index)
                await run_in_threadpool(_copy, part, target)
                uploads.append(Upload(part.filename or "report", target))
    if not uploads:
        raise InvalidInputError(
            f"The form has no file named `{FIELD}`; nothing was stored. Choose one or several reports.",
            field=FIELD,
        )
    return uploads


def _copy(part: UploadFile, target: Path) -> None:
    with target.open("wb") as out:
        shutil.copyfileobj(part.file, out, 1 << 20)
