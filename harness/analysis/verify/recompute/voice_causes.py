"""
Causes of the interruptions of a voice, by the rule of harness/analysis/derive/voice/README.md.

The borders of a gap are known to a block. So each interruption is judged with borders that are a block elsewhere, too:
where these do not agree on its cause, its time counts for all of them, from nothing to the whole.

A voice in a tunnel, and one whose sender paused, is not judged here.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from .estimate import Estimate
from .transport import mean_rate_bps
from .voice import HOP_MS, INTERRUPTION_MS, gaps_of, signals_of
from .voice_frames import frames_of

CAUSES = (
    'sender-pause',
    'sender-host',
    'encoder',
    'rate-change',
    'outage',
    'queue',
    'link-host',
    'tunnel-queue',
    'tunnel-window',
    'tunnel-recovery',
    'overflow-loss',
    'aqm-loss',
    'random-loss',
    'burst-loss',
    'other-loss',
    'repair',
    'receiver-host',
    'browser',
    'jitter-buffer',
    'unknown',
)
LOSSES = {'overflow': 'overflow-loss', 'aqm': 'aqm-loss'}

# A frame has to be there this long before its time, and a part of its way has to add as much to be the cause, ms.
BLOCK_MS = 20
# Random losses of so many frames in a row are a burst.
BURST = 3
# Share of a delay that explains it, and share of its rate below which a link has lost its capacity.
ENOUGH, CAPACITY = 0.5, 0.5
# A reading tells of delays that ended between the reading before, or this much sooner, and itself, ms.
LAG_MS, FIRST_MS = 100, 1000
# Length of the intervals of queue-delay.jsonl, and the shortest time over which a rate is computed, ms.
BIN_MS, SHORTEST_MS = 100, 50


class Gap(NamedTuple):
    start: float
    end: float
    delay: float


def _overlap(a, b):
    return max(0.0, min(a[1], b[1]) - max(a[0], b[0]))


class Around:
    """Delays of the hosts and load of the bottlenecks around a moment."""

    def __init__(self, trial):
        offset = trial.server_offset_ms
        self.trial = trial
        self.sender = [(line['timeMs'] + offset, line['eventLoopDelayMaxMs']) for line in trial.media('sender')]
        self.page = [(line['timeMs'], line['mainThreadDelayMaxMs']) for line in trial.media('page')]
        self.machine = [(line['timeMs'], line['wakeUpDelayMaxMs']) for line in trial.network('host')]
        own = trial.direction
        first, last = trial.hops()

        def ours(series):
            return [
                line
                for line in trial.network(series)
                if line.get('direction', 'down') == own and first <= line.get('hop', 1) <= last
            ]

        self.stops = [(line['timeMs'], line['timeMs'] + line['lengthMs']) for line in ours('link-stops')]
        self.bins = {}
        for line in ours('queue-delay'):
            self.bins.setdefault(line.get('hop', 1), []).append((line['timeMs'], line['sentBytes']))
        self.links = {hop: self._link(hop) for hop in range(first, last + 1)}
        self.loses_behind = any((link.get('loss') or {}).get('where') == 'after' for link in self.links.values())

    def _link(self, hop):
        link = self.trial.link if hop == 1 else self.trial.link['further'][hop - 2]
        return link if self.trial.direction == 'down' else link.get('up') or {}

    @staticmethod
    def _longest(readings, span):
        """The longest part of a delay that can lie in the span, ms."""
        longest = 0.0
        for k, (time, delay) in enumerate(readings):
            since = readings[k - 1][0] if k else time - FIRST_MS
            end = max(since - LAG_MS, min(span[1], time))
            longest = max(longest, min(end, span[1]) - max(end - delay, span[0]))
        return longest

    def is_sender(self, span, added):
        return max(self._longest(self.sender, span), self._longest(self.machine, span)) >= ENOUGH * added

    def is_receiver(self, span, added):
        return max(self._longest(self.page, span), self._longest(self.machine, span)) >= ENOUGH * added

    def is_link(self, span, in_queue, added):
        stopped = sum(_overlap(stop, in_queue) for stop in self.stops)
        return max(stopped, self._longest(self.machine, span)) >= ENOUGH * added

    def lost_capacity(self, span, since, hop):
        """outage or rate-change, if the link carried less than half of its rate; None otherwise, or if not known."""
        begin, end = max(span[0], self.trial.start_ms), min(span[1], self.trial.end_ms)
        bins, link = self.bins.get(hop), self.links.get(hop)
        if not bins or not link or end - begin < SHORTEST_MS:
            return None
        half = BIN_MS / 2
        carried = sum(size * _overlap((time - half, time + half), (begin, end)) / BIN_MS for time, size in bins)
        rate = carried * 8000 / (end - begin)
        origin = self.trial.file['phases']['windowStartMs']
        if link['trace'] is not None:
            by_time = {}
            for time, size in bins:
                by_time[time] = by_time.get(time, 0) + size
            return 'rate-change' if rate < CAPACITY * max(by_time.values()) * 8000 / BIN_MS else None
        if rate >= CAPACITY * _highest_bps(link, min(since, begin) - origin, end - origin):
            return None
        planned = mean_rate_bps(link, begin - origin, end - origin)
        return 'rate-change' if rate >= CAPACITY * planned else 'outage'


def _highest_bps(link, from_ms, to_ms):
    """The highest rate of a schedule in a time; before the window the link has its first rate."""
    times, rates = [min(0.0, from_ms)], [link['rateBps']]
    for change in link['schedule']:
        times += [change['atMs'], change['atMs'] + change['rampMs']]
        rates += [rates[-1], change['rateBps']]
    # at a step both rates are in force, the one before and the one behind
    inside = [rate for time, rate in zip(times, rates) if from_ms <= time <= to_ms]
    return max([*inside, *np.interp([from_ms, to_ms], times, rates)])


def _fate(frames, k, need, red):
    frame = frames[k]
    if frame.lost is not None:
        copies = [one.arrived for one in frames[k + 1 : k + 1 + red] if np.isfinite(one.arrived)]
        return 'lost' if not copies else 'repair' if min(copies) > need else 'held'
    if np.isnan(frame.arrived):
        return 'untraced'
    return 'late' if frame.arrived > need else 'held'


def _lost_cause(expected, lost, gap, before, around):
    reasons = ['random-loss' if one.lost == 'behind' and around.loses_behind else one.lost for one in lost]
    # the most frequent one; of equally frequent ones the first
    reason = max(dict.fromkeys(reasons), key=reasons.count)
    if reason == 'random-loss':
        run = longest = 0
        for one in expected:
            run = 0 if one.lost is None else run + 1
            longest = max(longest, run)
        return 'burst-loss' if longest >= BURST else 'random-loss'
    if reason == 'overflow':
        span = lost[0].sent, min(gap.end, lost[-1].sent)
        found = around.lost_capacity(span, (before or expected[0]).sent - gap.delay, lost[0].hop)
        if found is not None:
            return found
    return LOSSES.get(reason, 'other-loss')


def _parts(frame, has_queue, until):
    def up_to(begin, end):
        return max(0.0, min(end, until) - begin)

    own = {'sender': up_to(frame.spoken, frame.sent)}
    if not has_queue:
        return own | {'path': up_to(frame.sent, frame.arrived)}
    left, arrived = frame.left, frame.arrived
    return own | {
        'to-queue': up_to(frame.sent, frame.offered),
        'queue': up_to(frame.offered, left),
        'behind': up_to(left, arrived),
    }


def _late_cause(late, gap, before, around):
    if before is None:
        return 'unknown'
    worst = None
    for frame in late:
        has_queue = not np.isnan(frame.offered) and not np.isnan(before.offered)
        usual = _parts(before, has_queue, np.inf)
        for part, took in _parts(frame, has_queue, gap.end).items():
            if worst is None or took - usual[part] > worst[0]:
                worst = took - usual[part], part, frame, took
    added, part, frame, took = worst
    if added < BLOCK_MS:
        return 'unknown'
    span = frame.spoken, gap.end
    if part in ('sender', 'to-queue'):
        return 'sender-host' if around.is_sender(span, added) else 'encoder' if part == 'sender' else 'unknown'
    if part == 'behind':
        return 'receiver-host' if around.is_receiver(span, added) else 'browser'
    if part == 'path':
        return 'unknown'
    in_queue = frame.offered, frame.offered + took
    if around.is_link(span, in_queue, added):
        return 'link-host'
    return around.lost_capacity(in_queue, before.sent - gap.delay, frame.hop) or 'queue'


def _last_before(frames, frame_ms, gap):
    """The last frame that was heard before the gap: one that came by its time, or else the last one that came."""
    came = [one for one in frames if one.spoken + frame_ms + gap.delay <= gap.start and np.isfinite(one.arrived)]
    by_its_time = [one for one in came if one.arrived <= one.spoken + gap.delay]
    return (by_its_time or came or [None])[-1]


def _cause(gap, voice, around):
    frames, frame_ms, red, _ = voice
    weights = dict.fromkeys(('lost', 'repair', 'late', 'held', 'untraced'), 0.0)
    by_fate = {fate: [] for fate in weights}
    expected = []
    for k, frame in enumerate(frames):
        due = frame.spoken + gap.delay
        weight = _overlap((due, due + frame_ms), (gap.start, gap.end))
        if weight == 0:
            continue
        fate = _fate(frames, k, due - BLOCK_MS, red)
        weights[fate] += weight
        by_fate[fate].append(frame)
        expected.append(frame)
    unsent = gap.end - gap.start - sum(weights.values())
    fate = max(weights, key=weights.get)
    if unsent > weights[fate]:
        return 'sender-host' if around.is_sender((gap.start - gap.delay, gap.end), unsent) else 'unknown'
    own, before = by_fate[fate], _last_before(frames, frame_ms, gap)
    if fate == 'lost':
        return _lost_cause(expected, own, gap, before, around)
    if fate == 'late':
        return _late_cause(own, gap, before, around)
    if fate == 'held':
        span = gap.start, gap.end
        return 'receiver-host' if around.is_receiver(span, gap.end - gap.start) else 'jitter-buffer'
    return 'repair' if fate == 'repair' else 'unknown'


def _possible(gap, voice, around):
    """The causes that the interruption can have, if each of its borders is known to a block."""
    shifts = product((0, -HOP_MS, HOP_MS), repeat=2)
    return {_cause(Gap(gap.start + a, gap.end + b, gap.delay), voice, around) for a, b in shifts}


def of_trial(trial):
    """The estimates of a trial, by metric; empty where the application sends no voice, or where it is not judged."""
    signals = signals_of(trial)
    if signals is None or trial.media('tunnel') or trial.own.get('pauses'):
        return {}
    window_ms = trial.end_ms - trial.start_ms
    low, high = dict.fromkeys(CAUSES, 0.0), dict.fromkeys(CAUSES, 0.0)
    if len(signals.delays) == 0:
        # no chirp was heard, so the whole window is one interruption
        low['unknown'] = high['unknown'] = window_ms
    else:
        voice, around = frames_of(trial), Around(trial)
        for gap in (Gap(*one) for one in gaps_of(signals, trial)):
            length = gap.end - gap.start
            if length + 2 * HOP_MS < INTERRUPTION_MS:
                continue
            causes = {'unknown'} if voice is None else _possible(gap, voice, around)
            for cause in causes:
                high[cause] += length + 2 * HOP_MS
            if len(causes) == 1 and length - 2 * HOP_MS >= INTERRUPTION_MS:
                low[next(iter(causes))] += length - 2 * HOP_MS
    return {
        f'voice-interrupted-by-{cause}': Estimate(low[cause] / window_ms, high[cause] / window_ms) for cause in CAUSES
    }
