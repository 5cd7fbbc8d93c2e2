"""Read, annotate, delete, export and import runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.datastructures import UploadFile

from app.domain.errors import InvalidInputError
from app.domain.vocabulary import BackendName, RunStatus
from app.services.capsule import export_capsule, import_capsule
from app.services.edit_run import delete_run, edit_run
from app.services.run_report import run_as_csv
from app.web.api.paging import Cursor, Limit, Page, RunId, before_id, page_of
from app.web.api.problems import problems
from app.web.api.run_models import ImportedOut, RunOut, RunPatch, RunSummaryOut, SamplesOut
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/runs", tags=["runs"])

ZIP = "application/zip"
BINARY = {"type": "string", "format": "binary"}
CAPSULE_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            ZIP: {"schema": BINARY},
            "multipart/form-data": {
                "schema": {"type": "object", "required": ["file"], "properties": {"file": BINARY}}
            },
        },
    }
}
Text = Annotated[str | None, Query(max_length=200)]


@router.get("")
def list_runs(
    request: Request,
    store: StoreDep,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: RunStatus | None = None,
    backend: BackendName | None = None,
    imported: bool | None = None,
    problem: Text = None,
    device: Annotated[str | None, Query(max_length=200, description="Name or UUID.")] = None,
    text: Annotated[str | None, Query(max_length=200, description="In label, note, tags or device.")] = None,
    tag: Text = None,
) -> Page[RunSummaryOut]:
    """Runs, newest first; every filter that is given must hold."""
    found = store.runs(
        before_id=before_id(cursor),
        limit=limit + 1,
        status=status,
        backend=backend,
        imported=imported,
        problem=problem,
        device=device,
        text=text,
        tag=tag,
    )
    runs, following = page_of(request, found, limit, lambda run: run.id)
    return Page(items=[RunSummaryOut.of(run) for run in runs], next=following)


@router.get(
    "/{run_id}.csv",
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}, **problems(404)},
    response_class=Response,
)
def get_csv(run_id: RunId, store: StoreDep) -> Response:
    """One line a measurement, every digit, SI units in the column names."""
    name = f'attachment; filename="roofladder-run-{run_id}.csv"'
    content = run_as_csv(store.run(run_id))
    return Response(content, media_type="text/csv; charset=utf-8", headers={"Content-Disposition": name})


@router.get("/{run_id}", responses=problems(404))
def get_run(run_id: RunId, store: StoreDep) -> RunOut:
    """A whole run but its raw samples."""
    return RunOut.of_run(store.run(run_id))


@router.get("/{run_id}/samples", responses=problems(404))
def get_samples(run_id: RunId, store: StoreDep) -> Page[SamplesOut]:
    """Raw samples of every measurement of the run, on one page."""
    return Page(items=[SamplesOut.of(one) for one in store.samples(run_id)], next=None)


@router.patch("/{run_id}", responses=problems(404))
def patch_run(run_id: RunId, body: RunPatch, store: StoreDep) -> RunSummaryOut:
    """Change label, note or tags."""
    return RunSummaryOut.of(edit_run(store, run_id, label=body.label, note=body.note, tags=body.tags))


@router.delete("/{run_id}", status_code=204, responses=problems(404, 409))
def remove_run(run_id: RunId, store: StoreDep) -> None:
    """Delete a run with all of its measurements; 409 while its job is not over."""
    delete_run(store, run_id)


@router.get(
    "/{run_id}/capsule",
    responses={200: {"content": {ZIP: {"schema": BINARY}}}, **problems(404, 409)},
    response_class=Response,
)
def get_capsule(run_id: RunId, store: StoreDep) -> Response:
    """The whole run in one file, to import elsewhere; 409 while it is not over."""
    name = f'attachment; filename="roofladder-run-{run_id}.zip"'
    return Response(export_capsule(store, run_id), media_type=ZIP, headers={"Content-Disposition": name})


async def uploaded_capsule(request: Request) -> bytes:
    """The file of a form, or the whole body. Raises InvalidInputError for a form without the file."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        return await request.body()
    async with request.form(max_files=1, max_fields=1) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise InvalidInputError(
                "The form has no file named `file`; nothing was stored. Send the capsule under that name.",
                field="file",
            )
        return await file.read()


@router.post(
    "/import",
    status_code=201,
    openapi_extra=CAPSULE_BODY,
    responses={200: {"model": ImportedOut, "description": "The same run was here already."}},
)
def import_run(
    data: Annotated[bytes, Depends(uploaded_capsule)], store: StoreDep, response: Response
) -> ImportedOut:
    """Keep a run of another machine; the same run twice is kept once."""
    imported = import_capsule(store, data)
    response.status_code = 201 if imported.created else 200
    response.headers["Location"] = f"/api/v1/runs/{imported.run_id}"
    return ImportedOut(run_id=imported.run_id, created=imported.created)
