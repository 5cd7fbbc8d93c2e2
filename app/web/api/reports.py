"""Reports of Nsight Compute: import, list, read, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import FileResponse

from app.domain.errors import NotFoundError
from app.domain.kept_report import KeptLaunch, KeptReport
from app.services.import_report import Upload, import_uploads
from app.services.launch_instances import with_instances
from app.web.api.paging import LARGEST_ID, Cursor, Limit, Page, before_id, page_of
from app.web.api.problems import problems
from app.web.api.report_models import (
    DialectOut,
    ImportedReportOut,
    ImportedReportsOut,
    LaunchOut,
    LaunchProfileOut,
    ReadErrorOut,
    ReportOut,
    ReportSummaryOut,
)
from app.web.dependencies import StoreDep
from app.web.uploads import uploaded_files

router = APIRouter(prefix="/reports", tags=["reports"])

ANY_BYTES = "application/octet-stream"
BINARY = {"type": "string", "format": "binary"}
REPORTS_BODY = {
    "requestBody": {
        "required": True,
        "description": "A CSV, a .ncu-rep, several of them, or a zip.",
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "array", "items": BINARY, "minItems": 1}},
                }
            },
            ANY_BYTES: {"schema": BINARY},
        },
    }
}
LAUNCHES_SHOWN = 200
Uploads = Annotated[list[Upload], Depends(uploaded_files)]
ReportId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The report's id.")]


@router.post(
    "",
    status_code=201,
    openapi_extra=REPORTS_BODY,
    responses={200: {"model": ImportedReportsOut, "description": "Every file was here already."}},
)
def import_reports(
    uploads: Uploads,
    store: StoreDep,
    response: Response,
    name: Annotated[
        str | None, Query(max_length=500, description="Name of the file, where the body is the file itself.")
    ] = None,
) -> ImportedReportsOut:
    """Keep reports; the same content twice is kept once. One that cannot be read costs the others nothing."""
    del name  # `uploaded_files` reads it from the request
    results = import_uploads(store, uploads)
    response.status_code = 201 if any(result.created for result in results) else 200
    kept = [result.report for result in results if result.report is not None]
    if len(kept) == 1:
        response.headers["Location"] = f"/api/v1/reports/{kept[0].id}"
    return ImportedReportsOut(items=[ImportedReportOut.of(result) for result in results])


@router.get("")
def list_reports(
    request: Request,
    store: StoreDep,
    limit: Limit = 50,
    cursor: Cursor = None,
    text: Annotated[
        str | None, Query(max_length=200, description="In the file's name, a device or a kernel.")
    ] = None,
) -> Page[ReportSummaryOut]:
    """Reports, newest first."""
    found = store.reports(before_id=before_id(cursor), limit=limit + 1, text=text)
    reports, following = page_of(request, found, limit, lambda report: report.id)
    return Page(items=[ReportSummaryOut.of(report) for report in reports], next=following)


@router.get("/{report_id}", responses=problems(404))
def get_report(report_id: ReportId, store: StoreDep, request: Request) -> ReportOut:
    """How a file was read, and its first 200 launches."""
    report = store.report(report_id)
    found = store.launches(report_id, limit=LAUNCHES_SHOWN + 1)
    path = f"{request.url.path}/launches"
    launches, following = page_of(request, found, LAUNCHES_SHOWN, lambda one: one.ordinal, path)
    return _whole(report, launches, following)


@router.get("/{report_id}/launches", responses=problems(404))
def list_launches(
    report_id: ReportId,
    request: Request,
    store: StoreDep,
    limit: Limit = 50,
    cursor: Cursor = None,
    text: Annotated[str | None, Query(max_length=200, description="In kernel or stage.")] = None,
) -> Page[LaunchOut]:
    """Launches of a report in the order of the file, without their counters."""
    found = store.launches(report_id, after_ordinal=before_id(cursor) or 0, limit=limit + 1, text=text)
    launches, following = page_of(request, found, limit, lambda one: one.ordinal)
    return Page(items=[LaunchOut.of(launch) for launch in launches], next=following)


@router.get("/{report_id}/launches/{n}", responses=problems(404))
def get_launch(
    report_id: ReportId,
    n: Annotated[int, Path(ge=1, le=LARGEST_ID, description="Place in the report, from 1.")],
    store: StoreDep,
    metric: Annotated[str, Query(max_length=200, description="Only counters that hold this text.")] = "",
    instances: Annotated[bool, Query(description="With the parts that are counted apart.")] = False,
) -> LaunchProfileOut:
    """One launch with its counters, the tool's rules and its source page."""
    kept = store.launch_profile(report_id, n)
    if instances:
        kept = with_instances(store, kept)
    return LaunchProfileOut.of_profile(kept, text=metric, with_instances=instances)


@router.get(
    "/{report_id}/raw",
    responses={200: {"content": {ANY_BYTES: {"schema": BINARY}}}, **problems(404)},
    response_class=Response,
)
def get_raw(report_id: ReportId, store: StoreDep) -> Response:
    """The file that was kept of the report."""
    facts = store.report(report_id).facts
    if facts.kept_sha256 is None:
        raise NotFoundError(f"No file was kept of report {report_id}; its launches are. Import it again.")
    path = store.report_file(facts.kept_sha256)
    return FileResponse(path, media_type=ANY_BYTES, filename=facts.name)


@router.delete("/{report_id}", status_code=204, responses=problems(404))
def remove_report(report_id: ReportId, store: StoreDep) -> None:
    """Delete a report with all of its launches and its file."""
    store.delete_report(report_id)


def _whole(report: KeptReport, launches: list[KeptLaunch], following: str | None) -> ReportOut:
    facts = report.facts
    return ReportOut(
        **ReportSummaryOut.of(report).model_dump(),
        dialect=DialectOut.model_validate(facts.dialect),
        warnings=list(facts.warnings),
        skipped=dict(facts.skipped),
        error=ReadErrorOut.model_validate(facts.error) if facts.error else None,
        device_attributes={device: dict(found) for device, found in facts.device_attributes.items()},
        launches=[LaunchOut.of(launch) for launch in launches],
        launches_next=following,
    )
