"""The measuring child as a real process: messages, exit codes and every fault a stage can have."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from app.domain.child_messages import (
    CellStarted,
    Done,
    Fatal,
    Measured,
    Plan,
    Probed,
    StopRule,
)
from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CellStatus, Dtype
from app.measure import code_digest
from tests.measuring_child import MESSAGES, outcomes, run, start

QUICK = StopRule(min_samples=5, min_total_s=0.0, ci_width_fraction=0.05, max_samples=20, max_total_s=0.2)


def plan_of(*stages: str, cache_dir: Path, n: int = 1000) -> Plan:
    cells = tuple(CellKey("faults", stage, Size.of(n=n), Dtype.FLOAT32) for stage in stages)
    return Plan(BackendName.CPU, cells, QUICK, QUICK, measure_ceilings=False, cache_dir=str(cache_dir))


def test_stages_that_go_wrong_leave_the_others_measured(tmp_path: Path) -> None:
    faults = (
        "does_not_compile",
        "wrong",
        "unwritten",
        "raises",
        "exhausts_memory",
        "wrong_later",
        "chatters",
    )
    code, told, errors = run(plan_of("good", *faults, cache_dir=tmp_path))
    found = outcomes(told)
    assert code == 0
    assert isinstance(told[0], Probed)
    assert isinstance(told[-1], Done)
    assert found["good"][0] is CellStatus.MEASURED
    assert found["chatters"][0] is CellStatus.MEASURED
    assert "a library prints this" in errors
    for stage, status, words in (
        ("does_not_compile", CellStatus.FAILED, "TypingError"),
        ("wrong", CellStatus.WRONG_RESULT, "y[999] is "),
        ("unwritten", CellStatus.WRONG_RESULT, "y[999] was not written"),
        ("raises", CellStatus.FAILED, "the stage's own words"),
        ("exhausts_memory", CellStatus.FAILED, "ran out of memory"),
        ("wrong_later", CellStatus.WRONG_RESULT, "Wrong after timing"),
    ):
        assert found[stage][0] is status
        assert words in found[stage][1]
    assert {m.measurement.key.stage for m in told if isinstance(m, Measured)} == {"good", "chatters"}


def test_a_crash_names_the_cell_in_flight(tmp_path: Path) -> None:
    code, told, _ = run(plan_of("good", "crashes", cache_dir=tmp_path))
    assert code == -signal.SIGSEGV
    assert not any(isinstance(m, Done) for m in told)
    last = [m for m in told if isinstance(m, CellStarted)][-1]
    assert last.key.stage == "crashes"


def test_sigterm_ends_a_hanging_stage_at_once(tmp_path: Path) -> None:
    child = start(TypeAdapter(Plan).dump_json(plan_of("hangs", cache_dir=tmp_path)))
    assert child.stdout is not None
    for line in child.stdout:
        message = MESSAGES.validate_json(line)
        if isinstance(message, CellStarted) and message.phase == "checking":
            break
    asked = time.monotonic()
    child.send_signal(signal.SIGTERM)
    assert child.wait(timeout=10) == 128 + signal.SIGTERM
    assert time.monotonic() - asked < 8
    child.stdout.close()
    assert child.stderr is not None
    child.stderr.close()


def test_a_size_beyond_the_memory_fails_before_it_is_allocated(tmp_path: Path) -> None:
    code, told, _ = run(plan_of("good", cache_dir=tmp_path, n=1 << 40))
    status, reason = outcomes(told)["good"]
    assert (code, status) == (0, CellStatus.FAILED)
    assert "are free" in reason


def test_a_second_process_takes_compiled_stages_from_the_cache(tmp_path: Path) -> None:
    size = Size.of(m=16, n=16, k=16)
    cells = tuple(CellKey("matmul", stage, size, Dtype.FLOAT32) for stage in ("reordered", "threaded"))
    plan = Plan(BackendName.CPU, cells, QUICK, QUICK, measure_ceilings=False, cache_dir=str(tmp_path))
    for _ in range(2):
        _, told, _ = run(plan)
        assert {status for status, _ in outcomes(told).values()} == {CellStatus.MEASURED}, outcomes(told)
    (cache,) = tmp_path.glob("numba-*")
    assert list(cache.rglob("*.nbc"))


def test_compiled_code_is_not_taken_after_any_file_of_the_kernels_changed(tmp_path: Path) -> None:
    called, other = tmp_path / "called.py", tmp_path / "folder" / "other.py"
    other.parent.mkdir()
    digests = []
    for text, path in (("a", called), ("b", called), ("b", other)):
        path.write_text(text)
        digests.append(code_digest(tmp_path))
    other.rename(tmp_path / "folder" / "renamed.py")
    digests.append(code_digest(tmp_path))
    assert len(set(digests)) == 4
    assert code_digest(tmp_path) == digests[-1]


def test_probe_tells_the_device_and_ends(tmp_path: Path) -> None:
    code, told, _ = run(Plan(BackendName.CPU, (), cache_dir=str(tmp_path), probe_only=True))
    probed, done = told
    assert code == 0
    assert isinstance(done, Done)
    assert isinstance(probed, Probed)
    assert probed.device.uuid.startswith("cpu-")
    assert probed.device.memory_bytes is not None
    assert "MiB before each cold sample" in probed.environment.facts["cold_method"]


@pytest.mark.parametrize("plan", [b"", b"{}", b"not json", b'{"backend": "abacus", "cells": []}'])
def test_a_plan_that_cannot_be_read_is_refused(plan: bytes) -> None:
    child = start(plan)
    out, _ = child.communicate(timeout=60)
    (message,) = [MESSAGES.validate_json(line) for line in out.splitlines()]
    assert child.returncode == 2
    assert isinstance(message, Fatal)
    assert message.code == "invalid_plan"


def test_no_usable_gpu_is_one_clear_line(tmp_path: Path) -> None:
    plan = Plan(BackendName.CUDA, (), cache_dir=str(tmp_path), probe_only=True)
    code, told, _ = run(plan, CUDA_VISIBLE_DEVICES="-1")
    (message,) = told
    assert code == 3
    assert isinstance(message, Fatal)
    assert message.code == "device_unavailable"
    assert "\n" not in message.message
