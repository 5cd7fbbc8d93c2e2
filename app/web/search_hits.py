"""Everything but runs that a search finds, as links: pages by their names, and what the registry holds."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from app.services.search import SearchView
from app.web import formatting
from app.web.view_state import experiment_href

LONGEST = 160


@dataclass(frozen=True)
class Hit:
    """A link. kind: what it leads to, in a word."""

    title: str
    text: str
    href: str
    kind: str


@dataclass(frozen=True)
class Place:
    """A page of the product. words: what else somebody may call it."""

    title: str
    text: str
    href: str
    words: str = ""

    @property
    def hit(self) -> Hit:
        """The page as a search result."""
        return Hit(self.title, self.text, self.href, "page")


PLACES = (
    Place("Overview", "The newest ladder, devices and recent runs", "/", "home start"),
    Place("Ladders", "Every ladder and its stages", "/ladders", "matmul problems"),
    Place("Memory lab", "What each way to move data costs", "/lab", "experiments"),
    Place(
        "Hierarchy",
        "Capacity, latency and bandwidth of each level",
        "/hierarchy",
        "memory levels cache l1 l2 dram",
    ),
    Place(
        "Ceilings", "The roofs of a device, measured and by data sheet", "/ceilings", "roofs peak datasheet"
    ),
    Place("Diagnosis pairs", "Classic faults, each beside its cure", "/pairs", "faults cures"),
    Place("Claims", "Published figures and their verdicts here", "/claims", "lectures verdicts statements"),
    Place("Incidents", "Faults from production, replayed", "/incidents", "stories"),
    Place("Traps", "Ways to fool a benchmark", "/traps", "wrong"),
    Place("Runs", "Every run, filtered", "/runs", "history import capsule"),
    Place(
        "Profiles",
        "Reports of Nsight Compute, launch by launch",
        "/profiles",
        "reports nsight ncu counters metrics import",
    ),
    Place("Jobs", "What is measured now, the queue, a new job", "/jobs", "queue submit new"),
    Place("This machine", "What works here, what is missing and the fix", "/machine", "doctor gpu driver"),
)


def hits_of(found: SearchView) -> tuple[Hit, ...]:
    """Pages first, then experiments, pairs, incidents and stages; every page where nothing was typed."""
    if not found.text:
        return tuple(place.hit for place in PLACES)
    wanted = found.text.lower()
    return (
        *(place.hit for place in PLACES if wanted in f"{place.title} {place.words} {place.href}".lower()),
        *(Hit(e.title, e.question, experiment_href(e), "experiment") for e in found.experiments),
        *(
            Hit(p.problem.title, formatting.cut(p.pair.fault, LONGEST), f"/pairs#{p.problem.name}", "pair")
            for p in found.pairs
        ),
        *(
            Hit(i.title, formatting.cut(i.happened, LONGEST), f"/incidents/{i.name}", "incident")
            for i in found.incidents
        ),
        *(
            Hit(
                s.stage.name,
                f"{s.stage.mechanism} · {s.problem}, {formatting.backend_title(s.stage.backend)}",
                f"/ladders/{quote(s.problem, safe='')}",
                "stage",
            )
            for s in found.stages
        ),
    )


def jump(found: SearchView, hits: tuple[Hit, ...]) -> str | None:
    """Where to go at once: a title typed in full, pages first, or the only hit where no run was found."""
    if not found.text:
        return None
    exact = [hit for hit in hits if hit.title.lower() == found.text.lower()]
    pages = [hit for hit in exact if hit.kind == "page"]
    if exact:
        return exact[0].href if len({hit.href for hit in pages or exact}) == 1 else None
    return hits[0].href if len({hit.href for hit in hits}) == 1 and not found.runs else None
