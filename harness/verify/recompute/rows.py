"""The table of differences: what the summary says, what comes out here, and whether they are the same but for rounding."""
from dataclasses import asdict, dataclass
from typing import Optional

# Unix times in ms are whole multiples of 2^-12 in a double: sums of some thousand of them are off by no more, in ms and in s.
TIME_ROUNDING = {'ms': 2e-3, 's': 1e-5}
RELATIVE_ROUNDING = 1e-7


@dataclass
class Row:
    metric: str
    # Trial or condition, and what of it.
    place: str
    ours: Optional[float]
    independent: Optional[object]  # an Estimate
    unit: str
    # What it was recomputed from.
    source: str
    # Belongs to the metrics that are recomputed from raw series: shown even where it agrees.
    headline: bool = True
    note: str = ''

    @property
    def rounding(self):
        size = max((abs(value) for value in (self.ours, self.independent.low, self.independent.high)), default=0)
        return RELATIVE_ROUNDING * size + TIME_ROUNDING.get(self.unit, 1e-12)

    @property
    def difference(self):
        """Distance of ours from the range, signed: ours minus the nearest that the evidence allows. None where one of the two has no value."""
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
        row = {key: value for key, value in asdict(self).items() if key not in ('independent', 'headline')}
        estimate = self.independent
        return row | {'low': estimate and estimate.low, 'high': estimate and estimate.high, 'apart': estimate and estimate.apart, 'difference': self.difference, 'differs': self.differs}


def number(value):
    if value is None:
        return '-'
    return f'{value:.0f}' if float(value).is_integer() and abs(value) < 1e15 else f'{value:.7g}'


def _cells(row):
    estimate = row.independent
    told = '-' if estimate is None else number(estimate.low) if estimate.low == estimate.high else f'{number(estimate.low)} to {number(estimate.high)}'
    difference = '-' if row.difference is None else '0' if abs(row.difference) <= row.rounding else number(row.difference)
    if estimate is not None and estimate.apart > 0:
        difference += f' (may be {number(estimate.apart)})'
    return [row.metric, row.place, number(row.ours), told, difference, row.unit or '-', row.source, 'DIFFERS' + (f': {row.note}' if row.note else '') if row.differs else '']


def table(rows):
    cells = [['metric', 'trial or condition', 'ours', 'independent', 'difference', 'unit', 'from', '']] + [_cells(row) for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    return '\n'.join('  '.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells)
