"""Run capsules: a whole run in one file, to carry to another machine and read back bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

import app
from app.domain.errors import ConflictError, UnsupportedCapsuleError
from app.domain.measurement import Samples
from app.domain.run import Run
from app.services.capsule_archive import (
    MANIFEST,
    RUN,
    SAMPLES,
    SOURCE_PREFIX,
    read_archive,
    read_json,
    read_manifest,
    write_archive,
)
from app.services.capsule_check import check_run
from app.services.edit_run import printable
from app.storage.store import Store

FORMAT = "roofladder-capsule"
VERSION = 1

T = TypeVar("T")

_RUN = TypeAdapter(Run)
_SAMPLES = TypeAdapter(tuple[Samples, ...])


@dataclass(frozen=True)
class ImportedRun:
    """Where the run lies now; `created` False when the same run was here already."""

    run_id: int
    created: bool


@dataclass(frozen=True)
class Manifest:
    """What a reader must know before it reads the rest."""

    format: str
    version: int
    roofladder_version: str
    uid: str


_MANIFEST = TypeAdapter(Manifest)


def export_capsule(store: Store, run_id: int) -> bytes:
    """The run as a zip. Raises NotFoundError, and ConflictError while the run is not over."""
    run = store.run(run_id)
    if not run.summary.status.is_final:
        raise ConflictError(
            f"Run {run_id} is {run.summary.status.value}, so a capsule of it would be incomplete. "
            "Wait for its end or cancel its job."
        )
    if run.summary.device is None:
        raise ConflictError(
            f"Run {run_id} ended before it reached a device, so it holds nothing. Run it again."
        )
    return pack(run, store.samples(run_id))


def import_capsule(store: Store, data: bytes) -> ImportedRun:
    """Keep the capsule's run; the same run twice is kept once.

    Raises UnsupportedCapsuleError (corrupt, newer, contradictory) or TooLargeError; nothing is stored then.
    """
    run, samples = unpack(data)
    return ImportedRun(*store.import_run(run, samples))


def pack(run: Run, samples: Sequence[Samples]) -> bytes:
    """The zip of a run and its samples."""
    manifest = Manifest(FORMAT, VERSION, app.__version__, run.summary.uid)
    summary = replace(run.summary, id=0, job_id=None, imported=True)
    members = {
        MANIFEST: _MANIFEST.dump_json(manifest, indent=1),
        RUN: _RUN.dump_json(_readable(replace(run, summary=summary, sources={})), indent=1),
        SAMPLES: _SAMPLES.dump_json(tuple(samples)),
    }
    sources = {f"{SOURCE_PREFIX}{sha256}": text.encode() for sha256, text in sorted(run.sources.items())}
    return write_archive(members | sources)


def _readable(run: Run) -> Run:
    """A dying process may write anything into its reason; what we export we must be able to import."""
    error = run.summary.error
    if error is not None:
        summary = replace(run.summary, error=replace(error, message=printable(error.message)))
        run = replace(run, summary=summary)
    outcomes = tuple(replace(one, reason=printable(one.reason)) for one in run.outcomes)
    return replace(run, outcomes=outcomes)


def unpack(data: bytes) -> tuple[Run, tuple[Samples, ...]]:
    """What `pack` was given, checked. Raises UnsupportedCapsuleError or TooLargeError."""
    _check_manifest(read_json(MANIFEST, read_manifest(data)))
    members = read_archive(data)
    run = _typed(_RUN, RUN, members[RUN])
    samples = _typed(_SAMPLES, SAMPLES, members[SAMPLES])
    run = replace(run, sources=_sources(members))
    check_run(run, samples)
    return run, samples


def _check_manifest(content: object) -> None:
    try:
        manifest = _MANIFEST.validate_python(content)
    except ValidationError as error:
        raise _unfit(MANIFEST, error) from error
    if manifest.format != FORMAT:
        raise UnsupportedCapsuleError("The file is not a run capsule; nothing was stored.", field="format")
    if manifest.version != VERSION:
        raise UnsupportedCapsuleError(
            f"The capsule has format version {manifest.version}, written by Roofladder "
            f"{manifest.roofladder_version[:40]}; this one reads version {VERSION}. "
            "Nothing was stored; update Roofladder.",
            field="version",
        )


def _typed(adapter: TypeAdapter[T], name: str, content: bytes) -> T:
    try:
        return adapter.validate_python(read_json(name, content))
    except ValidationError as error:
        raise _unfit(name, error) from error


def _unfit(name: str, error: ValidationError) -> UnsupportedCapsuleError:
    first = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])[:120]
    return UnsupportedCapsuleError(
        f"{name} in the capsule does not fit its format at {place or 'the top'}: {first['msg'][:120]}. "
        "Nothing was stored; export it again.",
        field=place or name,
    )


def _sources(members: dict[str, bytes]) -> dict[str, str]:
    try:
        return {
            name.removeprefix(SOURCE_PREFIX): content.decode()
            for name, content in members.items()
            if name.startswith(SOURCE_PREFIX)
        }
    except UnicodeDecodeError as error:
        raise UnsupportedCapsuleError(
            "A source in the capsule is not UTF-8 text. Nothing was stored; export it again.", field="sources"
        ) from error
