"""Sizes and names of modules, and no trace of one developer's machine in the tree."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "app").rglob("*.py"))
LONGEST_MODULE = 400
VAGUE_NAMES = {"utils", "util", "common", "helpers", "helper", "misc", "base"}
HOME_PATH = re.compile(r"(?<![\w.}])/(?:home|Users|root|work|tmp)/\w+")


def test_no_module_is_longer_than_400_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in MODULES
        if (count := len(path.read_text().splitlines())) > LONGEST_MODULE
    }
    assert long == {}


def test_every_module_is_named_for_its_concept() -> None:
    assert [
        str(path) for path in MODULES if path.stem in VAGUE_NAMES or path.parent.name in VAGUE_NAMES
    ] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [str(p) for p in MODULES if "migrations" not in p.parts and not p.read_text().startswith('"""')]
    assert silent == []


def test_no_path_of_one_developers_machine_is_committed() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    texts = (".py", ".md", ".toml", ".yml", ".html", ".cu", ".css", ".js", ".json")
    paths = [ROOT / name for name in listed.stdout.splitlines() if name.endswith(texts)]
    paths = [path for path in paths if path.exists() and "vendor" not in path.parts]
    assert len(paths) > 50 or listed.returncode, "git lists the tree, unless it came as an archive"
    found = {
        str(path.relative_to(ROOT)): match.group(0)
        for path in paths
        if (match := HOME_PATH.search(path.read_text(errors="replace")))
    }
    assert found == {}
