"""`roofladder serve`: the web service in this process, the worker in a child, one data folder."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from app.jobs.engine import open_client
from app.main import create_app
from app.storage.database import open_store
from app.supervisor import data_folder
from app.supervisor.listening import bind, is_loopback, local_url, require_token_beyond_loopback
from app.supervisor.worker_keeper import WorkerKeeper, worker_command

GRACE_S = 1  # open event streams are cut after this when the service stops


@dataclass(frozen=True)
class ServiceOptions:
    """Plain values for one service; `worker_environment` reaches the worker besides our own."""

    host: str
    port: int
    data_dir: Path
    results_url: str
    engine_url: str
    token: str | None
    allowed_hosts: tuple[str, ...]
    with_worker: bool
    worker_environment: dict[str, str]


def serve(options: ServiceOptions, on_ready: Callable[[str], None]) -> None:
    """Run until SIGINT or SIGTERM; calls `on_ready` with the address once pages are served.

    Raises UnavailableError (folder, port, database), AlreadyRunningError or InvalidInputError before
    anything is started.
    """
    require_token_beyond_loopback(options.host, options.token)
    data_folder.prepare(options.data_dir)
    lock = data_folder.ServiceLock.acquire(options.data_dir)
    try:
        with bind(options.host, options.port) as listening:
            _serve_on(listening, options, lock, on_ready)
    finally:
        lock.release()


def _serve_on(
    listening: socket.socket,
    options: ServiceOptions,
    lock: data_folder.ServiceLock,
    on_ready: Callable[[str], None],
) -> None:
    store = open_store(options.results_url)
    app = create_app(
        store,
        open_client(options.engine_url),
        token=options.token,
        bound_to_loopback=is_loopback(options.host),
        allowed_hosts=options.allowed_hosts,
    )
    url = local_url(listening)

    def ready() -> None:
        lock.announce(url)
        on_ready(url)

    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE_S)
    server = _AnnouncingServer(config, ready)
    _stop_on_signals(server)
    keeper = WorkerKeeper(worker_command(), options.worker_environment) if options.with_worker else None
    if keeper:
        keeper.start()
    try:
        server.run(sockets=[listening])
    finally:
        if keeper:
            keeper.stop()


def _stop_on_signals(server: uvicorn.Server) -> None:
    """Ours stay in force while uvicorn's are not: it raises the signal again after its own clean stop."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)


class _AnnouncingServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()
