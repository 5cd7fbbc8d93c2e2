"""Name, annotate, tag and delete a run."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from app.domain.errors import InvalidInputError, TooLargeError
from app.domain.run import RunSummary
from app.storage.store import Store

MAX_LABEL = 200
MAX_NOTE = 10_000
MAX_TAGS = 20
MAX_TAG = 40
# They turn the order of what is read, also of the text around them (Unicode TR 9, explicit formatting).
TURNING_CHARACTERS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def edit_run(
    store: Store,
    run_id: int,
    *,
    label: str | None = None,
    note: str | None = None,
    tags: Sequence[str] | None = None,
) -> RunSummary:
    """Change what is not None. Raises TooLargeError or InvalidInputError naming the field; NotFoundError."""
    return store.edit_run(
        run_id,
        label=None if label is None else checked_text(label, "label", MAX_LABEL),
        note=None if note is None else checked_text(note, "note", MAX_NOTE, multiline=True),
        tags=None if tags is None else checked_tags(tags),
    )


def delete_run(store: Store, run_id: int) -> None:
    """Forget a run with all of its measurements. Raises ConflictError while its job is not final."""
    store.delete_run(run_id)


def checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags without surrounding space, each once. Raises TooLargeError or InvalidInputError."""
    if len(tags) > MAX_TAGS:
        raise TooLargeError(
            f"{len(tags)} tags are over the limit of {MAX_TAGS}; nothing was stored.", field="tags"
        )
    cleaned = [checked_text(tag, f"tags[{i}]", MAX_TAG) for i, tag in enumerate(tags)]
    for i, tag in enumerate(cleaned):
        if not tag:
            raise InvalidInputError(
                f"tags[{i}] is empty; nothing was stored. Leave it out.", field=f"tags[{i}]"
            )
    return tuple(dict.fromkeys(cleaned))


def printable(text: str) -> str:
    """`text` with a replacement character for each that `checked_text` refuses in several lines."""
    return "".join("\ufffd" if _controls(c, multiline=True) else c for c in text)


def _controls(character: str, multiline: bool) -> bool:
    if multiline and character in "\n\r\t":
        return False
    return unicodedata.category(character) in ("Cc", "Cs") or character in TURNING_CHARACTERS


def checked_text(text: str, field: str, most: int, *, multiline: bool = False) -> str:
    """`text` without surrounding space. Raises TooLargeError over `most` characters.

    Raises InvalidInputError for control characters and for those that turn the direction of writing; line
    breaks and tabs pass where `multiline`.
    """
    if len(text) > most:
        raise TooLargeError(
            f"{field} has {len(text)} characters, over the limit of {most}; nothing was stored. Shorten it.",
            field=field,
        )
    for character in text:
        if _controls(character, multiline):
            raise InvalidInputError(
                f"{field} has the control character U+{ord(character):04X}; nothing was stored. Remove it.",
                field=field,
            )
    return text.strip()
