"""Reports of Nsight Compute: import, list, one report, one launch, two launches compared."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.services.compare_launches import compare_launches
from app.services.edit_launch import correct_match, match_again
from app.services.import_report import Upload, import_uploads
from app.services.launch_view import launch_view
from app.services.reports_view import report_view, reports_view
from app.web import formatting
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render
from app.web.uploads import uploaded_files
from app.web.view_state import launch_href, profile_href

router = APIRouter(prefix="/profiles")
LARGEST_ID = 2**63 - 1
ReportId = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Ordinal = Annotated[int, Path(ge=1, le=LARGEST_ID)]
LaunchId = Annotated[int, Query(ge=1, le=LARGEST_ID)]
Word = Annotated[str, Query(max_length=200)]
TABS = ("overview", "metrics", "source", "checklists", "rules")
ALL = Crumb("Profiles", "/profiles")


@router.get("")
def show_all(
    request: Request,
    store: StoreDep,
    text: Word = "",
    before: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None,
) -> HTMLResponse:
    """Reports, newest first, and the form that imports more."""
    view = reports_view(store, text, before)
    return render(request, Page("pages/profiles.html", "profiles", (Crumb("Profiles"),)), view)


@router.post("/import")
def import_files(
    request: Request, store: StoreDep, uploads: Annotated[list[Upload], Depends(uploaded_files)]
) -> Response:
    """Keep reports; one file leads to its report, several to what became of each."""
    results = import_uploads(store, uploads)
    if len(results) == 1 and results[0].report is not None:
        return RedirectResponse(profile_href(results[0].report.id), status_code=303)
    return render(request, Page("pages/profiles_imported.html", "profiles", (ALL, Crumb("Import"))), results)


@router.get("/compare")
def compare(request: Request, store: StoreDep, base: LaunchId, head: LaunchId, q: Word = "") -> HTMLResponse:
    """Two launches counter by counter, the largest change first."""
    page = Page("pages/profiles_compare.html", "profiles", (ALL, Crumb("Compare")))
    return render(request, page, compare_launches(store, base, head, q))


@router.get("/{report_id}")
def show(
    request: Request,
    store: StoreDep,
    report_id: ReportId,
    text: Word = "",
    after: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0,
) -> HTMLResponse:
    """How a file was read, and its launches."""
    view = report_view(store, report_id, text, after)
    name = formatting.shortened(view.report.facts.name, 40)
    return render(request, Page("pages/profile.html", "profiles", (ALL, Crumb(name))), view)


@router.get("/{report_id}/launches/{ordinal}")
def show_launch(
    request: Request,
    store: StoreDep,
    report_id: ReportId,
    ordinal: Ordinal,
    tab: Annotated[str, Query(max_length=20)] = "overview",
    q: Word = "",
) -> HTMLResponse:
    """One launch; `tab` chooses what stands below its figures."""
    view = launch_view(store, report_id, ordinal, q)
    name = formatting.shortened(view.report.facts.name, 24)
    crumbs = (ALL, Crumb(name, profile_href(report_id)), Crumb(str(ordinal)))
    template = f"pages/launch_{tab if tab in TABS else 'overview'}.html"
    return render(request, Page(template, "profiles", crumbs), view)


@router.post("/{report_id}/launches/{ordinal}/match")
def correct(
    store: StoreDep,
    report_id: ReportId,
    ordinal: Ordinal,
    launch_id: Annotated[int, Form(ge=1, le=LARGEST_ID)],
    stage: Annotated[str, Form(max_length=200)] = "",
    size: Annotated[str, Form(max_length=200)] = "",
) -> RedirectResponse:
    """Correct the stage: `problem/stage`, "none", or "automatic" to take a correction back."""
    if stage == "automatic":
        match_again(store, launch_id)
    else:
        problem, _, name = stage.partition("/")
        if name:
            correct_match(store, launch_id, problem, name, size or None)
        else:
            correct_match(store, launch_id, None, None)
    return RedirectResponse(launch_href(report_id, ordinal), status_code=303)


@router.post("/{report_id}/delete")
def delete(store: StoreDep, report_id: ReportId) -> RedirectResponse:
    """Forget a report with all of its launches and its file."""
    store.delete_report(report_id)
    return RedirectResponse("/profiles", status_code=303)
