"""Why an output holds no launches: the tool's own words, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.report import ReadError, ReportFormat
from app.ncu.refusals import cause_of
from app.ncu.surroundings import OUTPUT, Surroundings

_QUOTED = 5


def why_empty(around: Surroundings, formats: Sequence[ReportFormat]) -> ReadError:
    """The error of a file without launches."""
    if ReportFormat.SESSION in formats:
        return ReadError(
            "session_page",
            "A session page: it tells of the machine and holds no launches. Export `--page raw` or "
            "`--page details` of the same report for its counters.",
        )
    if around.errors:
        return _quoted(around.errors)
    if around.is_text_page:
        return ReadError(
            "text_page",
            "This is the text that ncu prints for people: its columns are cut and its numbers rounded. "
            "Run ncu with --csv, or export the report with `ncu --import FILE --csv --page raw`.",
        )
    if around.warnings and not formats:
        return _quoted(around.warnings)
    if formats:
        return ReadError(
            "no_rows", "The table has a head and no launch below it. Capture or export it again."
        )
    if around.prof_count:
        return ReadError(
            "no_table",
            f"{around.prof_count} ==PROF== lines and no table: this is what ncu prints while it runs. "
            "Run it with --csv, or export a report with `ncu --import FILE --csv --page raw`.",
        )
    if around.skipped[OUTPUT]:
        return ReadError(
            "not_ncu",
            "Text without a table of Nsight Compute. Export one with `ncu --import FILE --csv --page raw`.",
        )
    return ReadError("empty", "The file is empty. Export it again with `ncu --import FILE --csv --page raw`.")


def _quoted(lines: Sequence[str]) -> ReadError:
    said = " ".join(lines[:_QUOTED])
    cause = cause_of(said)
    advice = cause.advice if cause else "Capture it again once that is solved."
    return ReadError(cause.code if cause else "tool_error", f"Nsight Compute says: {said} {advice}")
