"""The web process loads no GPU or compiler library: those live and die in the measuring child."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("cupy", "cupyx", "numba", "llvmlite", "pynvml", "cuda")


@pytest.mark.parametrize("module", ["app.main", "app.supervisor.service", "app.cli"])
def test_importing_it_loads_none_of_them(module: str) -> None:
    show = f"import {module}, sys; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    loaded = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    names = loaded.stdout.split()
    assert "app" in names
    assert [name for name in HEAVY if name in names] == []
