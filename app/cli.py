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
from app.settings import Settings, read_settings

cli = typer.Typer(
    help="Measure ladders of GPU and CPU kernels, keep the runs, show them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

ncu_cli = typer.Typer(help="Files of Nsight Compute.", no_args_is_help=True)
cli.add_typer(ncu_cli, name="ncu")

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


def _look_for_problems(settings: Settings) -> None:
    """What the worker can measure, the service must accept."""
    from app.kernels import registry

    for folder in settings.problem_paths:
        registry.add_folder(folder)


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
    _look_for_problems(settings)
    if check:
        _console().print(command.check(settings))
    else:
        command.run(settings, with_worker=worker, console=Console(quiet=quiet, highlight=False))


@cli.command()
def worker(
    data_dir: DataDir = None,
    check: Annotated[bool, typer.Option("--check", help="Only say whether a worker is alive.")] = False,
) -> None:
    """Run a worker alone, for a web service started with --no-worker."""
    from app.commands import worker as command

    settings = read_settings(data_dir=data_dir)
    if check:
        _console().print(command.check(settings))
    else:
        command.run(settings)


@cli.command()
def run(
    problem: Annotated[str, typer.Argument(help="Ladder to measure, such as matmul.")] = "matmul",
    suite: Annotated[
        str | None, typer.Option(help="Several problems at their own sizes instead, such as memory_lab.")
    ] = None,
    size: Annotated[
        list[str] | None, typer.Option("--size", "-s", help="1024, 4097x513x129 or m=1,n=2,k=3; repeatable.")
    ] = None,
    stage: Annotated[list[str] | None, typer.Option("--stage", help="Only these; repeatable.")] = None,
    dtype: Annotated[list[str] | None, typer.Option("--dtype", help="Repeatable.")] = None,
    duel: Annotated[
        str,
        typer.Option(help="Best own stage against the library in turn: burst, sustained or both by a comma."),
    ] = "",
    scan: Annotated[bool, typer.Option("--scan", help="Briefly: at most 2 s of the device a cell.")] = False,
    backend: Annotated[str, typer.Option(help="auto, cuda or cpu.")] = "auto",
    label: Annotated[str, typer.Option(help="Shown in the run list.")] = "",
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the job is stopped.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Measure a ladder or a suite, through the running service or one of its own, and print it."""
    from app.commands.run import RunRequest
    from app.commands.run import run as measure

    settings = read_settings(data_dir=data_dir)
    _look_for_problems(settings)
    request = RunRequest(
        problem=problem,
        suite=suite,
        sizes=tuple(size or ()),
        stages=tuple(stage) if stage else None,
        dtypes=tuple(dtype or ()),
        duel=tuple(word.strip() for word in duel.split(",") if word.strip()),
        scan=scan,
        backend=backend,
        label=label,
        deadline_s=deadline,
    )
    raise typer.Exit(measure(request, settings.data_dir, settings.token, _console()))


@cli.command()
def doctor(data_dir: DataDir = None) -> None:
    """Say what works on this machine, what is missing, and the fix."""
    from app.commands.doctor import doctor as examine

    raise typer.Exit(examine(read_settings(data_dir=data_dir), _console()))


@cli.command(name="export")
def export_run(run_id: Annotated[int, typer.Argument(min=1)], file: Path, data_dir: DataDir = None) -> None:
    """Write a run to FILE as a capsule that any Roofladder can import."""
    from app.commands import transfer

    transfer.export_run(read_settings(data_dir=data_dir), run_id, file, _console())


@cli.command(name="import")
def import_run(file: Path, data_dir: DataDir = None) -> None:
    """Keep the run of another machine from the capsule FILE."""
    from app.commands import transfer

    transfer.import_run(read_settings(data_dir=data_dir), file, _console())


@cli.command()
def backup(file: Path, data_dir: DataDir = None) -> None:
    """Copy databases and raw files into the zip FILE, also while the service runs."""
    from app.commands import transfer

    transfer.back_up_folder(read_settings(data_dir=data_dir), file, _console())


@ncu_cli.command("inspect")
def ncu_inspect(
    file: Annotated[Path, typer.Argument(help="CSV in any of ncu's dialects, or a .ncu-rep report.")],
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as one JSON object.")] = False,
) -> None:
    """Show what a file of Nsight Compute holds; a file without launches says why and ends with 0."""
    from app.commands.ncu_inspect import inspect

    inspect(file, as_json=as_json, console=_console())


@ncu_cli.command("import")
def ncu_import(files: list[Path], data_dir: DataDir = None) -> None:
    """Keep reports: CSV of any page, .ncu-rep, or a zip of them."""
    from app.commands import ncu_import as command

    settings = read_settings(data_dir=data_dir)
    _look_for_problems(settings)
    command.import_files(settings, files, _console())


@ncu_cli.command("strip")
def ncu_strip(
    source: Annotated[Path, typer.Argument(help="A .ncu-rep report.")],
    target: Annotated[Path, typer.Argument(help="The file to write.")],
) -> None:
    """Write the report without environment, hosts, command lines, paths and binaries."""
    from app.commands.ncu_strip import strip_file

    strip_file(source, target, _console())


if __name__ == "__main__":
    main()
