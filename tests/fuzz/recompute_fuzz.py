"""
Recomputes a run folder again and again, each time with one file damaged: recompute_fuzz RUN SEED RUNS SECONDS.

The program ends with a status of its own, rows whose numbers are numbers, and at most a line and its mend. It prints
how many runs had which status, or the damage that something else came of.
"""

import contextlib
import io
import json
import random
import resource
import signal
import sys
import traceback
from pathlib import Path

from recompute.__main__ import main

ODD = [
    None,
    True,
    0,
    -1,
    0.1,
    1e308,
    2**53,
    10**400,
    '',
    'x',
    '../..',
    'a\0b',
    '\ud800',
    [],
    {},
    [[]],
    [None],
    {'id': 5},
    'x' * 5000,
    'a\nb',
]
# as a program would need them: the summary's own lists and a few hundred MB for numpy
MOST_BYTES = 4 << 30


def holders(value, found):
    """Every list and object in a value."""
    if isinstance(value, (list, dict)) and len(value) > 0:
        found.append(value)
        for one in value if isinstance(value, list) else value.values():
            holders(one, found)
    return found


def changed(value, rand):
    """The value with something else somewhere."""
    holder = rand.choice(holders(value, [value] if isinstance(value, (list, dict)) else [[value]]))
    if len(holder) == 0:
        return value
    key = rand.randrange(len(holder)) if isinstance(holder, list) else rand.choice(list(holder))
    kind = rand.randrange(4)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder[key], (int, float)):
        holder[key] = rand.choice([-holder[key], holder[key] + 1, holder[key] * 1e6, holder[key] * 1e-6])
    else:
        holder[key] = rand.choice(ODD)
    return value


def damaged_bytes(data, rand):
    data = bytearray(data)
    for _ in range(rand.randint(1, 4)):
        at = rand.randrange(len(data) + 1)
        kind = rand.randrange(5)
        if kind == 0:
            del data[at:]
        elif kind == 1:
            del data[at : at + rand.randint(1, 8)]
        elif kind == 2:
            data[at:at] = rand.choice([b'[' * 5000, b'NaN', b'1e999', b'\xff', b'\0', b'\n', b'9' * 5000])
        elif at < len(data):
            data[at] = rand.choice([0, 1, 0x7F, 0x80, 0xFF, data[at] ^ 1 << rand.randrange(8)])
    return bytes(data)


def damaged(path, data, rand):
    if path.suffix == '.pcap' or rand.random() < 0.25:
        return damaged_bytes(data, rand)
    if path.suffix == '.json':
        return json.dumps(changed(json.loads(data), rand)).encode()
    lines = data.decode().splitlines()
    for _ in range(rand.randint(1, 3)):
        at = rand.randrange(len(lines)) if lines else 0
        if lines:
            lines[at] = json.dumps(changed(json.loads(lines[at]), rand))
        if rand.random() < 0.3:
            lines.insert(at, json.dumps(rand.choice(ODD)))
    return '\n'.join([*lines, '']).encode()


def no_number(word):
    raise AssertionError(f'it printed {word}')


def check(folder, words):
    """The status of the program, where it kept what it promises."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([str(folder), *words])
    assert status in (0, 1, 4), f'status {status}: {err.getvalue()}'
    if status == 1:
        lines = err.getvalue().splitlines()
        assert len(lines) == 2 and lines[1].startswith('  -> ') and len(lines[0]) < 1000, err.getvalue()
    elif '--json' in words:
        told = json.loads(out.getvalue(), parse_constant=no_number)
        differing = [row for row in told['rows'] if row['differs']]
        assert len(differing) == told['differing'] and (status == 4) == (len(differing) > 0)
        for row in differing:
            assert '\n' not in row['note'] and len(row['note']) < 1000, row
    else:
        assert 'values of' in out.getvalue()
    return status


def too_long(*_):
    raise AssertionError('it takes too long')


def fuzz(folder, seed, runs, seconds):
    rand = random.Random(seed)
    files = sorted(path for path in folder.rglob('*') if path.is_file() and path.stat().st_size > 0)
    at_top = [path for path in files if path.parent == folder]
    of_trials = [path for path in files if path.name == 'trial.json' or path.suffix == '.pcap']
    seen = {0: 0, 1: 0, 4: 0}
    for number in range(runs):
        path = rand.choice(rand.choice([files, at_top, of_trials]))
        honest = path.read_bytes()
        bad = damaged(path, honest, rand)
        path.write_bytes(bad)
        signal.alarm(seconds)
        try:
            seen[check(folder, ['--json'] if number % 3 else ['--all'])] += 1
        except BaseException:
            traceback.print_exc()
            kept = folder.with_name(f'{folder.name}-{path.name}')
            kept.write_bytes(bad)
            sys.stderr.write(f'run {number} of seed {seed}: {path.relative_to(folder)}, kept as {kept}\n')
            return 1
        finally:
            signal.alarm(0)
            path.write_bytes(honest)
    print(json.dumps({'runs': runs, 'same': seen[0], 'refused': seen[1], 'differing': seen[4]}))
    return 0


if __name__ == '__main__':
    signal.signal(signal.SIGALRM, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    sys.exit(fuzz(Path(sys.argv[1]), *map(int, sys.argv[2:5])))
