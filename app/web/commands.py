"""A run as the commands that repeat it."""

from __future__ import annotations

import json
import shlex

from app.domain.run import Run, Selection
from app.kernels.suites import suite_of


def curl_command(run: Run) -> str:
    """The REST call; `{origin}` becomes the service's own address when it is copied."""
    body = json.dumps(job_body(run.selection, run.summary.label), ensure_ascii=False)
    return f"curl -X POST '{{origin}}/api/v1/jobs' -H 'Content-Type: application/json' -d {shlex.quote(body)}"


def cli_command(run: Run) -> str:
    """The command line."""
    selection = run.selection
    suite = suite_of(selection)
    if suite is not None:
        return shlex.join(["roofladder", "run", "--suite", suite.name])
    words = ["roofladder", "run", *selection.problems]
    for size in selection.sizes:
        words += ["--size", "x".join(str(value) for _, value in size.values)]
    for dtype in selection.dtypes:
        words += ["--dtype", dtype.value]
    for stage in selection.stages or ():
        words += ["--stage", stage]
    if selection.duel:
        words += ["--duel", ",".join(selection.duel)]
    if selection.scan:
        words.append("--scan")
    return shlex.join(words)


def job_body(selection: Selection, label: str) -> dict[str, object]:
    """The body of POST /jobs for a selection."""
    suite = suite_of(selection)
    if suite is not None:
        return {"kind": "benchmark", "suite": suite.name, "backend": "auto", "label": label}
    further: dict[str, object] = {"duel": [r.value for r in selection.duel]} if selection.duel else {}
    further |= {"scan": True} if selection.scan else {}
    return {
        "kind": "benchmark",
        "selection": {
            "problems": list(selection.problems),
            "stages": list(selection.stages) if selection.stages else None,
        },
        "sizes": [size.as_dict() for size in selection.sizes],
        "dtypes": [dtype.value for dtype in selection.dtypes] or None,
        "backend": "auto",
        "label": label,
        **further,
    }


COMMANDS = (curl_command, cli_command)
