"""SI values to text for people: the only place that makes ms, TFLOP/s and %.

Everything takes SI units and fractions, gives "–" for None, a true minus sign, and a narrow no-break
space before each unit. A column shares one `Scale`, so that its numbers compare at a glance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

MISSING = "–"
NNBSP = "\u202f"
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_DECIMAL_PREFIXES = (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0))
_DURATION_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
_BINARY_UNITS = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("B", 1))
_MOST_DECIMALS = 6
_DTYPE_TITLES = {"float32": "FP32", "float16": "FP16", "bfloat16": "BF16"}
_ROOF_TITLES = {
    "dram": "DRAM",
    "blas": "BLAS",
    "tensor_fp16_fp32acc": "FP16 tensor",
    "tensor_bf16_fp32acc": "BF16 tensor",
    "tensor_tf32_fp32acc": "TF32 tensor",
    "tensor_fp8_fp32acc": "FP8 tensor",
}


@dataclass(frozen=True)
class Scale:
    """A unit and how many SI units one of it holds."""

    unit: str
    factor: float

    def number(self, value: float | None, digits: int = 3, half_width: float | None = None) -> str:
        """`value` (SI) in this unit, no unit; `half_width` (SI) limits the digits to a tenth of it."""
        if value is None:
            return MISSING
        return significant(
            value / self.factor, digits, None if half_width is None else half_width / self.factor
        )

    def text(self, value: float | None, digits: int = 3) -> str:
        """`value` (SI) in this unit, with the unit."""
        return with_unit(self.number(value, digits), self.unit)


def with_unit(number: str, unit: str) -> str:
    """Put a unit after a number, unless the number is missing."""
    return number if number == MISSING or not unit else f"{number}{NNBSP}{unit}"


def significant(value: float | None, digits: int = 3, half_width: float | None = None) -> str:
    """`value` to so many significant digits, never more than a tenth of `half_width` supports."""
    if value is None:
        return MISSING
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "−∞" if value < 0 else "∞"
    if value == 0:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    if half_width:
        decimals = min(decimals, math.floor(-math.log10(half_width / 10) + 1e-9))
    decimals = min(decimals, _MOST_DECIMALS)
    rounded = round(value, decimals)
    if rounded and math.floor(math.log10(abs(rounded))) > math.floor(math.log10(abs(value))):
        decimals -= 1  # 9.999 rounds up to 10.0, which has one more digit before the point
    return fixed(rounded, max(decimals, 0))


def plain(value: float | None) -> str:
    """A computed value, 3 digits, without zeros that say nothing: "0.25", "32"."""
    text = significant(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def fixed(value: float | None, decimals: int) -> str:
    """`value` with so many decimals and a true minus sign."""
    if value is None:
        return MISSING
    text = f"{value:.{decimals}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("-")


def rate_scale(values: Iterable[float | None], unit: str = "FLOP/s") -> Scale:
    """The unit of a column of rates: the largest prefix with which the largest value is at least 1."""
    return _prefixed(_largest(values), unit)


def duration_scale(values: Iterable[float | None]) -> Scale:
    """The unit of a column of durations in seconds."""
    largest = _largest(values)
    name, factor = next((u for u in _DURATION_UNITS if largest >= u[1]), _DURATION_UNITS[-1])
    return Scale(name, factor)


def rate(flop_per_s: float | None) -> str:
    """ "25.6 TFLOP/s"."""
    return rate_scale([flop_per_s]).text(flop_per_s)


def rate_short(flop_per_s: float | None) -> str:
    """ "25.6 T", in a column headed FLOP/s whose rows differ by orders of magnitude."""
    return rate_scale([flop_per_s], "").text(flop_per_s)


def bandwidth(bytes_per_s: float | None) -> str:
    """ "4.26 TB/s"."""
    return rate_scale([bytes_per_s], "B/s").text(bytes_per_s)


def duration(seconds: float | None) -> str:
    """A measured time, 4 digits: "5.365 ms"."""
    return duration_scale([seconds]).text(seconds, 4)


def about_seconds(seconds: float | None) -> str:
    """A time for people: "0.8 s", "74 s", "2 min 5 s", "1 h 3 min"."""
    if seconds is None:
        return MISSING
    if seconds < 10:
        return f"{fixed(seconds, 1)}{NNBSP}s"
    whole = round(seconds)
    if whole < 120:
        return f"{whole}{NNBSP}s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}{NNBSP}min" + (f" {rest}{NNBSP}s" if rest else "")
    hours, minutes = divmod(minutes, 60)
    return f"{hours}{NNBSP}h" + (f" {minutes}{NNBSP}min" if minutes else "")


def percent_number(fraction: float | None) -> str:
    """A fraction in percent without the sign: one decimal, two below 1 %."""
    if fraction is None:
        return MISSING
    value = fraction * 100
    return fixed(value, 2 if abs(value) < 0.995 and value else 1)


def percent(fraction: float | None) -> str:
    """ "54.3 %"."""
    return with_unit(percent_number(fraction), "%")


def percent_whole(fraction: float | None) -> str:
    """Progress: "62 %"."""
    return MISSING if fraction is None else f"{math.floor(fraction * 100 + 1e-9)}{NNBSP}%"


def percent_change(fraction: float | None) -> str:
    """A change, always with its sign: "+3.1 %"."""
    text = percent(fraction)
    return f"+{text}" if fraction is not None and fraction > 0 else text


def plus_minus(fraction: float | None) -> str:
    """Half width of an interval: "±0.02 %"."""
    return MISSING if fraction is None else f"±{percent(fraction)}"


def factor_number(factor: float | None) -> str:
    """A factor without its sign, 3 digits: "1.35", "73"."""
    if factor is None:
        return MISSING
    return fixed(factor, 0) if factor >= 20 else significant(factor, 3)


def factor(value: float | None) -> str:
    """ "×1.35"."""
    return MISSING if value is None else f"×{factor_number(value)}"


def times(value: float | None) -> str:
    """ "73×"."""
    return MISSING if value is None else f"{factor_number(value)}×"


def count(value: float | None) -> str:
    """A count: whole below 10 000, else 4 digits with an SI prefix ("922.7 M")."""
    if value is None:
        return MISSING
    if abs(value) < 10_000:
        return significant(value, 4) if value % 1 else f"{value:.0f}".replace("-", "−")
    scale = _prefixed(abs(value), "")
    return with_unit(significant(value / scale.factor, 4), scale.unit)


def grouped(value: int) -> str:
    """A whole number with its thousands apart: "2,238"."""
    return f"{value:,}".replace("-", "−")


def clock(hertz: float | None) -> str:
    """ "1.98 GHz"."""
    scale = Scale("GHz", 1e9) if hertz is None or hertz >= 1e9 else Scale("MHz", 1e6)
    return scale.text(hertz)


def power(watts: float | None) -> str:
    """ "655 W"."""
    return with_unit(fixed(watts, 0), "W")


def small_error(value: float | None) -> str:
    """A relative error: "2.1 × 10⁻⁶"; plain from 0.01 up."""
    if value is None:
        return MISSING
    if value == 0:
        return "0"
    if not math.isfinite(value) or abs(value) >= 0.01:
        return significant(value, 2)
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPTS)}".replace("-", "−")


def bytes_moved(value: float | None) -> str:
    """Traffic and file sizes, decimal: "411.7 MB"."""
    if value is None:
        return MISSING
    scale = _prefixed(abs(value), "B")
    return (
        scale.text(value, 3 if scale.unit == "B" else 4)
        if value % 1 or value >= 1000
        else f"{value:.0f}{NNBSP}B"
    )


def counter_value(value: float | None, unit: str) -> str:
    """A counter by its unit: "1.235 ms" for ns, "2.5 GB" for byte, "73.3 %"; other units as they are."""
    if value is None:
        return MISSING
    if unit in _BY_UNIT:
        return _BY_UNIT[unit](value)
    return with_unit(count(value), "" if unit == "1" else unit)


def instruction_mix(mix: Sequence[tuple[str, int]]) -> str:
    """Kinds of instructions by count: "512 FFMA, 24 LDS, 4 BRA"."""
    return ", ".join(f"{count}{NNBSP}{kind}" for kind, count in mix)


def capacity(value: int | None) -> str:
    """Sizes of memories, in powers of two: "60 MiB"."""
    if value is None:
        return MISSING
    unit, size = next((u for u in _BINARY_UNITS if value >= u[1]), _BINARY_UNITS[-1])
    exact = value / size
    return with_unit(f"{exact:.0f}" if exact % 1 == 0 else significant(exact, 3), unit)


def timestamp(at: datetime | None) -> str:
    """ "30 Nov 2026 20:41 UTC"."""
    if at is None:
        return MISSING
    utc = at.astimezone(UTC)
    return f"{utc.day} {utc:%b %Y %H:%M} UTC"


def clock_time(at: datetime) -> str:
    """ "20:52:07", for log lines."""
    return f"{at.astimezone(UTC):%H:%M:%S}"


def day(at: datetime | None) -> str:
    """ "30 Nov 2026"."""
    return MISSING if at is None else f"{at.astimezone(UTC).day} {at.astimezone(UTC):%b %Y}"


def age(at: datetime | None, now: datetime) -> str:
    """ "12 s ago" below a day, the time stamp after."""
    if at is None:
        return "never"
    seconds = max((now - at).total_seconds(), 0)
    if seconds < 60:
        return f"{seconds:.0f}{NNBSP}s ago"
    if seconds < 3600:
        return f"{seconds // 60:.0f}{NNBSP}min ago"
    return f"{seconds // 3600:.0f}{NNBSP}h ago" if seconds < 86_400 else timestamp(at)


def short_hash(digest: str | None) -> str:
    """The first 7 characters."""
    return digest[:7] if digest else MISSING


def shortened(name: str, longest: int = 32) -> str:
    """A long name with its middle left out."""
    if len(name) <= longest:
        return name
    head = (longest - 1) * 2 // 3
    return f"{name[:head]}…{name[len(name) - (longest - 1 - head) :]}"


def cut(sentence: str, longest: int) -> str:
    """A sentence with its end left out."""
    return sentence if len(sentence) <= longest else f"{sentence[: max(longest - 1, 0)].rstrip()}…"


def dtype_title(dtype: str) -> str:
    """ "FP32" for float32."""
    return _DTYPE_TITLES.get(dtype, dtype)


def roof_title(name: str) -> str:
    """ "FP32" for fp32, "DRAM" for dram."""
    return _ROOF_TITLES.get(name, name.upper().replace("_", " "))


def backend_title(backend: str) -> str:
    """ "CUDA" for cuda."""
    return backend.upper()


def ordinal(place: int) -> str:
    """ "3rd"."""
    last = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{last}"


def dimensions(values: Iterable[int] | None) -> str:
    """A grid or block: "128 × 128 × 1"."""
    return MISSING if values is None else " × ".join(str(v) for v in values)


def _largest(values: Iterable[float | None]) -> float:
    return max((abs(v) for v in values if v is not None and math.isfinite(v)), default=0.0)


def _prefixed(largest: float, unit: str) -> Scale:
    prefix, size = next((p for p in _DECIMAL_PREFIXES if largest >= p[1]), _DECIMAL_PREFIXES[-1])
    return Scale(f"{prefix}{unit}", size)


_BY_UNIT: Mapping[str, Callable[[float], str]] = {
    "ns": lambda value: duration(value / 1e9),
    "s": duration,
    "byte": bytes_moved,
    "byte/s": bandwidth,
    "flop": lambda value: with_unit(count(value), "FLOP"),
    "flop/s": rate,
    "hz": clock,
    "%": lambda value: percent(value / 100),
    "fraction": percent,
}
