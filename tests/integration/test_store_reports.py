"""Reports in a real database: nothing of a launch is lost, half a report is never seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, event

from app.domain.errors import NotFoundError, UnavailableError
from app.domain.kept_report import MatchHow, StageMatch
from app.domain.report import LaunchKind, LaunchProfile, Metrics
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.storage.store import Store
from tests import reports

HOSTILE = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://x")',
    "k" * 100_000,
    "nul\0lone\ud800",
    "../../etc",
)


def parts(metrics: Metrics) -> tuple[object, ...]:
    """What two Metrics are compared by; the NaN of a text is none."""
    columns = metrics.columns
    return (
        (columns.names, columns.sections, columns.labels),
        tuple(metrics),
        metrics.missing,
        dict(metrics.instances),
    )


def test_a_launch_comes_back_exactly(store: Store) -> None:
    launch = reports.launch()
    report_id = reports.keep(store, launches=(launch, replace(launch, number=1)))
    kept = store.launch_profile(report_id, 1)
    assert replace(kept.profile, metrics=launch.metrics) == launch
    assert parts(kept.profile.metrics) == parts(launch.metrics)
    assert kept.report.facts == reports.new_report()
    assert (kept.report.launch_count, kept.report.matched_count) == (2, 0)
    assert (kept.launch.ordinal, kept.launch.number, kept.launch.metric_count) == (1, 0, 5)
    assert store.launch_profile(report_id, 2).profile.number == 1


def test_what_the_output_leaves_out_stays_unknown(store: Store) -> None:
    bare = LaunchProfile(None, None, "range", kind=LaunchKind.RANGE)
    report_id = reports.keep(store, launches=(bare,))
    kept = store.launch_profile(report_id, 1).profile
    assert replace(kept, metrics=bare.metrics) == bare
    assert len(kept.metrics) == 0


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40), st.lists(st.floats(), min_size=5, max_size=5), st.integers())
def test_any_text_and_number_survives(store: Store, text: str, values: list[float], number: int) -> None:
    metrics = replace(reports.metrics(), raw=(text,) * 5)
    metrics.base_values[:] = type(metrics.base_values)("d", values)
    launch = reports.launch(text, number, metrics=metrics, function=text, context=text)
    report_id = reports.keep(store, reports.new_report(repr((text, values, number))), (launch,))
    kept = store.launch_profile(report_id, 1).profile
    assert (kept.kernel, kept.function, kept.context) == (text, text, text)
    assert kept.metrics.base_values.tobytes() == metrics.base_values.tobytes()
    assert tuple(kept.metrics.raw) == (text,) * 5


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_names(store: Store, name: str) -> None:
    columns = replace(reports.COLUMNS, names=(name,) * 5)
    launch = reports.launch(name, metrics=replace(reports.metrics(), columns=columns), device_name=name)
    report_id = reports.keep(
        store, reports.new_report(name="x", warnings=(name,), skipped={name: 1}), (launch,)
    )
    kept = store.launch_profile(report_id, 1)
    assert kept.profile.kernel == name
    assert kept.profile.metrics.columns.names == (name,) * 5
    assert len(kept.launch.kernel) <= 2000
    found = store.metric_names(name[:3])
    assert found
    assert max(len(one.name) for one in found) <= 500


def test_a_report_is_seen_once_it_is_whole(store: Store) -> None:
    report_id = store.begin_report(reports.new_report())
    store.add_launches(report_id, [(reports.launch(), reports.NONE)])
    assert store.reports() == []
    assert store.report_of_file("a" * 64) is None
    assert store.metric_names("dram") == []
    with pytest.raises(NotFoundError):
        store.launches(report_id)
    assert store.finish_report(report_id) == (report_id, True)
    assert [report.id for report in store.reports()] == [report_id]


def test_the_same_file_twice_is_one_report(store: Store) -> None:
    first, second = store.begin_report(reports.new_report()), store.begin_report(reports.new_report())
    for report_id in (first, second):
        store.add_launches(report_id, [(reports.launch(), reports.NONE)])
    assert store.finish_report(second) == (second, True)
    assert store.finish_report(first) == (second, False)
    assert [report.id for report in store.reports()] == [second]
    known = store.report_of_file("a" * 64)
    assert known is not None
    assert known.id == second


def test_what_was_begun_can_be_abandoned_but_not_what_is_kept(store: Store) -> None:
    kept = reports.keep(store)
    begun = store.begin_report(reports.new_report("b" * 64))
    for report_id in (kept, begun):
        store.abandon_report(report_id)
    assert store.report(kept).launch_count == 1
    with pytest.raises(NotFoundError, match="Import it again"):
        store.add_launches(begun, [(reports.launch(), reports.NONE)])


def test_lists_page_and_search(store: Store) -> None:
    ids = [
        reports.keep(store, reports.new_report(str(i), f"{i}.csv"), (reports.launch(f"kernel_{i}(int)"),))
        for i in range(5)
    ]
    assert [r.id for r in store.reports(limit=2)] == ids[:2:-1]
    assert [r.id for r in store.reports(before_id=ids[3], limit=2)] == [ids[2], ids[1]]
    assert [r.id for r in store.reports(text="KERNEL_3")] == [ids[3]]
    assert [r.id for r in store.reports(text="2.csv")] == [ids[2]]
    assert store.reports(text="%") == []
    many = reports.keep(
        store, reports.new_report("many"), tuple(reports.launch(f"k{i}()", i) for i in range(7))
    )
    assert [one.number for one in store.launches(many, limit=3)] == [0, 1, 2]
    assert [one.number for one in store.launches(many, after_ordinal=3, limit=9)] == [3, 4, 5, 6]
    assert [one.number for one in store.launches(many, text="k5")] == [5]


def test_metrics_are_found_by_any_part_of_their_name(store: Store) -> None:
    first = reports.keep(store, launches=(reports.launch(), reports.launch(number=1)))
    reports.keep(store, reports.new_report("b" * 64))
    (found,) = store.metric_names("DRAM__")
    assert (found.name, found.launch_count, found.report_count) == ("dram__bytes.sum", 3, 2)
    assert store.metric_names("speed of light")[0].name == "Memory Throughput"
    assert len(store.metric_names("", limit=2)) == 2
    store.delete_report(first)
    assert store.metric_names("dram")[0].report_count == 1


def test_a_match_can_be_corrected(store: Store) -> None:
    report_id = reports.keep(store)
    launch_id = store.launches(report_id)[0].id
    match = StageMatch(
        "matmul", "naive", 1.0, MatchHow.CORRECTED, ("A person.",), Size.of(m=1, n=2, k=3), Dtype.FLOAT32
    )
    assert store.match_launch(launch_id, match).match == match
    assert store.launch(launch_id).match == match
    assert store.report(report_id).matched_count == 1
    assert [one.id for one in store.stage_launches("matmul", "naive")] == [launch_id]
    assert store.stage_launches("matmul", "coalesced") == []
    assert [one.id for one, _ in store.launch_profiles([launch_id, 99])] == [launch_id]
    with pytest.raises(NotFoundError):
        store.match_launch(99, match)


def test_a_deleted_report_takes_what_only_it_used(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "report.csv"
    file.write_text("content")
    sha256 = store.keep_report_file(file)
    assert store.keep_report_file(file) == sha256
    first = reports.keep(store, reports.new_report("a", kept_sha256=sha256))
    second = reports.keep(store, reports.new_report("b", kept_sha256=sha256))
    store.delete_report(first)
    assert store.report_file(sha256).read_text() == "content"
    assert store.launch_profile(second, 1).profile.metrics.number("dram__bytes.sum") == 1.2345e9
    store.delete_report(second)
    with pytest.raises(NotFoundError, match="Import it again"):
        store.report_file(sha256)
    assert (store.reports(), store.metric_names("dram")) == ([], [])
    with pytest.raises(NotFoundError):
        store.delete_report(second)


def test_a_folder_that_takes_no_file_is_named(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "report.csv"
    file.write_text("content")
    (tmp_path / "reports").write_text("in the way")
    with pytest.raises(UnavailableError, match="could not be kept"):
        store.keep_report_file(file)


def test_queries_do_not_grow_with_a_report(store: Store) -> None:
    asked: list[str] = []

    def note(*arguments: object) -> None:
        asked.append(str(arguments[2]))

    one = reports.keep(store)
    many = reports.keep(
        store, reports.new_report("many"), tuple(reports.launch(f"k{i}()", i) for i in range(60))
    )
    counts = []
    event.listen(Engine, "before_cursor_execute", note)
    for report_id in (one, many):
        asked.clear()
        store.launches(report_id)
        store.launch_profile(report_id, 1)
        store.reports()
        counts.append(len(asked))
    event.remove(Engine, "before_cursor_execute", note)
    assert counts[0] == counts[1] <= 8, "three transactions with one or two queries each"
