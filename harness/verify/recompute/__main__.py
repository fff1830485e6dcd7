"""
The command: recompute RUN [--all] [--json].

Exit status: 0 all the same but for rounding, 1 no such folder or none of a run, 2 numpy or scipy are not there (or a fault of this program),
3 something differs.
"""
import json
import re
import sys
import traceback

from .estimate import Estimate
from .folder import FolderError, Run

# Of a condition and a comparison, what is shown where it agrees; of the stalled time, whose factor is the harm factor, all.
HEADLINE = re.compile(': (median|shift)(, low|, high)?$|: p$')

DONE, USAGE, CANNOT, DIFFERS = 0, 1, 2, 3


def main(argv):
    path = next((word for word in argv if not word.startswith('--')), '')
    try:
        run = Run(path)
        from . import conditions, pairs, rows, trials  # they need numpy and scipy; to tell that a folder is none takes neither
        table = pairs.trial_rows(run) if run.is_pairs else [row for entry in run.entries for row in trials.rows_of(run, entry)]
        recomputed = {row.metric for row in table}
        table += _counted(run, rows.Row)
        over = pairs.cell_rows(run) if run.is_pairs else [*conditions.condition_rows(run), *conditions.comparison_rows(run), *conditions.machine_rows(run)]
    except FolderError as error:
        sys.stderr.write(f'{error}\n  -> {error.hint}\n')
        return USAGE
    except ImportError as error:
        sys.stderr.write(f'Python has not what verify computes with: {error}\n  -> bring it with "npm run setup -- verify"\n')
        return CANNOT
    for row in over:
        row.headline = row.metric in recomputed and (HEADLINE.search(row.place) is not None or row.metric == 'stall-time')
    table += over
    differing = [row for row in table if row.differs]
    if '--json' in argv:
        print(json.dumps({'rows': [row.as_json() for row in table], 'values': len(table), 'differing': len(differing)}))
    else:
        has_value = [row for row in table if row.ours is not None or row.independent is not None]
        told = [row for row in (table if '--all' in argv else has_value) if row.headline or row.differs or '--all' in argv]
        print(rows.table(told))
        hidden = len(table) - len(told)
        print(f'\n{len(table)} values of {len(run.summed)} trials recomputed: {len(differing)} differ by more than rounding'
              + (f' ({hidden} more that agree: --all)' if hidden > 0 else ''))
    return DIFFERS if differing else DONE


def _counted(run, row):
    """A trial that counts by its own record must be in the summary, and the other way round."""
    kept, summed = set(run.counted_names()), set(run.summed)
    one = Estimate.exact(1)
    left_out = [row('trial', name, None, one, '', 'trial.json', note='it counts, and the summary does not have it') for name in sorted(kept - summed)]
    put_in = [row('trial', name, 1, None, '', 'trial.json', note='the summary counts it, and by its record it does not count') for name in sorted(summed - kept)]
    return [*left_out, *put_in]


if __name__ == '__main__':
    try:
        status = main(sys.argv[1:])
    except Exception:
        traceback.print_exc()
        status = CANNOT
    sys.exit(status)
