"""A real Chromium before the real application: uvicorn on a free port over a real store."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from app.domain.vocabulary import CellStatus
from app.jobs.engine import open_client
from app.main import create_app
from app.storage.database import open_store
from app.storage.store import Store
from tests import ladders

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OWN_RUN, BROKEN_RUN, IMPORTED_RUN = 3, 2, 1


@dataclass
class Site:
    """The application as a browser reaches it, and the store behind it."""

    url: str
    store: Store


@dataclass
class Visit:
    """A page that remembers what went wrong on it and where it sent requests."""

    page: Page
    errors: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    expected: list[str] = field(default_factory=list)  # parts of errors that the test provokes

    def check(self) -> None:
        """Raise unless the console is clean and every request stayed on this machine."""
        unexpected = [e for e in self.errors if not any(part in e for part in self.expected)]
        assert unexpected == []
        assert self.hosts <= {"127.0.0.1"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; set ROOFLADDER_REQUIRE_BROWSER=1 to make this a failure.")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    opened.set_default_timeout(15_000)
    yield opened
    opened.close()


@pytest.fixture
def visit(context: BrowserContext) -> Iterator[Visit]:
    """A page whose console and requests are checked when the test ends."""
    opened = watch(context.new_page())
    yield opened
    opened.check()


def watch(page: Page) -> Visit:
    """Note errors of the console and hosts of requests from now on."""
    visit = Visit(page)

    def note_message(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            visit.errors.append(f"{message.text} {message.location}")

    page.on("console", note_message)
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.on("request", lambda request: visit.hosts.add(_host(request.url)))
    return visit


def _host(url: str) -> str:
    parts = urlsplit(url)
    return parts.hostname or "" if parts.scheme in ("http", "https", "ws", "wss") else "127.0.0.1"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Three synthetic runs: imported (1), own with a wrong and a failed stage (2), own and whole (3)."""
    folder = tmp_path_factory.mktemp("site")
    store = open_store(f"sqlite:///{folder / 'roofladder.db'}")
    store.put_worker(ladders.worker())
    store.import_run(*ladders.gpu_run())
    broken, samples = ladders.cpu_run((300,), uid="d" * 32)
    broken = ladders.without(broken, "cache_blocked", CellStatus.WRONG_RESULT, "Largest relative error 0.41.")
    broken = ladders.without(broken, "threaded", CellStatus.FAILED, "illegal address at block (31, 0)")
    broken = replace(broken, summary=replace(broken.summary, label="<b>bold</b>"))
    assert ladders.keep_own(store, broken, ladders.samples_of(broken, samples)) == BROKEN_RUN
    assert ladders.keep_own(store, *ladders.cpu_run((256, 512, 1024))) == OWN_RUN
    with serving(store, folder) as url:
        yield Site(url, store)
    store.close()


class serving:  # noqa: N801 - reads as a verb in a with statement
    """Serve a store on a free port of the loopback from a thread."""

    def __init__(self, store: Store, folder: Path) -> None:
        app = create_app(store, open_client(f"sqlite:///{folder / 'jobs.db'}"))
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        until = time.monotonic() + 20
        while not self._server.started and time.monotonic() < until:
            time.sleep(0.02)
        assert self._server.started
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)


def drawn(page: Page, name: str) -> None:
    """Scroll to a chart and wait until it is drawn."""
    page.locator(f"#chart-{name}").scroll_into_view_if_needed()
    page.wait_for_selector(f"#chart-{name} figure.drawn .plot .main-svg", state="attached")
