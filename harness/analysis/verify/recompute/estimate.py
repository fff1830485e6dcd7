"""A number as the evidence has it: one value, or the range that it must lie in."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    low: float
    high: float
    # By how much the two ways of measuring may differ beyond rounding, in the unit of the quantity. It is
    # above 0 only for a packet capture, because that sees the packets at another place.
    apart: float = 0.0

    def __post_init__(self):
        for field in ('low', 'high', 'apart'):
            # numpy's number types cannot be written as JSON
            object.__setattr__(self, field, float(getattr(self, field)))

    @staticmethod
    def exact(value):
        return None if value is None else Estimate(value, value)
