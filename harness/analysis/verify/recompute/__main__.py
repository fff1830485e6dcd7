"""
The command: recompute RUN [--all] [--voice [--codec=FILE] [--scores=FILE]] [--json]. FILE of --codec has the voices as
the codec alone leaves them, and the scores are written into that of --scores.

Exit status: 0 all values are the same but for rounding, 1 the folder does not exist or is not that of a run,
2 numpy or scipy are missing (or this program has a fault), 4 a value differs.
"""

import json
import re
import sys
import traceback
from pathlib import Path

from .estimate import Estimate
from .folder import UNEXPECTED, FolderError, Run, shown

# Of conditions and comparisons, rows that agree are shown only where they match this: the table would be too
# long otherwise. Of the stalled time every row is shown, because its factor is the harm factor.
HEADLINE = re.compile(': (median|shift)(, low|, high)?$|: p$')

MEND = 'bring it with "npm run setup -- verify"'

DONE, USAGE, CANNOT, DIFFERS = 0, 1, 2, 4


def main(argv):
    path = next((word for word in argv if not word.startswith('--')), '')
    try:
        run = Run(path)
        # imported here because they need numpy and scipy: a wrong folder is reported without the two
        from . import conditions, conformance, pairs, rows, trials

        try:
            if run.is_pairs:
                table = pairs.trial_rows(run)
            else:
                table = [row for entry in run.entries for row in trials.rows_of(run, entry)]
                if run.is_conformance:
                    table += conformance.trial_rows(run)
            recomputed = {row.metric for row in table}
            table += _counted(run, rows.Row)
            if run.is_pairs:
                over = pairs.cell_rows(run)
            else:
                over = [
                    *conditions.condition_rows(run),
                    *conditions.comparison_rows(run),
                    *conditions.machine_rows(run),
                ]
            for row in table + over:
                row.require_form()
        except UNEXPECTED as error:
            # what a trial's own files have is caught where they are read
            told = f'{type(error).__name__}: {shown(str(error))}'
            hint = f'write it again: npm run report -- {path}'
            raise FolderError(f'{path}/summary.json is not that of this run: {told}', hint) from error
    except FolderError as error:
        sys.stderr.write(f'{error}\n  -> {error.hint}\n')
        return USAGE
    except ImportError as error:
        sys.stderr.write(f'Python has not what verify computes with: {error}\n  -> {MEND}\n')
        return CANNOT
    for row in over:
        is_shown = HEADLINE.search(row.place) is not None or row.metric == 'stall-time'
        row.headline = row.metric in recomputed and is_shown
    table += over
    voice = None
    if '--voice' in argv:
        if run.is_pairs or run.is_conformance:
            sys.stderr.write('the speech quality is scored in experiments only\n  -> leave out --voice\n')
            return USAGE
        from . import speech

        try:
            voice = speech.rows_of(run, _option(argv, 'codec'))
        except ImportError as error:
            sys.stderr.write(f'Python has not what scores a voice: {error}\n  -> {MEND}\n')
            return CANNOT
        scores = _option(argv, 'scores')
        if scores is not None:
            Path(scores).write_text(json.dumps({'voice': voice, 'scoredBy': speech.source()}), encoding='utf-8')
    differing = [row for row in table if row.differs]
    if '--json' in argv:
        told = [row.as_json() for row in table]
        scored = {} if voice is None else {'voice': voice, 'scoredBy': speech.source()}
        print(json.dumps({'rows': told, 'values': len(table), 'differing': len(differing), **scored}))
    else:
        has_value = [row for row in table if row.ours is not None or row.independent is not None]
        told = table if '--all' in argv else [row for row in has_value if row.headline or row.differs]
        print(rows.table(told))
        hidden = len(table) - len(told)
        print(
            f'\n{len(table)} values of {len(run.summed)} trials recomputed: '
            f'{len(differing)} differ by more than rounding'
            + (f' ({hidden} more that agree: --all)' if hidden > 0 else '')
        )
        if voice is not None:
            print(f'\n{speech.words_of(voice)}')
    return DIFFERS if differing else DONE


def _option(argv, name):
    """The value of --name=value; None without one."""
    return next((word.split('=', 1)[1] for word in argv if word.startswith(f'--{name}=')), None)


def _counted(run, row):
    """A trial that counts by its own record must be in the summary, and the other way round."""
    kept, summed = set(run.counted_names()), set(run.summed)
    one = Estimate.exact(1)
    missing = 'it counts, and the summary does not have it'
    surplus = 'the summary counts it, and by its record it does not count'
    return [
        *(row('trial', name, None, one, '', 'trial.json', note=missing) for name in sorted(kept - summed)),
        *(row('trial', name, 1, None, '', 'trial.json', note=surplus) for name in sorted(summed - kept)),
    ]


if __name__ == '__main__':
    # names of a run may have halves of characters
    sys.stdout.reconfigure(errors='backslashreplace')
    try:
        status = main(sys.argv[1:])
    except Exception:
        traceback.print_exc()
        status = CANNOT
    sys.exit(status)
