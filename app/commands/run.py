"""`roofladder run`: submit a job over REST, show its progress, print the ladder."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from app.commands.duel_table import duel_tables
from app.commands.exit_codes import ExitCode
from app.commands.ladder_table import ladder_tables, unmeasured_lines
from app.commands.rest_client import RestClient
from app.commands.service_process import service_on
from app.commands.suite_table import suite_tables
from app.domain.errors import InvalidInputError
from app.domain.size import Size
from app.kernels import registry
from app.web import formatting

USUAL_SIZE = "1024"


@dataclass(frozen=True)
class RunRequest:
    """What to measure, as written on the command line."""

    problem: str
    suite: str | None
    sizes: tuple[str, ...]
    stages: tuple[str, ...] | None
    dtypes: tuple[str, ...]
    duel: tuple[str, ...]
    scan: bool
    backend: str
    label: str
    deadline_s: float | None

    def as_body(self) -> dict[str, Any]:
        """Body of POST /jobs."""
        body: dict[str, Any] = {"kind": "benchmark", "backend": self.backend, "label": self.label}
        body |= self._suite_body() if self.suite else self._ladder_body()
        if self.deadline_s is not None:
            if not isfinite(self.deadline_s):
                raise InvalidInputError("--deadline takes a number of seconds.", field="deadline_s")
            body["deadline_s"] = self.deadline_s
        return body

    def _suite_body(self) -> dict[str, Any]:
        if self.sizes or self.dtypes or self.stages or self.duel or self.scan:
            raise InvalidInputError(
                "--suite brings its own stages, sizes and dtypes, is brief and has no duels: leave --stage, "
                "--size, --dtype, --scan and --duel out.",
                field="suite",
            )
        return {"suite": self.suite}

    def _ladder_body(self) -> dict[str, Any]:
        sizes = self.sizes or (() if registry.problem(self.problem).suite_sizes else (USUAL_SIZE,))
        body: dict[str, Any] = {
            "selection": {"problems": [self.problem], "stages": list(self.stages) if self.stages else None},
            "sizes": [parse_size(self.problem, text).as_dict() for text in sizes],
        }
        body |= {"duel": list(self.duel)} if self.duel else {}
        body |= {"scan": True} if self.scan else {}
        return body | ({"dtypes": list(self.dtypes)} if self.dtypes else {})


def parse_size(problem_name: str, text: str) -> Size:
    """Read `1024` (every parameter), `4097x513x129` (in the problem's order) or `m=1,n=2,k=3`.

    Raises InvalidInputError that shows the three forms; ranges are the service's to check.
    """
    names = [parameter.name for parameter in registry.problem(problem_name).size_parameters]
    try:
        if "=" in text:
            return Size.parse(text)
        numbers = [int(part) for part in text.lower().replace("×", "x").split("x")]
    except ValueError:
        numbers = []
    if len(numbers) == 1:
        numbers *= len(names)
    if len(numbers) != len(names):
        raise InvalidInputError(
            f"--size {text} is not a size of {problem_name}. Write one number for all of "
            f"{', '.join(names)}, or {'x'.join(name.upper() for name in names)}, "
            f"or {','.join(f'{name}=…' for name in names)}.",
            field="sizes",
        )
    return Size(tuple(zip(names, numbers, strict=True)))


def run(request: RunRequest, data_dir: Path, token: str | None, console: Console) -> ExitCode:
    """Measure and print. INCOMPLETE when the job did not finish or a cell has no correct result."""
    body = request.as_body()
    with service_on(data_dir) as url:
        client = RestClient(url, token)
        if request.backend == "auto":  # which device that is, only a worker knows
            with console.status("Waiting for the worker"):
                client.wait_for_worker()
        job = _follow(client, client.post("/jobs", body)["id"], url, console)
        found = client.get(f"/runs/{job['run_id']}")
    device = f"{found['device']['name']}, run" if found["device"] else "Run"
    console.print(f"{device} {found['id']}", markup=False)
    for table in (*ladder_tables(found), *suite_tables(found), *duel_tables(found)):
        console.print(table)
    for line in unmeasured_lines(found):
        console.print(line)
    if job["error"]:
        console.print(f"The job {job['status']}: {job['error']['message']}", style="red", markup=False)
    return ExitCode.OK if _is_complete(job, found) else ExitCode.INCOMPLETE


def _is_complete(job: dict[str, Any], found: dict[str, Any]) -> bool:
    failed = any(outcome["status"] in ("failed", "wrong_result") for outcome in found["outcomes"])
    return job["status"] == "finished" and not failed


def _follow(client: RestClient, job_id: int, url: str, console: Console) -> dict[str, Any]:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[eta]}"),
    )
    console.print(f"Job {job_id}: {url}/jobs/{job_id}")
    job: dict[str, Any] = {}
    try:
        with Progress(*columns, console=console, transient=True) as bars:
            bar = bars.add_task("queued", total=None, eta="")
            for job in client.follow_job(job_id):
                bars.update(bar, **_bar_state(job))
    except KeyboardInterrupt:
        client.post(f"/jobs/{job_id}/cancel", {})
        console.print(f"Job {job_id} is cancelled; measurements that were finished are kept.")
        raise
    return job


def _bar_state(job: dict[str, Any]) -> dict[str, Any]:
    progress = job["progress"]
    position = job["queue_position"]
    waiting = f"queued, number {position}" if position else "queued"
    eta = progress["eta_s"]
    return {
        "description": waiting if job["status"] == "queued" else progress["cell"] or job["status"],
        "completed": progress["done"],
        "total": progress["total"],
        "eta": "" if eta is None else f"about {formatting.about_seconds(eta)} left",
    }
