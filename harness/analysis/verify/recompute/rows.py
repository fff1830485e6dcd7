"""
The table of differences: the value of the summary, the value recomputed here, and whether the two are the
same but for rounding.
"""

import math
from dataclasses import dataclass

# A double holds Unix times in ms as whole multiples of 2^-12: sums of some thousands of them are wrong by no
# more than this, in ms and in s.
TIME_ROUNDING = {'ms': 2e-3, 's': 1e-5}
RELATIVE_ROUNDING = 1e-7


@dataclass
class Row:
    metric: str
    # Trial or condition, and which of its values.
    place: str
    ours: float | None
    independent: object | None  # an Estimate
    unit: str
    # The file or the trials that it was recomputed from.
    source: str
    # It belongs to the metrics that are recomputed from raw series: the row is shown even where it agrees.
    headline: bool = True
    note: str = ''

    def require_form(self):
        """Throws TypeError or OverflowError where the summary has no number for the value, or no text for its unit."""
        if not isinstance(self.unit, str):
            raise TypeError(f'the unit of {self.metric} is no text')
        if self.ours is not None:
            if isinstance(self.ours, bool) or not isinstance(self.ours, (int, float)):
                raise TypeError(f'{self.metric} of {self.place} is no number')
            self.ours = float(self.ours)

    @property
    def rounding(self):
        values = self.ours, self.independent.low, self.independent.high
        size = max((abs(value) for value in values), default=0)
        return RELATIVE_ROUNDING * size + TIME_ROUNDING.get(self.unit, 1e-12)

    @property
    def difference(self):
        """
        Signed distance of ours from the range: ours minus the nearest value in the range. None where one of
        the two has no value.
        """
        if self.ours is None or self.independent is None:
            return None
        return self.ours - min(max(self.ours, self.independent.low), self.independent.high)

    @property
    def differs(self):
        if self.ours is None and self.independent is None:
            return False
        if self.difference is None:
            return True
        return bool(not abs(self.difference) <= self.rounding + self.independent.apart)

    def as_json(self):
        row = {key: value for key, value in vars(self).items() if key not in ('independent', 'headline')}
        estimate = self.independent
        return row | {
            'ours': _finite(self.ours),
            'low': estimate and _finite(estimate.low),
            'high': estimate and _finite(estimate.high),
            'apart': estimate and _finite(estimate.apart),
            'difference': _finite(self.difference),
            'differs': self.differs,
        }


def _finite(value):
    """None for what JSON has no number for."""
    return value if value is not None and math.isfinite(value) else None


def number(value):
    if value is None:
        return '-'
    return f'{value:.0f}' if float(value).is_integer() and abs(value) < 1e15 else f'{value:.7g}'


def _range(estimate):
    if estimate is None:
        return '-'
    low, high = number(estimate.low), number(estimate.high)
    return low if estimate.low == estimate.high else f'{low} to {high}'


def _difference(row):
    if row.difference is None:
        return '-'
    return '0' if abs(row.difference) <= row.rounding else number(row.difference)


def _verdict(row):
    if not row.differs:
        return ''
    return f'DIFFERS: {row.note}' if row.note else 'DIFFERS'


def _cells(row):
    estimate, difference = row.independent, _difference(row)
    if estimate is not None and estimate.apart > 0:
        difference += f' (may be {number(estimate.apart)})'
    return [
        row.metric,
        row.place,
        number(row.ours),
        _range(estimate),
        difference,
        row.unit or '-',
        row.source,
        _verdict(row),
    ]


def table(rows):
    heads = ['metric', 'trial or condition', 'ours', 'independent', 'difference', 'unit', 'from', '']
    cells = [heads, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    lines = ('  '.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells)
    return '\n'.join(lines)
