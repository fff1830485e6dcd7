"""
The rows of a pairwise study: for each side of each trial that counts the values that its record gives, and
for each cell the medians.
"""

import numpy as np

from . import presented, sequential, trials
from .estimate import Estimate
from .rows import Row

exact = Estimate.exact

SIDES = 'first', 'second'
S_PER_MINUTE = 60


def _traffic_of(trial, side):
    """Sums of the queue's log over all protocols, for a side that sends down; None without a log."""
    if trial.file['queueLog'] is None:
        return None
    rows = trial.traffic(side)
    sent = sum(row['sentPackets'] for row in rows)
    delays = sum(row['sentPackets'] * (row['delay'] or {'meanMs': 0})['meanMs'] for row in rows)
    udp = [row for row in rows if row['protocol'] == 17]
    return {
        'sentPackets': sent,
        'sentBytes': sum(row['sentBytes'] for row in rows),
        'dropped': sum(sum(row['droppedPackets'].values()) for row in rows),
        'delayMs': delays / sent if sent > 0 else None,
        'udp': sum(row['sentPackets'] for row in udp),
        'late': sum(row['latePackets'] for row in udp),
    }


def _throughput(trial, side):
    """bit/s that left the queue; without its log, bit/s that the client's network device received."""
    traffic = _traffic_of(trial, side)
    if traffic is not None:
        return traffic['sentBytes'] * 8 / trial.window_s
    received = next(one for one in trial.file['applications'] if one['name'] == side)['received']
    if received is None:
        return None
    before, after = received['before'], received['after']
    return (after['bytes'] - before['bytes']) * 8000 / (after['timeMs'] - before['timeMs'])


def _of_link(trial, side, due_bps):
    throughput, traffic = _throughput(trial, side), _traffic_of(trial, side)
    yield 'throughput', exact(throughput), 'trial.json'
    yield 'share', exact(throughput / due_bps) if throughput is not None and due_bps else None, 'trial.json'
    if traffic is not None:
        came = traffic['sentPackets'] + traffic['dropped']
        yield 'loss', exact(traffic['dropped'] / came) if came else None, 'trial.json'
        yield 'queue-delay', exact(traffic['delayMs']), 'trial.json'
        yield 'late', exact(traffic['late'] / traffic['udp']) if traffic['udp'] else None, 'trial.json'


def _of_frames(trial):
    """What a caller saw; no row for a service whose browser presented no frame."""
    shown = presented.of_trial(trial)
    if len(shown.times) == 0:
        return
    window = trial.start_ms, trial.end_ms
    per_minute = S_PER_MINUTE / trial.window_s
    freezes = presented.freezes(shown, *window, trial.pauses)[0]
    stalled = presented.stalls(shown, *window, presented.stall_threshold_ms(trial), trial.pauses)[1]
    yield 'frame-rate', presented.frame_rate(shown, *window, trial.window_s), 'frames.presented, page'
    yield 'freezes', Estimate(freezes.low * per_minute, freezes.high * per_minute), 'frames.presented, page'
    share = Estimate(stalled.low / trial.window_s, stalled.high / trial.window_s)
    yield 'stalled', share, 'frames.presented, page'


def _side_rows(run, name, index, which, side):
    trial = run.trial(name, SIDES[which])
    place = f'{name}: {side["contestant"]}'
    for metric, estimate, source in [*_of_link(trial, SIDES[which], side['dueBps']), *_of_frames(trial)]:
        ours, unit = side['trials'][metric][index], run.quantities[metric]['unit']
        yield Row(metric, place, ours, estimate, unit, source)


def trial_rows(run):
    rows = []
    for cell in run.summary['cells']:
        for index, name in enumerate(cell['trials']):
            for which, side in enumerate(cell['sides']):
                trials.guarded(rows, name, lambda: _side_rows(run, name, index, which, side))
    return rows


def cell_rows(run):
    """Medians, numbers of values, and intervals by the stopping rule of the study."""
    rows = []
    rule = run.plan['run']
    for cell in run.summary['cells']:
        for side in cell['sides']:
            for metric, stated in side['values'].items():
                given = [value for value in side['trials'][metric] if value is not None]
                place, source = f'{cell["id"]}: {side["contestant"]}: median', f'{len(given)} trials'
                unit = run.quantities[metric]['unit']
                median = np.median(given) if given else None
                low, high = sequential.interval(given, rule['stopping'], rule['repeats']) or (None, None)
                rows += [
                    Row(metric, place, stated['value'], exact(median), unit, source),
                    Row(metric, f'{place}, n', stated['n'], exact(len(given)), '', source),
                    Row(metric, f'{place}, low', stated['low'], exact(low), unit, source),
                    Row(metric, f'{place}, high', stated['high'], exact(high), unit, source),
                ]
        trials.guarded(rows, cell['id'], lambda: _utilisation_rows(run, cell))
    return rows


def _utilisation_rows(run, cell):
    """The row of the link's utilisation by both sides together."""
    shares = []
    for name in cell['trials']:
        trial = run.trial(name, SIDES[0])
        got = [_throughput(trial, side) for side in SIDES[: len(cell['sides'])]]
        if None not in got:
            shares.append(sum(got) / trial.link['rateBps'])
    place, ours = f'{cell["id"]}: median', cell['utilisation']['value']
    median = exact(np.median(shares) if shares else None)
    yield Row('utilisation', place, ours, median, 'ratio', f'{len(shares)} trials')
