"""Writes `.ncu-rep` files for tests, by hand from the wire format: nothing is shared with the reader."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MAGIC = b"NVR\0"
UNKNOWN = 77  # a field that no reader knows


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field_number: int, value: int) -> bytes:
    return varint(field_number << 3) + varint(value)


def double(field_number: int, value: float) -> bytes:
    return varint(field_number << 3 | 1) + struct.pack("<d", value)


def single(field_number: int, value: float) -> bytes:
    return varint(field_number << 3 | 5) + struct.pack("<f", value)


def block_of(field_number: int, body: bytes | str) -> bytes:
    raw = body.encode() if isinstance(body, str) else body
    return varint(field_number << 3 | 2) + varint(len(raw)) + raw


def framed(body: bytes) -> bytes:
    return struct.pack("<I", len(body)) + body


def value(content: float | int | str) -> bytes:
    if isinstance(content, str):
        return block_of(1, content)
    if isinstance(content, float):
        return double(3, content)
    return number(4, content) if content < 2**32 else number(5, content)


def metric(name: int, content: float | int | str | None, instances: Mapping[int, int] | None = None) -> bytes:
    body = number(1, name) + (b"" if content is None else block_of(2, value(content)))
    for key, part in (instances or {}).items():
        body += block_of(3, block_of(1, value(key)) + block_of(2, value(part)))
    return body + block_of(UNKNOWN, b"?")


def dim(x: int, y: int, z: int) -> bytes:
    return number(1, x) + number(2, y) + number(3, z)


def rule(name: str, text: str, kind: int, speedup: float | None = None) -> bytes:
    item = block_of(1, block_of(1, text) + number(2, kind) + block_of(4, "message"))
    if speedup is not None:
        item += block_of(10, number(1, 2) + double(2, speedup))
    return block_of(1, name) + block_of(2, name) + block_of(3, block_of(1, item)) + block_of(4, "Section")


def kernel(name: str, metrics: Iterable[bytes], rules: Iterable[bytes] = ()) -> bytes:
    body = block_of(5, f"_Z{name}") + block_of(6, name.partition("(")[0]) + block_of(7, name)
    body += block_of(10, dim(64, 2, 1)) + block_of(11, dim(256, 1, 1)) + number(UNKNOWN, 5)
    body += b"".join(block_of(13, one) for one in metrics) + number(15, 0)
    return body + b"".join(block_of(19, one) for one in rules) + number(22, 1) + number(23, 7)


def ranged(metrics: Iterable[bytes]) -> bytes:
    return b"".join(block_of(4, one) for one in metrics) + number(11, 1)


@dataclass
class Block:
    strings: Iterable[str] = ()
    kernels: tuple[bytes, ...] = ()
    ranges: tuple[bytes, ...] = ()
    graphs: tuple[bytes, ...] = ()
    sources: tuple[bytes, ...] = ()
    session: bytes = b""
    process: bytes = b""
    further: bytes = field(default_factory=lambda: block_of(UNKNOWN, b"later versions say more"))

    def written(self) -> bytes:
        payload = b"".join(map(framed, (*self.sources, *self.kernels, *self.ranges, *self.graphs)))
        header = number(1, len(self.sources)) + number(2, len(self.kernels)) + number(5, len(payload))
        header += block_of(4, b"".join(block_of(1, text) for text in self.strings))
        header += block_of(3, self.session) if self.session else b""
        header += block_of(6, self.process) if self.process else b""
        header += number(7, len(self.ranges)) + number(9, len(self.graphs)) + self.further
        return framed(header) + payload


def report(*blocks: Block) -> bytes:
    return MAGIC + framed(number(1, 7)) + b"".join(block.written() for block in blocks)


def private_session(secret: str, host: str, path: str) -> bytes:
    """A session with everything that must not stay: environment, hosts, command line, paths."""
    system = block_of(1, "Linux") + block_of(3, "CPU") + block_of(5, host)
    device = number(1, 0) + block_of(2, "NVIDIA H200")
    device += block_of(3, block_of(1, "multiprocessor_count") + block_of(2, "132"))
    executable = block_of(1, path) + block_of(2, path) + block_of(4, f"TOKEN={secret}")
    return b"".join(
        (
            *(number(1, 42), number(2, 1_700_000_000), block_of(3, system), block_of(4, system)),
            *(block_of(6, device), block_of(8, block_of(1, "Nsight Compute") + block_of(2, "2025.3.1.0"))),
            *(block_of(9, executable), block_of(11, f"ncu --export {path} {secret}")),
        )
    )
