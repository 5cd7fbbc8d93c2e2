"""The `roofladder` command: reads the command line and ends with a meaningful exit code.

Each command imports what it needs when it runs, so that `--version` and `doctor` stay quick and work
where another part is broken.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import app as roofladder
from app.commands.exit_codes import exit_code
from app.domain.errors import RoofladderError
from app.settings import read_settings

cli = typer.Typer(
    help="Measure ladders of GPU and CPU kernels, keep the runs, show them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of databases and raw files.", show_default="data")
]


def main() -> None:
    """Run a command; a RoofladderError becomes one line on standard error and an exit code."""
    try:
        cli()
    except RoofladderError as error:
        Console(stderr=True, soft_wrap=True).print(error.message, style="red", markup=False, highlight=False)
        sys.exit(exit_code(error))


def _console() -> Console:
    return Console(highlight=False)


def _show_version(wanted: bool) -> None:
    if wanted:
        _console().print(f"roofladder {roofladder.__version__}")
        raise typer.Exit


@cli.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    logging.basicConfig(level=logging.WARNING, format="%(message)s")


@cli.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(help="0 takes any free one.", show_default="8020")] = None,
    data_dir: DataDir = None,
    worker: Annotated[bool, typer.Option(help="Start a worker beside the web service.")] = True,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only say whether a service answers.")] = False,
) -> None:
    """Start the web service and its worker; Ctrl-C stops both."""
    from app.commands import serve as command

    settings = read_settings(host=host, port=port, data_dir=data_dir)
    if check:
        _console().print(command.check(settings))
    else:
        command.run(settings, with_worker=worker, console=Console(quiet=quiet, highlight=False))


@cli.command()
def doctor(data_dir: DataDir = None) -> None:
    """Say what works on this machine, what is missing, and the fix."""
    from app.commands.doctor import doctor as examine

    raise typer.Exit(examine(read_settings(data_dir=data_dir), _console()))


if __name__ == "__main__":
    main()
