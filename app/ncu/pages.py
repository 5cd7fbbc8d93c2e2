"""The kinds of table there are: how the head of each is known, and what reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.ncu.columns import Header
from app.ncu.details_page import DetailsReader
from app.ncu.page import PageReader, Reading
from app.ncu.raw_page import RawReader
from app.ncu.session_page import SessionReader
from app.ncu.source_page import SourceReader
from app.ncu.summary_page import SummaryReader


@dataclass(frozen=True)
class Page:
    """A kind of table."""

    fits: Callable[[Header], bool]
    opens: Callable[[Header, Reading], PageReader]


def _has(*names: str) -> Callable[[Header], bool]:
    return lambda header: all(name in header.places for name in names)


PAGES = (
    Page(lambda header: header.cells[1] == "Source", SourceReader),
    Page(lambda header: header.cells[0].endswith("Attribute"), SessionReader),
    Page(_has("Metric Name", "Metric Unit", "Average"), SummaryReader),
    Page(_has("Metric Name", "Metric Value"), DetailsReader),
    Page(_has("Kernel Name", "Metric Name", "Rule Name"), DetailsReader),
    Page(lambda header: "Metric Name" not in header.places, RawReader),
)


def page_for(header: Header) -> Page | None:
    """The first kind that the head fits."""
    return next((page for page in PAGES if page.fits(header)), None)
