"""The list of runs, a run, and what can be done to it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse

from app.services.capsule import import_capsule
from app.services.edit_run import delete_run, edit_run
from app.services.ladder_sorting import sorting
from app.services.run_again import run_again
from app.services.run_view import run_view
from app.services.runs_view import RunFilter, runs_view
from app.services.stage_view import stage_view
from app.web.dependencies import QueueDep, StoreDep
from app.web.pages.choice import ChoiceDep
from app.web.templating import Crumb, Page, render
from app.web.view_state import run_href

router = APIRouter(prefix="/runs")
RunId = Annotated[int, Path(ge=1, le=2**63 - 1)]
Word = Annotated[str, Query(max_length=200)]
TABS = ("ladder", "samples", "environment", "log")


@router.get("")
def show_all(
    request: Request,
    store: StoreDep,
    text: Word = "",
    status: Word = "",
    backend: Word = "",
    problem: Word = "",
    device: Word = "",
    tag: Word = "",
    kind: Word = "",
    before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
) -> HTMLResponse:
    """Runs newest first, narrowed by the query string."""
    view = runs_view(store, RunFilter(text, status, backend, problem, device, tag, kind), before)
    return render(request, Page("pages/runs.html", "runs", (Crumb("Runs"),)), view)


@router.get("/{run_id}")
def show(
    request: Request,
    store: StoreDep,
    run_id: RunId,
    choice: ChoiceDep,
    tab: Annotated[str, Query(max_length=20)] = "ladder",
    sort: Annotated[str, Query(max_length=20)] = "",
    order: Annotated[str, Query(max_length=4)] = "asc",
) -> HTMLResponse:
    """One run; `tab` chooses what stands below its figures."""
    template = f"pages/run_{tab if tab in TABS else 'ladder'}.html"
    page = Page(template, "runs", (Crumb("Runs", "/runs"), Crumb(str(run_id))))
    view = run_view(store, run_id, choice, sorting(sort, order), with_log=tab == "log")
    return render(request, page, view)


@router.get("/{run_id}/stages/{stage}")
def show_stage(
    request: Request,
    store: StoreDep,
    run_id: RunId,
    stage: Annotated[str, Path(max_length=80)],
    choice: ChoiceDep,
) -> HTMLResponse:
    """One stage of a run."""
    crumbs = (Crumb("Runs", "/runs"), Crumb(str(run_id), run_href(run_id)), Crumb(stage))
    return render(request, Page("pages/stage.html", "runs", crumbs), stage_view(store, run_id, stage, choice))


@router.post("/import")
async def import_file(store: StoreDep, file: UploadFile) -> RedirectResponse:
    """Keep the run of a capsule and go to it."""
    content = await file.read()
    imported = await run_in_threadpool(import_capsule, store, content)
    return RedirectResponse(run_href(imported.run_id), status_code=303)


@router.post("/{run_id}")
def edit(
    store: StoreDep,
    run_id: RunId,
    label: Annotated[str, Form()] = "",
    note: Annotated[str, Form()] = "",
    tags: Annotated[str, Form()] = "",
) -> RedirectResponse:
    """Name, annotate and tag a run; tags are separated by commas."""
    words = [word.strip() for word in tags.split(",") if word.strip()]
    edit_run(store, run_id, label=label, note=note, tags=words)
    return RedirectResponse(run_href(run_id), status_code=303)


@router.post("/{run_id}/again")
def again(store: StoreDep, queue: QueueDep, run_id: RunId) -> RedirectResponse:
    """Queue the same selection once more and go to its run."""
    job = run_again(store, queue, run_id)
    return RedirectResponse(run_href(job.run_id), status_code=303)


@router.post("/{run_id}/delete")
def delete(store: StoreDep, run_id: RunId) -> RedirectResponse:
    """Forget a run."""
    delete_run(store, run_id)
    return RedirectResponse("/runs", status_code=303)
