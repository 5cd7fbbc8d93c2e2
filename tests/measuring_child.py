"""Starts the measuring child as the worker does and reads its messages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pydantic import TypeAdapter

from app.domain.child_messages import CellEnded, ChildMessage, Plan
from app.domain.vocabulary import CellStatus

ROOT = Path(__file__).parents[1]
MESSAGES: TypeAdapter[ChildMessage] = TypeAdapter(ChildMessage)


def start(plan: bytes, **variables: str) -> subprocess.Popen[bytes]:
    folders = str(ROOT / "tests" / "problems")
    child = subprocess.Popen(
        [sys.executable, "-m", "app.measure"],
        cwd=ROOT,
        env={**os.environ, "ROOFLADDER_PROBLEM_FOLDERS": folders, **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdin is not None
    child.stdin.write(plan)
    child.stdin.close()
    child.stdin = None
    return child


def run(plan: Plan, **variables: str) -> tuple[int, list[ChildMessage], str]:
    child = start(TypeAdapter(Plan).dump_json(plan), **variables)
    out, errors = child.communicate(timeout=240)
    return child.returncode, [MESSAGES.validate_json(line) for line in out.splitlines()], errors.decode()


def outcomes(told: list[ChildMessage]) -> dict[str, tuple[CellStatus, str]]:
    ended = [m.outcome for m in told if isinstance(m, CellEnded)]
    return {o.key.stage: (o.status, o.reason) for o in ended}
