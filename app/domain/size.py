"""The size of a problem: named whole numbers in the problem's own order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Size:
    """Size parameters such as m, n, k, in the problem's order; hashable, usable as a key."""

    values: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, **values: int) -> Size:
        """Make a size from keyword arguments, keeping their order."""
        return cls(tuple(values.items()))

    @classmethod
    def parse(cls, key: str) -> Size:
        """Read what `key` wrote. Raises ValueError on anything else."""
        pairs = [part.split("=") for part in key.split(",")]
        return cls(tuple((name, int(value)) for name, value in pairs))

    @property
    def key(self) -> str:
        """Stable text form, `m=1024,n=1024,k=1024`."""
        return ",".join(f"{name}={value}" for name, value in self.values)

    def as_dict(self) -> dict[str, int]:
        """The parameters by name."""
        return dict(self.values)

    def __getitem__(self, name: str) -> int:
        return dict(self.values)[name]
