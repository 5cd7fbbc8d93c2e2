"""The jobs page: current job, queue, submit form with its cost, ended jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.domain.errors import InvalidInputError, UnavailableError
from app.kernels.suites import SUITES
from app.services.cancel_job import cancel_job
from app.services.job_form import FormInput, JobForm, job_form, request_of
from app.services.jobs_view import JobsView, jobs_view
from app.services.live_job import live_job
from app.services.submit_job import PlannedJob, plan_job, submit_job
from app.storage.store import Store
from app.web.dependencies import QueueDep, StoreDep
from app.web.error_pages import status_of
from app.web.templating import Crumb, Page, render, render_part

router = APIRouter(prefix="/jobs")
PAGE = Page("pages/jobs.html", "jobs", (Crumb("Jobs"),))
SUITE_NAMES = frozenset(suite.name for suite in SUITES)
JobId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@dataclass(frozen=True)
class Cost:
    """What the form's job would cost, or why it cannot be: `field` names the input at fault."""

    planned: PlannedJob | None = None
    place: int = 1
    message: str = ""
    field: str = ""


@dataclass(frozen=True)
class JobsPage:
    """The page: jobs, the form and its cost."""

    jobs: JobsView
    form: JobForm
    cost: Cost
    form_key: str  # idempotency key: a form sent twice is one job


def typed(
    problem: Annotated[str, Form(max_length=80)] = "matmul",
    stages: Annotated[list[str] | None, Form()] = None,
    sizes: Annotated[str, Form(max_length=2000)] = "",
    dtype: Annotated[str, Form(max_length=20)] = "float32",
    label: Annotated[str, Form(max_length=20_000)] = "",
    deadline_s: Annotated[str, Form(max_length=20)] = "600",
) -> FormInput:
    """The submit form's fields."""
    chosen = tuple(name for name in stages or () if name)
    return FormInput(problem, chosen, sizes, dtype, label, deadline_s)


TypedDep = Annotated[FormInput, Depends(typed)]


@router.get("")
def show_all(
    request: Request,
    store: StoreDep,
    ended: Annotated[str, Query(max_length=10)] = "all",
    before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
    suite: Annotated[str, Query(max_length=80)] = "",
) -> HTMLResponse:
    """The whole page; `suite` chooses one in the form."""
    form = job_form(store, FormInput(suite) if suite in SUITE_NAMES else None)
    cost = _cost(store, form.entered)
    return render(request, PAGE, JobsPage(jobs_view(store, ended, before), form, cost, uuid4().hex))


@router.post("")
def submit(
    request: Request,
    store: StoreDep,
    queue: QueueDep,
    entered: TypedDep,
    key: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Queue a job; with a mistake the form comes back with what is wrong under the field."""
    try:
        submit_job(store, queue, request_of(entered), idempotency_key=key or None)
    except (InvalidInputError, UnavailableError) as error:
        cost = Cost(message=error.message, field=_form_field(error.field))
        page = JobsPage(jobs_view(store), job_form(store, entered), cost, uuid4().hex)
        return render(request, PAGE, page, status=status_of(error))
    return RedirectResponse("/jobs", status_code=303)


@router.post("/cost")
def preview(
    request: Request,
    store: StoreDep,
    entered: TypedDep,
) -> HTMLResponse:
    """What the job would cost, as typed so far."""
    cost = _cost(store, entered)
    return render_part(request, "parts/job_cost_only.html", cost)


@router.get("/{job_id}")
def show(request: Request, store: StoreDep, job_id: JobId) -> HTMLResponse:
    """One job with its cells and its whole log."""
    page = Page("pages/job.html", "jobs", (Crumb("Jobs", "/jobs"), Crumb(str(job_id))))
    return render(request, page, live_job(store, store.job(job_id), log_lines=500))


@router.post("/{job_id}/cancel")
def cancel(store: StoreDep, queue: QueueDep, job_id: JobId) -> RedirectResponse:
    """Stop a job; what it has finished is kept."""
    cancel_job(store, queue, job_id)
    return RedirectResponse("/jobs", status_code=303)


def _cost(store: Store, entered: FormInput) -> Cost:
    try:
        planned = plan_job(store, request_of(entered))
    except (InvalidInputError, UnavailableError) as error:
        return Cost(message=error.message, field=_form_field(error.field))
    return Cost(planned, len(store.active_jobs()) + 1)


def _form_field(field: str | None) -> str:
    """sizes[0].m is the form's field `sizes`; ladders and suites share one field."""
    name = (field or "").split("[")[0].split(".")[0]
    return "problem" if name in ("suite", "selection") else name
