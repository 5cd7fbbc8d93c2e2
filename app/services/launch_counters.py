"""Counters of kept launches by concept, remembered: a ladder's page asks for those of every rung."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from weakref import WeakKeyDictionary

from app.domain.kernel_evidence import Counters
from app.domain.report import LaunchProfile
from app.ncu.counters import counters_of
from app.storage.store import Store

MOST_REMEMBERED = 500

# A launch never changes once it is kept, and its id is never used again.
_remembered: WeakKeyDictionary[Store, dict[int, Counters]] = WeakKeyDictionary()
_lock = Lock()


def launch_counters(store: Store, launch_id: int, profile: LaunchProfile) -> Counters:
    """The counters of a launch whose profile was read."""
    with _lock:
        known = _remembered.setdefault(store, {})
        found = known.get(launch_id)
    if found is None:
        found = counters_of(profile)
        with _lock:
            known[launch_id] = found
            while len(known) > MOST_REMEMBERED:
                known.pop(next(iter(known)))
    return found


def unread(store: Store, launch_ids: Sequence[int]) -> tuple[int, ...]:
    """Launches of which no counters are remembered: their profiles must be read."""
    with _lock:
        known = _remembered.get(store, {})
        return tuple(one for one in launch_ids if one not in known)
