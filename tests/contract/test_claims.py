"""What every claim owes: an identity, a source, a rule in words, and cells that exist."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from app.claims.catalogue import claims
from app.claims.published import PublishedClaim, Section
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.web.claim_wording import SECTIONS, claimed_text, rule_text

ALL = [pytest.param(claim, id=claim.id) for claim in claims()]


def test_ids_are_unique_and_readable() -> None:
    counts = Counter(claim.id for claim in claims())
    assert [slug for slug, count in counts.items() if count > 1] == []
    assert [slug for slug in counts if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)] == []


def test_there_are_enough_of_them_in_every_section_of_the_page() -> None:
    assert len(claims()) >= 45
    assert set(SECTIONS) == set(Section)


@pytest.mark.parametrize("claim", ALL)
def test_a_claim_says_where_it_was_read_and_when_it_holds(claim: PublishedClaim) -> None:
    assert re.match(r"L(22|24|2\.3)\b", claim.source), claim.source
    assert claim.statement.endswith(".")
    assert claim.said_of
    assert claim.compared
    assert claimed_text(claim)
    assert rule_text(claim).startswith("holds")


@pytest.mark.parametrize("claim", ALL)
def test_the_cells_a_claim_cites_exist(claim: PublishedClaim) -> None:
    for cell in claim.look.cells:
        problem = registry.problem(cell.problem)
        stage = registry.stage(cell.problem, BackendName.CUDA, cell.stage)
        assert tuple(cell.size.as_dict()) == tuple(p.name for p in problem.size_parameters)
        assert cell.dtype in stage.dtypes
        if not problem.is_ladder:
            assert cell.size in problem.suite_sizes, "no suite measures it"
            assert cell.cache in problem.caches
