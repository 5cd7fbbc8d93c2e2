"""The frame of a `.ncu-rep` file: magic, header, then blocks of length-prefixed messages.

    b"NVR\\0" · u32 n · FileHeader[n] · ( u32 n · BlockHeader[n] · payload )*
    payload = ( u32 n · message[n] )*   sources first, then kernel, range, command-list and graph results

Every length is checked against what is left: a file that lies or ends early gives what came before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from google.protobuf.message import DecodeError

from app.ncu.rep_schema import Decoded, message_class

MAGIC = b"NVR\0"
LENGTH_BYTES = 4
MOST_IN_BLOCK = 1_000_000  # results that one block may announce


class Part(StrEnum):
    """What a message of a block's payload is, in the order in which they stand."""

    SOURCE = "source"
    KERNEL = "kernel"
    RANGE = "range"
    COMMAND_LIST = "command_list"
    GRAPH = "graph"


class FrameError(ValueError):
    """The file ends or contradicts itself here; what was read before stands. The text says what happened."""


@dataclass(frozen=True)
class Block:
    """A block's header and its payload's messages, each with what it is."""

    header: Decoded
    messages: tuple[tuple[Part, memoryview], ...]


def blocks(data: memoryview) -> Iterator[Block]:
    """The blocks of a file. Raises FrameError where one is cut off or cannot be read."""
    _, at = _message(data, len(MAGIC), "FileHeader")
    while at < len(data):
        header, at = _message(data, at, "BlockHeader")
        end = at + int(header.payload_bytes)
        if end > len(data):
            yield Block(header, _messages(data[at:], header, is_cut=True))
            raise FrameError(
                f"the last block announces {header.payload_bytes:,} bytes and has {len(data) - at:,}"
            )
        yield Block(header, _messages(data[at:end], header))
        at = end


def _message(data: memoryview, at: int, name: str) -> tuple[Decoded, int]:
    body, end = _framed(data, at)
    try:
        return message_class(name).FromString(bytes(body)), end
    except DecodeError:
        raise FrameError(f"byte {at:,} does not hold a {name}") from None


def _framed(data: memoryview, at: int) -> tuple[memoryview, int]:
    if at + LENGTH_BYTES > len(data):
        raise FrameError("the file ends within a length")
    length = int.from_bytes(data[at : at + LENGTH_BYTES], "little")
    start = at + LENGTH_BYTES
    if length > len(data) - start:
        raise FrameError(f"a message announces {length:,} bytes and has {len(data) - start:,}")
    return data[start : start + length], start + length


def _messages(
    payload: memoryview, header: Decoded, *, is_cut: bool = False
) -> tuple[tuple[Part, memoryview], ...]:
    found: list[tuple[Part, memoryview]] = []
    at = 0
    for part, count in _announced(header):
        for _ in range(count):
            if is_cut or at < len(payload):
                try:
                    body, at = _framed(payload, at)
                except FrameError:
                    return tuple(found)
                found.append((part, body))
    return tuple(found)


def _announced(header: Decoded) -> tuple[tuple[Part, int], ...]:
    counts = (
        (Part.SOURCE, header.source_count),
        (Part.KERNEL, header.result_count),
        (Part.RANGE, header.range_count),
        (Part.COMMAND_LIST, header.command_list_count),
        (Part.GRAPH, header.graph_count),
    )
    return tuple((part, min(count, MOST_IN_BLOCK)) for part, count in counts)
