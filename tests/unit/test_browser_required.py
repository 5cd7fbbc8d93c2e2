"""ROOFLADDER_REQUIRE_BROWSER=1 turns a skipped browser test into a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
SKIPPED = """
import pytest

@pytest.mark.browser
def test_in_the_browser():
    pytest.skip("no Chromium here")

def test_elsewhere():
    pytest.skip("not a browser test")
"""


@pytest.mark.parametrize(("required", "returncode"), [("1", 1), ("0", 0)])
def test_a_skipped_browser_test_fails_only_where_required(
    tmp_path: Path, required: str, returncode: int
) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    browser: x\n")
    (tmp_path / "test_it.py").write_text(SKIPPED)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        # Loading every plugin of the environment would take longer than the two tests.
        env=os.environ | {"ROOFLADDER_REQUIRE_BROWSER": required, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == returncode, done.stdout
    assert ("1 failed, 1 skipped" in done.stdout) == (required == "1")
