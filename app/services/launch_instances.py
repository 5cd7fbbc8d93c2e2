"""The parts that metrics are counted by: kept with the launch, those of a report file read from the file."""

from __future__ import annotations

from dataclasses import replace

from app.domain.kept_report import KeptProfile
from app.domain.report import ReportFormat
from app.ncu.reading import read_report
from app.storage.store import Store


def with_instances(store: Store, kept: KeptProfile) -> KeptProfile:
    """The launch with every instance that its file has. Raises NotFoundError where the file is gone."""
    facts = kept.report.facts
    if facts.dialect.format is not ReportFormat.REP or facts.kept_sha256 is None:
        return kept
    launches = read_report(store.report_file(facts.kept_sha256)).launches
    if len(launches) < kept.launch.ordinal:
        return kept
    instances = launches[kept.launch.ordinal - 1].metrics.instances
    metrics = replace(kept.profile.metrics, instances=instances)
    return replace(kept, profile=replace(kept.profile, metrics=metrics))
