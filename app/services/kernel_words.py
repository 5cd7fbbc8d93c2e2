"""Kernel names as tools print them, brought to one form: a function, and the words in it."""

from __future__ import annotations

import re
from functools import lru_cache

_ANONYMOUS = ("(anonymous namespace)::", "<unnamed>::", "unnamed>::")
_MANGLED = re.compile(r"_ZN?K?")
_LENGTH = re.compile(r"\d+")
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+[a-z]?")
LONGEST_READ = 4000


def function_name(kernel: str) -> str:
    """The bare function: no return type, scope, template arguments or parameters; mangled names are read too.

    `void ns::k<float, C<1>>(const T1 *, int)` and `_ZN2ns1kIfEEvPKf` are `k`.
    """
    text = kernel[:LONGEST_READ].strip()
    if _MANGLED.match(text):
        return _demangled(text) or text
    for scope in _ANONYMOUS:
        text = text.replace(scope, "")
    bare = _outside_brackets(text).strip()
    words = bare.split()
    return words[-1].rsplit("::", 1)[-1] if words else text


@lru_cache(maxsize=4096)
def words_of(name: str) -> frozenset[str]:
    """Lower-case words of an identifier: `gemm_2d_RegisterTiling` is gemm, 2d, register, tiling."""
    return frozenset(word.lower() for word in _WORD.findall(name[:LONGEST_READ]))


def _outside_brackets(text: str) -> str:
    """What stands before the parameters and outside of template arguments."""
    depth, kept = 0, []
    for character in text:
        if character == "<":
            depth += 1
        elif character == ">" and depth:
            depth -= 1
        elif character == "(" and not depth:
            break
        elif not depth:
            kept.append(character)
    return "".join(kept)


def _demangled(text: str) -> str | None:
    """The last identifier of an Itanium-mangled name: lengths say where each ends."""
    start = _MANGLED.match(text)
    at = start.end() if start else 0
    found = None
    while (length := _LENGTH.match(text, at)) is not None and len(length.group()) < 5:
        end = length.end() + int(length.group())
        if end > len(text):
            return found
        found, at = text[length.end() : end], end
    return found
