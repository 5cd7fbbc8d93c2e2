"""`roofladder doctor`: a table of what works here and what to do about the rest."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.commands.exit_codes import ExitCode
from app.domain.device import Capability
from app.services.doctor import NEEDED, diagnose
from app.settings import Settings


def doctor(settings: Settings, console: Console) -> ExitCode:
    """Print every check. UNAVAILABLE when something is missing that the CPU ladder needs."""
    with console.status("Asking the device"):
        diagnosis = diagnose(settings.data_dir, _probe(settings))
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


def _probe(settings: Settings) -> tuple[Capability, ...]:
    return ()
