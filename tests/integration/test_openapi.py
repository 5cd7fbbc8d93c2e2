"""The description of the interface is complete, and the interface keeps to it under generated requests."""

from __future__ import annotations

from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from app.domain.vocabulary import JobStatus
from app.jobs.engine import JobQueue
from app.main import create_app
from app.storage.store import Store
from tests import examples, reports

ENDPOINTS = {
    ("get", "/health"),
    ("get", "/devices"),
    ("get", "/hierarchy"),
    ("get", "/ladders"),
    ("get", "/ladders/{problem}"),
    ("post", "/jobs"),
    ("get", "/jobs"),
    ("get", "/jobs/{job_id}"),
    ("post", "/jobs/{job_id}/cancel"),
    ("get", "/jobs/{job_id}/events"),
    ("get", "/runs"),
    ("get", "/runs/{run_id}"),
    ("get", "/runs/{run_id}/samples"),
    ("get", "/runs/{run_id}.csv"),
    ("patch", "/runs/{run_id}"),
    ("delete", "/runs/{run_id}"),
    ("get", "/runs/{run_id}/capsule"),
    ("post", "/runs/import"),
    ("post", "/reports"),
    ("get", "/reports"),
    ("get", "/reports/{report_id}"),
    ("delete", "/reports/{report_id}"),
    ("get", "/reports/{report_id}/launches"),
    ("get", "/reports/{report_id}/launches/{n}"),
    ("get", "/reports/{report_id}/raw"),
    ("patch", "/launches/{launch_id}"),
    ("get", "/launches/{launch_id}/differences"),
    ("get", "/metrics"),
    ("get", "/findings"),
    ("get", "/ladders/{problem}/attribution"),
    ("get", "/evidence"),
    ("get", "/reports/{report_id}/launches/{n}/figures/{name}"),
    ("get", "/explore/coalescing"),
    ("get", "/explore/bank-conflicts"),
    ("get", "/explore/occupancy"),
    ("get", "/explore/littles-law"),
    ("get", "/explore/tiles"),
    ("get", "/explore/fragment-map"),
    ("get", "/explore/waves"),
    ("get", "/explore/split-k"),
    ("get", "/explore/quantisation"),
    ("get", "/explore/roofline"),
}

# The stream of a queued job does not end; test_job_events.py reads it.
ENDLESS = {("get", "/jobs/{job_id}/events")}


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """Made once: it is the same for every store, and takes longer than most tests."""
    return create_app(cast(Any, None), cast(Any, None)).openapi()


@pytest.fixture
def described(store: Store, queue: JobQueue, description: dict[str, Any]) -> Any:
    """The interface over a store that holds a run (1), two jobs with theirs (2, 3), a worker and a report."""
    store.put_worker(examples.cpu_worker())
    run = examples.imported_run()
    store.import_run(run, [examples.samples(m) for m in run.measurements])
    store.finish_job(examples.submit(store).id, JobStatus.FINISHED, None, examples.AT)
    examples.submit(store)
    reports.keep(store, launches=(reports.launch(), reports.launch(number=1)))
    web = create_app(store, queue, allowed_hosts=["testserver"])
    web.openapi_schema = description
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", web)


def aim(case: schemathesis.Case[Any]) -> None:
    """Point most generated addresses at things that are there."""
    for name, value in case.path_parameters.items():
        if isinstance(value, int):
            case.path_parameters[name] = value % 5 + 1
        elif name == "problem":
            case.path_parameters[name] = "matmul"


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize(("method", "path"), sorted(ENDPOINTS - ENDLESS))
def test_the_interface_keeps_to_its_description(
    described: Any, method: str, path: str, mode: GenerationMode
) -> None:
    cases = described[f"/api/v1{path}"][method.upper()].as_strategy(generation_mode=mode)

    @given(case=cases)
    @settings(
        max_examples=20,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def check(case: schemathesis.Case[Any]) -> None:
        if mode is GenerationMode.POSITIVE:
            aim(case)
        # What a schema cannot say (which problems exist, how much memory there is) is refused all the same.
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "a request that fits the description can be made"


@pytest.fixture
def schema(description: dict[str, Any]) -> dict[str, Any]:
    return description


def test_every_endpoint_is_described(schema: dict[str, Any]) -> None:
    described = {(method, path) for path, methods in schema["paths"].items() for method in methods}
    assert {(method, f"/api/v1{path}") for method, path in ENDPOINTS} <= described


def test_every_answer_is_described(schema: dict[str, Any]) -> None:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            answers = operation["responses"]
            assert operation["description"], (method, path)
            assert {"401", "403", "413", "422", "500", "503"} <= answers.keys(), (method, path)
            assert ("{" in path) == ("404" in answers), (method, path)
            for status, answer in answers.items():
                if status[0] in "45":
                    assert list(answer["content"]) == ["application/problem+json"], (method, path, status)


def test_every_own_field_is_typed(schema: dict[str, Any]) -> None:
    for name, component in schema["components"]["schemas"].items():
        for field, described in component.get("properties", {}).items():
            assert described.keys() & {"type", "anyOf", "$ref", "allOf", "const", "enum"}, (name, field)
