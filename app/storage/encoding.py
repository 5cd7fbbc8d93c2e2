"""Domain values as JSON text and packed numbers, and back, without losing a bit."""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Sequence
from typing import Generic, TypeVar

import numpy as np
from pydantic import TypeAdapter

from app.domain.device import Device, Environment, WorkerSnapshot
from app.domain.duel import DuelPair
from app.domain.measurement import CompilerReport, Correctness, Recipe, Roof
from app.domain.run import Selection

T = TypeVar("T")


class Codec(Generic[T]):
    """JSON text of one domain type; the same value always gives the same text."""

    def __init__(self, kind: type[T]) -> None:
        self._adapter: TypeAdapter[T] = TypeAdapter(kind)

    def dump(self, value: T) -> str:
        """Text with sorted keys. NaN and infinities are kept, as Python's `json` writes them."""
        return json.dumps(
            self._adapter.dump_python(value, mode="json"), sort_keys=True, separators=(",", ":")
        )

    def load(self, text: str) -> T:
        """The value back; raises ValueError where the text does not fit the type."""
        return self._adapter.validate_json(text)


DEVICE = Codec(Device)
ENVIRONMENT = Codec(Environment)
SELECTION = Codec(Selection)
WORKER = Codec(WorkerSnapshot)
RECIPE = Codec(Recipe)
COMPILER_REPORT = Codec(CompilerReport)
CORRECTNESS = Codec(Correctness)
ROOF = Codec(Roof)
DUEL_PAIRS = Codec(tuple[DuelPair, ...])
TEXTS = Codec(tuple[str, ...])
FACTS = Codec(dict[str, str])
EVENT_DATA = Codec(dict[str, object])


def content_sha256(text: str) -> str:
    """The address of a text: hex SHA-256 of its UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def pack_floats(values: Sequence[float | None]) -> bytes:
    """Little-endian 64-bit floats, deflated. None is written as NaN."""
    numbers = np.array([math.nan if v is None else v for v in values], dtype="<f8")
    return zlib.compress(numbers.tobytes())


def unpack_floats(blob: bytes) -> tuple[float, ...]:
    """The numbers that `pack_floats` was given, bit for bit."""
    return tuple(np.frombuffer(zlib.decompress(blob), dtype="<f8").tolist())


def unpack_optional_floats(blob: bytes) -> tuple[float | None, ...]:
    """As `unpack_floats`, with NaN read as None."""
    return tuple(None if math.isnan(v) else v for v in unpack_floats(blob))
