"""`roofladder doctor`: a table of what works here and what to do about the rest."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.commands.exit_codes import ExitCode
from app.domain.device import Capability
from app.domain.errors import DeviceUnavailableError
from app.domain.vocabulary import BackendName
from app.jobs.child import ChildCommand
from app.jobs.probe import DeviceProbe
from app.services.doctor import NEEDED, diagnose, missing_gpu
from app.settings import Settings


def doctor(settings: Settings, console: Console) -> ExitCode:
    """Print every check. UNAVAILABLE when something is missing that the CPU ladder needs."""
    with console.status("Asking the device"):
        diagnosis = diagnose(settings.data_dir, _probe())
    table = Table(box=None, pad_edge=False)
    for title in ("", "check", "found", "fix"):
        table.add_column(title)
    for check in diagnosis.checks:
        table.add_row(*_row(check))
    console.print(table)
    for check in diagnosis.checks:
        if not check.ok and check.without_it:
            console.print(f"Without {escape(check.name)}: {escape(check.without_it)}")
    if diagnosis.missing_needed:
        names = ", ".join(check.name for check in diagnosis.missing_needed)
        console.print(f"[red]Roofladder cannot work here: {escape(names)}.[/red]")
        return ExitCode.UNAVAILABLE
    return ExitCode.OK


def _row(check: Capability) -> tuple[str, ...]:
    missing = "[red]missing[/red]" if check.name in NEEDED else "[yellow]missing[/yellow]"
    state = "[green]ok[/green]" if check.ok else missing
    return state, check.name, escape(check.detail), "" if check.ok else escape(check.fix)


def _probe() -> tuple[Capability, ...]:
    """What each device says of itself, in children of their own: one may crash without harm."""
    with tempfile.TemporaryDirectory() as cache_dir:
        probe = DeviceProbe(ChildCommand(), cache_dir)
        found = [_ask(probe, backend) for backend in (BackendName.CPU, BackendName.CUDA)]
    return tuple(check for checks in found for check in checks)


def _ask(probe: DeviceProbe, backend: BackendName) -> tuple[Capability, ...]:
    try:
        return probe.probe(backend).capabilities
    except DeviceUnavailableError as error:
        return (_MISSING[backend](error.message),)


_MISSING: Mapping[BackendName, Callable[[str], Capability]] = {
    BackendName.CPU: lambda reason: Capability("CPU", False, reason),
    BackendName.CUDA: missing_gpu,
}
