"""The published figures of the incidents, as claims beside all others."""

from __future__ import annotations

from app.claims.incidents.incident import incidents

CLAIMS = tuple(claim for one in incidents().values() for claim in (one.factor, *one.figures))
