"""The documents say what is there: links lead somewhere, settings and exit codes are all listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.commands.exit_codes import ExitCode
from app.settings import Settings, variable_name

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(document: Path) -> set[str]:
    titles = HEADING.findall(document.read_text())
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_within_the_tree_leads_somewhere(document: Path) -> None:
    dead = []
    for target in LINK.findall(document.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        place = (document.parent / path).resolve() if path else document
        if not place.exists() or (anchor and anchor not in anchors(place)):
            dead.append(target)
    assert dead == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_is_named_exists(document: Path) -> None:
    named = re.findall(r"`((?:app|tests|docs|tools|bench)/[\w./-]+)`", document.read_text())
    real = [
        name for name in named if not re.search("NAME|PROBLEM", name)
    ]  # those are the reader's to fill in
    assert [name for name in real if not (ROOT / name).exists()] == []


def test_the_readme_fits_in_150_lines() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    assert "## Unreleased" in (ROOT / "CHANGELOG.md").read_text()


def test_every_setting_is_documented_and_no_other() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text()
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", text, re.MULTILINE))
    assert documented == {variable_name(field) for field in Settings.model_fields}


def test_every_default_is_documented_as_it_is() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text()
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \|", text, re.MULTILINE))
    for name, field in Settings.model_fields.items():
        default = str(field.default).lower() if field.default not in (None, (), "") else "none"
        assert documented[variable_name(name)].strip("` ") == default


def test_every_exit_code_is_documented() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text()
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    assert documented == {int(code) for code in ExitCode}


def test_decision_records_are_numbered_without_gaps_and_say_why() -> None:
    records = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
    assert [int(path.name[:4]) for path in records] == list(range(1, len(records) + 1))
    for record in records:
        assert {"context", "decision", "consequences"} <= anchors(record), record.name
