"""Explorers over REST: the lectures' figures, and a clear refusal of what cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

URL = "/api/v1/explore"


def ask(client: TestClient, path: str, **parameters: object) -> dict[str, Any]:
    answer = client.get(f"{URL}/{path}", params={k: str(v) for k, v in parameters.items()})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    ("stride", "offset", "sectors", "efficiency"),
    [
        (1, 0, 4, 1.0),
        (1, 4, 5, 0.8),
        (2, 0, 8, 0.5),
        (2, 4, 8, 0.5),
        (2, 8, 9, 128 / 288),
        (32, 0, 32, 0.125),
    ],
)
def test_coalescing_by_the_lectures_table(
    client: TestClient, stride: int, offset: int, sectors: int, efficiency: float
) -> None:
    found = ask(client, "coalescing", element_bytes=4, stride_elements=stride, offset_bytes=offset)
    assert found["sectors_per_request"] == sectors == len(found["sectors"])
    assert found["efficiency_fraction"] == pytest.approx(efficiency)


def test_sectors_and_lines_are_listed(client: TestClient) -> None:
    found = ask(client, "coalescing", element_bytes=4, stride_elements=1, offset_bytes=100)
    assert found["sectors"] == [3, 4, 5, 6, 7]
    assert found["cache_lines"] == [0, 1]
    assert found["moved_bytes"] == 160


@pytest.mark.parametrize(
    ("element", "stride", "expected"),
    [(4, 33, (1, 1, 1)), (4, 32, (32, 1, 32)), (4, 2, (2, 1, 2)), (4, 8, (8, 1, 8)), (16, 1, (4, 4, 1))],
)
def test_bank_conflicts(
    client: TestClient, element: int, stride: int, expected: tuple[int, int, int]
) -> None:
    found = ask(
        client, "bank-conflicts", element_bytes=element, stride_elements=stride, offset_bytes=0, lanes=32
    )
    fields = ("wavefronts_per_request", "ideal_wavefronts_per_request", "conflict_degree")
    assert tuple(found[field] for field in fields) == expected
    assert len(found["wavefronts"]) == expected[0]


def test_the_same_word_for_all_lanes_is_a_broadcast(client: TestClient) -> None:
    found = ask(client, "bank-conflicts", element_bytes=4, stride_elements=0)
    assert found["wavefronts"] == [
        {"phase": 0, "served": [{"bank": 0, "word": 0, "lanes": list(range(32))}]},
    ]
    assert (found["wavefronts_per_request"], found["conflict_degree"]) == (1, 1)


@pytest.mark.parametrize(
    ("cure", "wavefronts"),
    [({}, 32), ({"padding_elements": 1}, 1), ({"swizzle": "xor"}, 1), ({"swizzle": "tma_128"}, 4)],
)
def test_a_column_of_a_tile_and_its_cures(client: TestClient, cure: dict[str, Any], wavefronts: int) -> None:
    """The copy engine exchanges pieces of 16 bytes, so a column of single floats still meets 4 in a bank."""
    found = ask(client, "bank-conflicts", stride_elements=32, row_pitch_elements=32, **cure)
    assert found["wavefronts_per_request"] == wavefronts


def test_ldmatrix_reads_swizzled_rows_in_one_wavefront_a_matrix(client: TestClient) -> None:
    rows = {"instruction": "ldmatrix", "element_bytes": 16, "stride_elements": 8, "row_pitch_elements": 8}
    assert ask(client, "bank-conflicts", **rows)["wavefronts_per_request"] == 32
    swizzled = ask(client, "bank-conflicts", **rows, swizzle="tma_128")
    assert (swizzled["wavefronts_per_request"], swizzled["conflict_degree"]) == (4, 1)


def test_occupancy_of_the_lectures_8x8_tile(client: TestClient) -> None:
    found = ask(
        client,
        "occupancy",
        compute_capability="8.0",
        block_size=256,
        registers_per_thread=80,
        shared_bytes_per_block=0,
    )
    assert found["active_blocks_per_sm"] == 3
    assert found["active_warps_per_sm"] == 24
    assert found["occupancy_fraction"] == 0.375
    assert found["limiter"] == "registers"


@pytest.mark.parametrize(("width", "warps", "exact"), [(16, 15, 14.75), (4, 59, 59.0)])
def test_littles_law_of_an_a100(client: TestClient, width: int, warps: int, exact: float) -> None:
    found = ask(
        client,
        "littles-law",
        bandwidth_bytes_per_s=2039e9,
        latency_s=400e-9,
        sm_count=108,
        bytes_per_thread=width,
    )
    assert found["bytes_in_flight"] == pytest.approx(815_600)
    assert found["warps_per_sm"] == warps
    assert found["warps_per_sm_exact"] == pytest.approx(exact, abs=0.01)


def test_tiles_of_the_lectures(client: TestClient) -> None:
    found = ask(client, "tiles", m=4096, n=4096, k=4096, block_m=128, block_n=128, thread_m=8, thread_n=8)
    by_level = {one["level"]: one["flop_per_byte"] for one in found["intensities"]}
    assert by_level["least traffic"] == pytest.approx(682.67, abs=0.01)
    assert (by_level["global"], by_level["shared"], by_level["no reuse"]) == (32.0, 2.0, 0.25)
    assert found["threads_per_block"] == 256


@pytest.mark.parametrize(("tile", "padded", "unpadded"), [(8, 576, 512), (16, 2176, 2048), (32, 8448, 8192)])
def test_shared_memory_of_the_padded_lab_tile(
    client: TestClient, tile: int, padded: int, unpadded: int
) -> None:
    shape = dict.fromkeys(("block_m", "block_n", "block_k"), tile) | {
        "thread_m": 1,
        "thread_n": 1,
        "buffers": 1,
    }
    padding = {"padding_a_elements": 1, "padding_b_elements": 1}
    assert ask(client, "tiles", **shape, **padding)["shared_bytes_per_block"] == padded
    assert ask(client, "tiles", **shape)["shared_bytes_per_block"] == unpadded


def test_waves_and_the_next_cliff(client: TestClient) -> None:
    found = ask(client, "waves", m=4097, n=4096, block_m=128, block_n=128, sm_count=132)
    assert (found["waves_exact"], found["next_cliff_m"]) == (8.0, 4225)
    assert ask(client, "waves", m=4225, n=4096)["waves"] == 9
    assert ask(client, "waves", m=4224, n=4096)["waves"] == 8


def test_split_k_fills_an_idle_device_and_not_a_full_one(client: TestClient) -> None:
    idle = ask(client, "split-k")
    assert idle["best_slices"] > 1
    assert idle["speed_up"] > 2
    assert idle["break_even_slices"] == 2
    full = ask(client, "split-k", m=8448, n=2048)
    assert (full["best_slices"], full["speed_up"], full["break_even_slices"]) == (1, 1.0, None)
    both = ask(client, "quantisation")
    assert both["split_k"] == idle
    assert both["waves"] == ask(client, "waves", m=512, n=512)


def test_balance_points_of_an_a100(client: TestClient) -> None:
    found = ask(client, "roofline", peak_flop_per_s=19.5e12, bandwidth_bytes_per_s=2039e9)
    assert found["balance_flop_per_byte"] == pytest.approx(9.56, abs=0.005)
    assert found["bound"] == "memory"
    assert {one["change"]: one["speed_up"] for one in found["what_if"]} == {
        "bandwidth": 2.0,
        "peak": 1.0,
        "intensity": 2.0,
    }
    half = ask(client, "roofline", peak_flop_per_s=312e12, bandwidth_bytes_per_s=2039e9)
    assert half["balance_flop_per_byte"] == pytest.approx(153, abs=0.1)


@pytest.mark.parametrize(("operand", "elements", "places"), [("a", 8, 256), ("b", 4, 128), ("c", 4, 128)])
def test_fragment_map(client: TestClient, operand: str, elements: int, places: int) -> None:
    found = ask(client, "fragment-map", operand=operand)
    assert found["elements_per_lane"] == elements
    assert len({(one["row"], one["column"]) for one in found["held"]}) == places


@pytest.mark.parametrize(
    ("path", "field", "value"),
    [
        ("coalescing", "element_bytes", 3),
        ("coalescing", "element_bytes", 0),
        ("coalescing", "stride_elements", -1),
        ("coalescing", "stride_elements", "nan"),
        ("coalescing", "offset_bytes", 2),
        ("coalescing", "lanes", 0),
        ("coalescing", "padding_elements", 1),
        ("bank-conflicts", "element_bytes", 3),
        ("bank-conflicts", "offset_bytes", 1),
        ("bank-conflicts", "lanes", 33),
        ("bank-conflicts", "swizzle", "round"),
        ("occupancy", "compute_capability", "1.0"),
        ("occupancy", "compute_capability", "nine"),
        ("occupancy", "block_size", 1_000_000),
        ("occupancy", "block_size", 0),
        ("occupancy", "registers_per_thread", -40),
        ("occupancy", "shared_bytes_per_block", -1),
        ("littles-law", "bandwidth_bytes_per_s", "1e300"),
        ("littles-law", "bandwidth_bytes_per_s", "nan"),
        ("littles-law", "latency_s", 0),
        ("littles-law", "latency_s", "-inf"),
        ("littles-law", "sm_count", 0),
        ("littles-law", "bytes_per_thread", -4),
        ("tiles", "thread_m", 7),
        ("tiles", "m", 0),
        ("tiles", "block_k", "1e300"),
        ("waves", "sm_count", -132),
        ("split-k", "k", 0),
        ("roofline", "intensity_flop_per_byte", "nan"),
        ("roofline", "peak_flop_per_s", "1e300"),
        ("fragment-map", "operand", "d"),
        ("coalescing", "stride", 4),
    ],
)
def test_what_cannot_be_is_refused_by_name(client: TestClient, path: str, field: str, value: object) -> None:
    answer = client.get(f"{URL}/{path}", params={field: str(value)})
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["field"] == field
    assert answer.json()["detail"]
