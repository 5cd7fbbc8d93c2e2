"""The driver of bench.stage_checks blames the stage in flight and goes on with the others."""

from __future__ import annotations

import sys
from pathlib import Path

from app.kernels import registry
from bench.stage_checks import BAD, OK, check_problem

# Stands where compute-sanitizer would: plays the child, accuses one stage and dies in another.
SCRIPT = """
import json, sys
for name in sys.stdin.read().split():
    print(json.dumps({"problem": "matmul", "stage": name}), flush=True)
    if name == "coalesced":
        print("========= Invalid __global__ read of size 4 bytes")
    if name == "block_tile":
        print("it burns", file=sys.stderr, flush=True)
        sys.exit(4)
    told = {"problem": "matmul", "stage": name, "verdict": "ok", "detail": "1 cases"}
    if name == "register_tile":
        told |= {"verdict": "BAD", "detail": "illegal address"}
    print(json.dumps(told), flush=True)
    if name == "register_tile":
        sys.exit(4)
"""


def test_a_dead_child_and_an_accused_stage_leave_the_others_checked(tmp_path: Path) -> None:
    script = tmp_path / "child.py"
    script.write_text(SCRIPT)
    found = check_problem(registry.problem("matmul"), (sys.executable, str(script)))
    by_stage = {one.stage: one for one in found}
    assert by_stage["naive"].verdict == OK
    assert by_stage["coalesced"].verdict == BAD
    assert "Invalid __global__ read" in by_stage["coalesced"].detail
    assert by_stage["block_tile"].verdict == BAD
    assert "(4)" in by_stage["block_tile"].detail
    assert "it burns" in by_stage["block_tile"].detail
    assert by_stage["register_tile"].detail == "illegal address"
    assert by_stage["double_buffer"].verdict == OK, "innocent: the child ended after the stage before it"
    assert len(found) == len(by_stage)
