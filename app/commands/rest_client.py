"""The REST API as the command line uses it; answers become domain errors again on this side."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx

from app.domain.errors import RoofladderError, UnavailableError

POLL_S = 0.4
WORKER_PATIENCE_S = 60.0


class RestClient:
    """One service by its address. Every method raises RoofladderError with the service's own words."""

    def __init__(self, url: str, token: str | None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        # trust_env off: the service is on this machine, and a proxy must not see it.
        self._http = httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=30, trust_env=False)
        self._url = url

    def get(self, path: str) -> dict[str, Any]:
        """A JSON document."""
        return self._ask("GET", path)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a JSON document, return the answer."""
        return self._ask("POST", path, body)

    def wait_for_worker(self) -> None:
        """Wait until a worker has said which device it drives. Raises UnavailableError after a minute."""
        until = time.monotonic() + WORKER_PATIENCE_S
        while self.get("/health")["worker_age_s"] is None:
            if time.monotonic() > until:
                raise UnavailableError(
                    f"No worker reported to the service at {self._url} within {WORKER_PATIENCE_S:.0f} s; "
                    "nothing was submitted. Start one to see why not: roofladder worker."
                )
            time.sleep(POLL_S)

    def follow_job(self, job_id: int) -> Iterator[dict[str, Any]]:
        """The job's state again and again, the last one final."""
        while True:
            job = self.get(f"/jobs/{job_id}")
            yield job
            if job["status"] not in ("queued", "running"):
                return
            time.sleep(POLL_S)

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        try:
            response = self._http.request(method, path, json=body)
        except httpx.HTTPError as error:
            raise UnavailableError(
                f"The service at {self._url} does not answer ({error}). Start it: roofladder serve."
            ) from error
        if response.is_error:
            raise _error_of(response)
        answer: dict[str, Any] = response.json()
        return answer


def _error_of(response: httpx.Response) -> RoofladderError:
    try:
        problem = response.json()
        kind = _class_of(problem["code"])
        return kind(problem["detail"], field=problem.get("field"))
    except (ValueError, KeyError):
        return UnavailableError(f"The service answered {response.status_code} with no reason given.")


def _class_of(code: str) -> type[RoofladderError]:
    known: list[type[RoofladderError]] = [RoofladderError]
    for kind in known:
        known.extend(kind.__subclasses__())
    return next((kind for kind in known if kind.code == code), RoofladderError)
