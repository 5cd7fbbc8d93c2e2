"""`roofladder serve`: settings to a running service, and whether one answers."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from app.commands.rest_client import RestClient
from app.domain.errors import UnavailableError
from app.settings import Settings
from app.supervisor.data_folder import running_service
from app.supervisor.listening import is_loopback
from app.supervisor.service import ServiceOptions, serve


def run(settings: Settings, *, with_worker: bool, console: Console) -> None:
    """Run until stopped; says where the pages are once they are served."""
    options = ServiceOptions(
        host=settings.host,
        port=settings.port,
        data_dir=settings.data_dir,
        results_url=settings.results_url,
        engine_url=settings.engine_url,
        token=settings.token,
        allowed_hosts=settings.allowed_hosts,
        with_worker=with_worker,
        worker_environment=worker_environment(settings),
    )

    def ready(url: str) -> None:
        console.print(
            f"Roofladder is at [bold]{url}[/bold]  (data in {escape(str(settings.data_dir.resolve()))})"
        )
        if not is_loopback(settings.host):
            console.print("Other machines can reach it; they are asked for ROOFLADDER_TOKEN.")
        console.print("Ctrl-C stops it; finished measurements are kept.")

    serve(options, ready)


def check(settings: Settings) -> str:
    """One line about the service on this data folder. Raises UnavailableError when none answers."""
    holder = running_service(settings.data_dir)
    if holder is None or holder.url is None:
        raise UnavailableError(
            f"No service is running on the data folder {settings.data_dir}. Start one: roofladder serve."
        )
    health = RestClient(holder.url, settings.token).get("/health")
    return f"Roofladder {health['version']} answers at {holder.url} (pid {holder.pid})."


def worker_environment(settings: Settings) -> dict[str, str]:
    """The worker reads its own settings; these make them the same as ours."""
    return {
        "ROOFLADDER_DATA_DIR": str(settings.data_dir.resolve()),
        "ROOFLADDER_BACKEND": settings.backend,
        "ROOFLADDER_FIRST_BENCHMARK": str(settings.first_benchmark).lower(),
    }
