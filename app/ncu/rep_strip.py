"""A `.ncu-rep` file without anything private, small enough to keep beside the code.

The file is written anew from the fields that `rep_schema` knows: what it does not know is not copied. Of the
session only devices and tool versions stay; the program keeps its name without its path. Binaries and source
files are left out. In texts paths are cut to their last part and the session's host names are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from app.domain.errors import InvalidInputError
from app.ncu.rep_framing import LENGTH_BYTES, MAGIC, Block, FrameError, Part, blocks
from app.ncu.rep_schema import Decoded, message_class

HOST = b"host"
_PATH = re.compile(rb"(?:[A-Za-z]:)?(?:[\\/][^\s\\/:;,'\"<>()|]+)+[\\/]([^\s\\/:;,'\"<>()|]+)")
_RESULTS = {Part.KERNEL: "WholeKernelResult", Part.RANGE: "WholeRangeResult", Part.GRAPH: "WholeGraphResult"}
_RESULTS[Part.COMMAND_LIST] = "WholeRangeResult"
_TEXTS = ("text", "mangled", "function", "demangled", "renamed", "title")
_SHORTEST_HOST = 3


@dataclass(frozen=True)
class Stripped:
    """The new content, and what was left behind."""

    data: bytes
    launches: int
    sources: int
    before_bytes: int


def strip(data: bytes) -> Stripped:
    """The report without environment, hosts, command lines and paths.

    Raises InvalidInputError where the content is no report or is damaged: half a report is not passed on.
    """
    if not data.startswith(MAGIC):
        raise InvalidInputError("This is not a .ncu-rep file; nothing was written.")
    header_end = len(MAGIC) + LENGTH_BYTES + int.from_bytes(data[len(MAGIC) :][:LENGTH_BYTES], "little")
    parts, launches, sources = [_header(data[len(MAGIC) + LENGTH_BYTES : header_end])], 0, 0
    try:
        hosts: set[bytes] = set()
        for block in blocks(memoryview(data)):
            hosts |= _hosts(block.header)
            parts.append(_block(block, hosts))
            sources += block.header.source_count
            launches += sum(part is not Part.SOURCE for part, _ in block.messages)
    except (FrameError, DecodeError) as error:
        raise InvalidInputError(
            f"The report is damaged: {error}. Nothing was written; copy it again."
        ) from None
    return Stripped(MAGIC + b"".join(parts), launches, sources, len(data))


def _header(body: bytes) -> bytes:
    return _framed(message_class("FileHeader").FromString(body))


def _framed(message: Decoded) -> bytes:
    message.DiscardUnknownFields()
    body: bytes = message.SerializeToString()
    return len(body).to_bytes(LENGTH_BYTES, "little") + body


def _hosts(header: Decoded) -> set[bytes]:
    named = (header.process.host_name, header.session.host.computer_name, header.session.target.computer_name)
    return {name for name in named if len(name) >= _SHORTEST_HOST}


def _block(block: Block, hosts: Iterable[bytes]) -> bytes:
    payload = b"".join(
        _framed(_cleaned(message_class(_RESULTS[part]).FromString(bytes(body)), hosts))
        for part, body in block.messages
        if part is not Part.SOURCE
    )
    header = message_class("BlockHeader")()
    _keep_public(block.header, header, hosts)
    header.payload_bytes = len(payload)  # type: ignore[attr-defined]
    return _framed(header) + payload


def _keep_public(old: Decoded, new: Decoded, hosts: Iterable[bytes]) -> None:
    for count in ("result_count", "range_count", "command_list_count", "graph_count"):
        if old.HasField(count):
            setattr(new, count, getattr(old, count))
    new.strings.strings.extend(_clean(name, hosts) for name in old.strings.strings)
    new.session.devices.extend(old.session.devices)
    new.session.versions.extend(old.session.versions)
    if old.HasField("process"):
        new.process.process_id = old.process.process_id
        new.process.name = re.split(rb"[\\/]", old.process.name)[-1]


def _cleaned(result: Decoded, hosts: Iterable[bytes]) -> Decoded:
    """The result with its texts cleaned; where its binary was is not told any more."""
    if "source" in result.DESCRIPTOR.fields_by_name:
        result.ClearField("source")
    for name in _TEXTS:
        if name in result.DESCRIPTOR.fields_by_name and result.HasField(name):
            setattr(result, name, _clean(getattr(result, name), hosts))
    for metric in result.metrics:
        if metric.value.WhichOneof("kind") == "text":
            metric.value.text = _clean(metric.value.text, hosts)
    for rule in result.rules:
        for item in rule.body.items:
            item.message.text = _clean(item.message.text, hosts)
    return result


def _clean(text: bytes, hosts: Iterable[bytes]) -> bytes:
    cleaned = _PATH.sub(rb"\1", text)
    for host in hosts:
        cleaned = cleaned.replace(host, HOST)
    return cleaned
