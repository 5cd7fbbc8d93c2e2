"""Templates: strict about names, escaping everything, with the formats of `formatting.py` as filters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

import app as roofladder
from app.domain.vocabulary import Provenance
from app.services.frame import Frame, frame
from app.web import formatting, naming, static_files, view_state
from app.web.charts import launch_roofline, memory_chart, roofline_frame, samples, stage_ladder, stalls
from app.web.claim_wording import CLAIM_WORDS
from app.web.commands import COMMANDS
from app.web.counter_wording import COUNTER_WORDS
from app.web.dependencies import get_store
from app.web.error_pages import Problem
from app.web.finding_wording import FINDING_WORDS
from app.web.highlighting import highlighted_source
from app.web.level_wording import LEVEL_WORDS
from app.web.sentences import SENTENCES
from app.web.wording import WORDINGS

THEMES = ("light", "dark")
FILTERS = (
    formatting.about_seconds,
    formatting.age,
    formatting.backend_title,
    formatting.bandwidth,
    formatting.bytes_moved,
    formatting.counter_value,
    formatting.capacity,
    formatting.clock,
    formatting.clock_time,
    formatting.count,
    formatting.cut,
    formatting.day,
    formatting.dimensions,
    formatting.dtype_title,
    formatting.duration,
    formatting.duration_scale,
    formatting.factor,
    formatting.factor_number,
    formatting.fixed,
    formatting.grouped,
    formatting.instruction_mix,
    formatting.ordinal,
    formatting.percent,
    formatting.percent_change,
    formatting.percent_number,
    formatting.percent_whole,
    formatting.plain,
    formatting.plus_minus,
    formatting.power,
    formatting.rate,
    formatting.rate_scale,
    formatting.rate_short,
    formatting.roof_title,
    formatting.short_hash,
    formatting.shortened,
    formatting.significant,
    formatting.small_error,
    formatting.times,
    formatting.timestamp,
    naming.problem_word,
)


@dataclass(frozen=True)
class Crumb:
    """One part of the breadcrumb; the last one has no address."""

    title: str
    href: str | None = None


# The pages of the lab, in the order of its tabs.
LAB_ENTRIES = (
    Crumb("Experiments", "/lab"),
    Crumb("Hierarchy", "/hierarchy"),
    Crumb("Ceilings", "/ceilings"),
    Crumb("Diagnosis pairs", "/pairs"),
    Crumb("Claims", "/claims"),
    Crumb("Incidents", "/incidents"),
    Crumb("Traps", "/traps"),
)


@dataclass(frozen=True)
class Page:
    """What a page says of itself to the frame around it."""

    template: str
    section: str  # which entry of the navigation is current
    crumbs: tuple[Crumb, ...]

    @property
    def title(self) -> str:
        """Title of the browser's tab, most specific first."""
        return " · ".join([crumb.title for crumb in reversed(self.crumbs)] + ["Roofladder"])


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent.parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update({one.__name__: one for one in FILTERS})
    environment.filters["provenance"] = Provenance
    environment.filters.update({name: table.__getitem__ for name, table in WORDINGS.items()})
    environment.filters.update(
        {
            one.__name__: one
            for one in (
                *SENTENCES,
                *CLAIM_WORDS,
                *LEVEL_WORDS,
                *COMMANDS,
                *COUNTER_WORDS,
                *FINDING_WORDS,
                stalls.stalls_height_px,
                memory_chart.memory_drawing,
                highlighted_source,
            )
        }
    )
    environment.filters.update(
        experiment_href=view_state.experiment_href, experiment_api_href=view_state.experiment_api_href
    )
    environment.globals.update(
        static_url=static_files.url,
        lab_entries=LAB_ENTRIES,
        version=roofladder.__version__,
        run_href=view_state.run_href,
        stage_href=view_state.stage_href,
        cell_href=view_state.cell_href,
        lab_href=view_state.lab_href,
        chart_href=view_state.chart_href,
        profile_href=view_state.profile_href,
        launch_href=view_state.launch_href,
        launch_figure_href=view_state.launch_figure_href,
        compare_href=view_state.compare_href,
        ladder_height=stage_ladder.height_px,
        samples_height=samples.height_px,
        roofline_height=roofline_frame.height_px,
        launch_roofline_height=launch_roofline.HEIGHT_PX,
    )
    return environment


ENVIRONMENT = _environment()


def render(request: Request, page: Page, view: object, *, status: int = 200) -> HTMLResponse:
    """The whole page: `view` is what the page's service returned."""
    return _response(request, page.template, page=page, view=view, frame=_frame(request), status=status)


def render_part(request: Request, template: str, view: object, *, status: int = 200) -> HTMLResponse:
    """One region of a page, for a partial update."""
    return _response(request, template, view=view, status=status)


def render_frame_part(request: Request, template: str, shown: Frame) -> HTMLResponse:
    """A part of the frame, for a partial update."""
    return _response(request, template, frame=shown, status=200)


def error_page(request: Request, problem: Problem) -> Response:
    """The page for an error: what failed, what is unaffected, what to do."""
    page = Page("pages/error.html", "", (Crumb("Overview", "/"), Crumb(f"{problem.status} {problem.title}")))
    return render(request, page, problem, status=problem.status)


def theme_of(request: Request) -> str:
    """The chosen theme, or "auto" to follow the system."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in THEMES else "auto"


def _frame(request: Request) -> Frame | None:
    """The frame is a courtesy: an error page must show even when the database cannot be read."""
    try:
        return frame(get_store(request))
    except Exception:
        return None


def _response(request: Request, template: str, *, status: int, **context: object) -> HTMLResponse:
    common: Mapping[str, object] = {
        "now": datetime.now(UTC),
        "theme": theme_of(request),
        "here": view_state.of(request),
    }
    html = ENVIRONMENT.get_template(template).render(**common, **context)
    return HTMLResponse(html, status, headers={"Vary": "Cookie, HX-Request"})
