"""The few fields of a `.ncu-rep` file's messages that are read, as a protobuf descriptor made here.

Field numbers were found by comparing reports of version 7 with the CSV of the same reports; whatever else a
message holds is unknown to the descriptor and passed over.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

PACKAGE = "roofladder.ncu"

Decoded: TypeAlias = Any  # a message made at run time: its fields have no static types

_SCALARS = {
    "string": FieldDescriptorProto.TYPE_STRING,
    "bytes": FieldDescriptorProto.TYPE_BYTES,
    "u32": FieldDescriptorProto.TYPE_UINT32,
    "u64": FieldDescriptorProto.TYPE_UINT64,
    "float": FieldDescriptorProto.TYPE_FLOAT,
    "double": FieldDescriptorProto.TYPE_DOUBLE,
}

# Message → its fields as "number name type"; a star repeats a field, a bar makes it one of the alternatives.
# Text is read as bytes: names in reports are not always UTF-8, and one of them must not cost the rest.
# Instances are messages too, millions of them: as bytes they cost nothing until somebody asks for them.
MESSAGES: dict[str, tuple[str, ...]] = {
    "FileHeader": ("1 version u32",),
    "BlockHeader": (
        *("1 source_count u32", "2 result_count u32", "3 session SessionDetails", "4 strings StringTable"),
        *("5 payload_bytes u64", "6 process Process", "7 range_count u32", "8 command_list_count u32"),
        "9 graph_count u32",
    ),
    "StringTable": ("1 strings *bytes",),
    "Process": ("1 process_id u32", "2 host_name bytes", "3 name bytes"),
    "SessionDetails": (
        *("1 process_id u32", "2 created_at u64", "3 host SystemInfo", "4 target SystemInfo"),
        *(
            "6 devices *DeviceAttributes",
            "8 versions *Version",
            "9 executable bytes",
            "11 command_line bytes",
        ),
    ),
    "SystemInfo": ("1 os bytes", "3 processor bytes", "5 computer_name bytes"),
    "DeviceAttributes": ("1 id u32", "2 name bytes", "3 attributes *Attribute"),
    "Attribute": ("1 name bytes", "2 value bytes"),
    "Version": ("1 provider bytes", "2 version bytes"),
    "Dim": ("1 x u32", "2 y u32", "3 z u32"),
    "Value": ("1 text |bytes", "2 float32 |float", "3 float64 |double", "4 whole32 |u32", "5 whole64 |u64"),
    "Instance": ("1 key Value", "2 value Value"),
    "Metric": ("1 name u32", "2 value Value", "3 instances *bytes"),
    "KernelResult": (
        *("5 mangled bytes", "6 function bytes", "7 demangled bytes", "10 grid Dim", "11 block Dim"),
        *("13 metrics *Metric", "14 created_at u64", "15 source u32", "19 rules *RuleResult"),
        *("22 context u64", "23 stream u64", "31 renamed bytes"),
    ),
    "RangeResult": ("4 metrics *Metric", "11 context u64", "20 rules *RuleResult"),
    "GraphResult": ("4 metrics *Metric", "22 rules *RuleResult"),
    "RuleResult": ("1 identifier bytes", "2 title bytes", "3 body RuleBody", "4 section bytes"),
    "RuleBody": ("1 items *RuleItem",),
    "RuleItem": ("1 message RuleMessage", "10 speedup Speedup"),
    "RuleMessage": ("1 text bytes", "2 type u32", "4 name bytes"),
    "Speedup": ("1 type u32", "2 value double"),
}

# The same results with their lists of instances decoded too: to write a result anew without what is unknown.
MESSAGES |= {
    f"Whole{name}": tuple(
        field.replace("*Metric", "*WholeMetric").replace("instances *bytes", "instances *Instance")
        for field in MESSAGES[name]
    )
    for name in ("Metric", "KernelResult", "RangeResult", "GraphResult")
}


def _field(message: DescriptorProto, text: str) -> None:
    number, name, kind = text.split()
    field = message.field.add(name=name, number=int(number), label=FieldDescriptorProto.LABEL_OPTIONAL)
    if kind.startswith("*"):
        field.label, kind = FieldDescriptorProto.LABEL_REPEATED, kind[1:]
    if kind.startswith("|"):
        if not message.oneof_decl:
            message.oneof_decl.add(name="kind")
        field.oneof_index, kind = 0, kind[1:]
    if kind in _SCALARS:
        field.type = _SCALARS[kind]
    else:
        field.type, field.type_name = FieldDescriptorProto.TYPE_MESSAGE, f".{PACKAGE}.{kind}"


def _pool() -> DescriptorPool:
    file = FileDescriptorProto(name="roofladder/ncu.proto", package=PACKAGE, syntax="proto2")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for text in fields:
            _field(message, text)
    pool = DescriptorPool()
    pool.Add(file)
    return pool


_POOL = _pool()


def message_class(name: str) -> type[Message]:
    """The class of one of MESSAGES."""
    return GetMessageClass(_POOL.FindMessageTypeByName(f"{PACKAGE}.{name}"))
