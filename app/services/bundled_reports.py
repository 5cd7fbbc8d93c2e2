"""Captures that come with the product, a folder each, are kept once in the life of a store."""

from __future__ import annotations

import logging
from pathlib import Path

from app.domain.errors import InvalidInputError
from app.domain.kept_report import ReportOrigin
from app.services.import_report import Source, Upload, import_uploads
from app.storage.report_files import file_sha256
from app.storage.store import Store

logger = logging.getLogger(__name__)

SUFFIXES = (".ncu-rep", ".csv", ".zip")


def import_bundled_reports(store: Store, folder: Path) -> list[int]:
    """Import each report in and below the folder once; returns the ids of new reports.

    A report that the user deleted stays deleted. One that cannot be read is named in the log and left out.
    """
    created = []
    for path in sorted(path for path in folder.rglob("*") if path.name.endswith(SUFFIXES) and path.is_file()):
        milestone = f"bundled report {file_sha256(path)}"
        if store.milestone_reached(milestone):
            continue
        try:
            results = import_uploads(store, [Upload(path.name, path)], Source(ReportOrigin.FOLDER))
        except InvalidInputError as error:
            logger.warning("%s was not imported: %s", path.name, error.message)
            continue
        store.reach_milestone(milestone)
        created += [result.report.id for result in results if result.created and result.report]
    return created
