"""A number as the evidence has it: one value, or the range that it must lie in."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    low: float
    high: float
    # What the two ways of measuring may differ by beyond rounding, in the quantity's own unit: only of a packet capture, which sees another place.
    apart: float = 0.0

    def __post_init__(self):
        for field in ('low', 'high', 'apart'):
            object.__setattr__(self, field, float(getattr(self, field)))  # numpy's own numbers are none of JSON

    @staticmethod
    def exact(value):
        return None if value is None else Estimate(value, value)
