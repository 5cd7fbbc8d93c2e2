"""Capsules: exact round trip, and nothing hostile, corrupt, newer or contradictory gets in."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import InvalidInputError, TooLargeError, UnsupportedCapsuleError
from app.domain.measurement import Samples
from app.domain.run import Run
from app.services.capsule import import_capsule, pack, unpack
from app.services.capsule_archive import MANIFEST, RUN, SAMPLES
from app.services.edit_run import TURNING_CHARACTERS
from app.storage.store import Store
from tests import examples

Content = dict[str, Any]


def whole() -> tuple[Run, tuple[Samples, ...]]:
    run = examples.imported_run()
    return run, tuple(examples.samples(m) for m in run.measurements)


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(content: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def changed(name: str, change: Callable[[Any], None]) -> bytes:
    content = members(pack(*whole()))
    value = json.loads(content[name])
    change(value)
    content[name] = json.dumps(value).encode()
    return zipped(content)


def test_round_trip_is_exact_and_repeatable() -> None:
    run, samples = whole()
    data = pack(run, samples)
    assert unpack(data) == (run, samples)
    assert pack(run, samples) == data


def test_a_crash_whose_words_hold_control_characters_round_trips() -> None:
    """A dying process may write anything: a capsule of our own must be one that we read."""
    run, samples = whole()
    died = replace(run.outcomes[1], reason="killed: \x1b[31mcore\x00 \u202edump\nat line 3")
    data = pack(replace(run, outcomes=(run.outcomes[0], died, *run.outcomes[2:])), samples)
    kept, _ = unpack(data)
    assert kept.outcomes[1].reason == "killed: \ufffd[31mcore\ufffd \ufffddump\nat line 3"


finite = st.floats(min_value=5e-324, allow_nan=False, allow_infinity=False)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(
    durations=st.lists(finite, min_size=1, max_size=8),
    median_s=finite,
    label=st.text(
        st.characters(exclude_categories=("Cc", "Cs"), exclude_characters=sorted(TURNING_CHARACTERS)),
        max_size=50,
    ),
)
def test_any_numbers_and_words_round_trip(durations: list[float], median_s: float, label: str) -> None:
    run, _ = whole()
    measured = replace(run.measurements[0], median_s=median_s, n=len(durations))
    summary = replace(run.summary, label=label)
    sample = Samples(measured.key, measured.cache, measured.regime, tuple(durations))
    kept = replace(run, summary=summary, measurements=(measured,))
    assert unpack(pack(kept, [sample])) == (kept, (sample,))


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(position=st.floats(0, 1, exclude_max=True), value=st.integers(0, 255), keep=st.floats(0, 1))
def test_damaged_bytes_are_refused_or_harmless(position: float, value: int, keep: float) -> None:
    run, samples = whole()
    data = bytearray(pack(run, samples))
    data[math.floor(position * len(data))] = value
    for damaged in (bytes(data), bytes(data[: math.floor(keep * len(data))])):
        try:
            read, _ = unpack(damaged)
        except InvalidInputError:
            continue
        assert read == run


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(st.binary(max_size=2000))
def test_any_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(UnsupportedCapsuleError):
        unpack(data)


def _set(*path: Any, to: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


CONTRADICTIONS: dict[str, tuple[str, Callable[[Any], None]]] = {
    "not finished": (RUN, _set("summary", "status", to="running")),
    "unknown status": (RUN, _set("summary", "status", to="odd")),
    "no device": (RUN, _set("summary", "device", to=None)),
    "device of another backend": (RUN, _set("summary", "device", "backend", to="cpu")),
    "no identity": (RUN, _set("summary", "uid", to="../../x")),
    "time without zone": (RUN, _set("summary", "created_at", to="2026-01-01T00:00:00")),
    "time before the calendar": (RUN, _set("summary", "created_at", to="0001-01-01T00:00:00+14:00")),
    "device with a long name": (RUN, _set("summary", "device", "name", to="x" * 10_000)),
    "device that turns text": (RUN, _set("summary", "device", "name", to="NVIDIA \u202e")),
    "library that turns text": (RUN, _set("environment", "libraries", "\u2066x", to="1")),
    "reason of 1 MB": (RUN, _set("outcomes", 1, "reason", to="x" * 1_000_000)),
    "negative roof": (RUN, _set("ceilings", 0, "value", to=-1.0)),
    "label of 10 kB": (RUN, _set("summary", "label", to="x" * 10_000)),
    "label with a control character": (RUN, _set("summary", "label", to="\x00")),
    "too many tags": (RUN, _set("summary", "tags", to=[str(i) for i in range(100)])),
    "hostile problem": (RUN, _set("summary", "problems", to=["<script>"])),
    "hostile stage": (RUN, _set("measurements", 0, "key", "stage", to="../x")),
    "size below zero": (RUN, _set("measurements", 0, "key", "size", "values", 0, to=["m", -1])),
    "size over 64 bits": (RUN, _set("measurements", 0, "key", "size", "values", 0, to=["m", 2**70])),
    "negative time": (RUN, _set("measurements", 0, "median_s", to=-1.0)),
    "zero time": (RUN, _set("measurements", 0, "median_s", to=0.0)),
    "NaN time": (RUN, _set("measurements", 0, "median_s", to=math.nan)),
    "infinite clock": (RUN, _set("measurements", 0, "sm_clock_hz", to=math.inf)),
    "missing time": (RUN, lambda run: run["measurements"][0].pop("median_s")),
    "negative work": (RUN, _set("measurements", 0, "flop", to=-1)),
    "no samples counted": (RUN, _set("measurements", 0, "n", to=0)),
    "other number of samples": (RUN, _set("measurements", 0, "n", to=4)),
    "measurement twice": (RUN, lambda run: run["measurements"].append(run["measurements"][0])),
    "samples missing": (SAMPLES, lambda samples: samples.pop()),
    "samples twice": (SAMPLES, lambda samples: samples.append(samples[0])),
    "NaN sample": (SAMPLES, _set(0, "durations_s", 0, to=math.nan)),
    "negative sample": (SAMPLES, _set(0, "durations_s", 0, to=-1.0)),
    "no list": (SAMPLES, lambda samples: samples.__setitem__(slice(None), [5])),
    "other format": (MANIFEST, _set("format", to="zip")),
    "no version": (MANIFEST, lambda manifest: manifest.pop("version")),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_what_does_not_hang_together_is_refused_and_nothing_is_stored(store: Store, name: str) -> None:
    with pytest.raises(UnsupportedCapsuleError) as refused:
        import_capsule(store, changed(*CONTRADICTIONS[name]))
    assert refused.value.field
    assert "othing was stored" in refused.value.message or "nothing was stored" in refused.value.message
    assert store.runs() == []


def test_a_newer_capsule_says_what_to_do(store: Store) -> None:
    content = members(changed(MANIFEST, _set("version", to=2)))
    newer = zipped(content | {"something_new.bin": b"x"})
    with pytest.raises(UnsupportedCapsuleError, match=r"version 2.*update Roofladder"):
        import_capsule(store, newer)


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/passwd", "sources/../../evil", "sources\\..\\evil", "C:\\evil", "sources/", "x" * 300],
)
def test_members_with_hostile_names_are_refused(store: Store, name: str) -> None:
    with pytest.raises(UnsupportedCapsuleError, match="unexpected member"):
        import_capsule(store, zipped(members(pack(*whole())) | {name: b"x"}))
    assert store.runs() == []


def test_a_source_under_a_false_address_is_refused() -> None:
    with pytest.raises(UnsupportedCapsuleError, match="another content"):
        unpack(zipped(members(pack(*whole())) | {f"sources/{'0' * 64}": b"other text"}))


def test_a_source_that_is_no_text_is_refused() -> None:
    with pytest.raises(UnsupportedCapsuleError, match="UTF-8"):
        unpack(zipped(members(pack(*whole())) | {f"sources/{'0' * 64}": b"\xff\xfe"}))


@pytest.mark.parametrize("name", [MANIFEST, RUN, SAMPLES])
def test_a_missing_member_is_named(name: str) -> None:
    content = members(pack(*whole()))
    del content[name]
    with pytest.raises(UnsupportedCapsuleError):
        unpack(zipped(content))


@pytest.mark.parametrize(
    "text", [b"1e999", b"NaN", b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}", b"", b"\xff"]
)
def test_json_that_no_run_can_hold_is_refused(text: bytes) -> None:
    with pytest.raises(UnsupportedCapsuleError):
        unpack(zipped(members(pack(*whole())) | {RUN: text}))


class TestBombs:
    def test_one_that_says_so(self) -> None:
        bomb = members(pack(*whole())) | {SAMPLES: b" " * (129 * 2**20)}
        data = zipped(bomb)
        assert len(data) < 2**20
        with pytest.raises(TooLargeError, match="128 MiB"):
            unpack(data)

    def test_a_member_over_its_own_limit(self) -> None:
        with pytest.raises(TooLargeError, match="32 MiB"):
            unpack(zipped(members(pack(*whole())) | {RUN: b" " * (33 * 2**20)}))

    def test_one_that_lies_about_its_size(self) -> None:
        content = members(pack(*whole())) | {RUN: b" " * (33 * 2**20)}
        data = zipped(content).replace((33 * 2**20).to_bytes(4, "little"), (100).to_bytes(4, "little"))
        with pytest.raises(InvalidInputError):
            unpack(data)

    def test_too_many_members(self) -> None:
        many = {f"sources/{i:064x}": b"" for i in range(1001)}
        with pytest.raises(TooLargeError, match="members"):
            unpack(zipped(members(pack(*whole())) | many))
