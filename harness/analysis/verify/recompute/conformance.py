"""
The measures of a conformance study, from the bins of the queue's log, the times of the applications, and the bandwidth
estimates of the senders. The rules are those of docs/conformance.md; harness/studies/conformance/analysis/measures.ts
computes the same for the report.
"""

import math
from itertools import pairwise

import numpy as np

from . import trials
from .estimate import Estimate
from .folder import ICMP
from .rows import Row

exact = Estimate.exact

BIN_MS = 100
# Demand of a flow that takes what it gets.
UNLIMITED = math.inf
CONVERGED, FAIR, LEFT_MS = 0.8, 0.9, 100
SHORTEST_MS, SETTLING_MS = 5000, 10_000
DIRECTIONS = 'down', 'up'


def _estimates(trial):
    """(time, estimate) of the media server's controller, or of a sending browser."""
    for line in trial.media('controller'):
        value = line.get('estimateBps', line.get('targetBps'))
        if isinstance(value, (int, float)):
            yield line['timeMs'] + trial.server_offset_ms, value
    for line in trial.media('caller'):
        value = (line['candidatePair'] or {}).get('availableOutgoingBitrate')
        if isinstance(value, (int, float)):
            yield line['timeMs'], value


def _without(begin, end, pauses):
    """The parts of a span outside of the pauses, which are in order."""
    edges = [begin, *(ms for pause in pauses for ms in (pause['fromMs'], pause['toMs'])), end]
    return [(a, b) for a, b in zip(edges[::2], edges[1::2]) if a < b]


class Flow:
    """An application at one bottleneck of its direction, in bins of 100 ms."""

    def __init__(self, trial, hop, window, lines, weight, demand_bps):
        start, end = window
        self.name, self.hop = trial.application['name'], hop
        self.is_media, self.weight = weight is not None, weight or 1
        self.direction = trial.direction
        self.demand_bps = UNLIMITED if demand_bps is None else demand_bps
        self.active = _without(trial.start_ms - start, trial.end_ms - start, trial.application.get('pauses', []))
        count = math.ceil((end - start) / BIN_MS)
        self.bits, self.sent, self.dropped = np.zeros(count), np.zeros(count), np.zeros(count)
        self.delay, most = np.full(count, np.nan), np.zeros(count)
        for line in lines:
            where = line['application'], line.get('direction', 'down'), line.get('hop', 1)
            if where != (self.name, self.direction, hop):
                continue
            k = math.floor((line['timeMs'] - start) / BIN_MS)
            if line['protocol'] == ICMP or not 0 <= k < count:
                continue
            drops = line['droppedPackets']
            self.bits[k] += 8 * line['sentBytes']
            self.sent[k] += line['sentPackets']
            self.dropped[k] += drops['overflow'] + drops['aqm'] + drops['other']
            if line['delayMedianMs'] is not None and line['sentBytes'] >= most[k]:
                self.delay[k], most[k] = line['delayMedianMs'], line['sentBytes']
        # the last estimate of each bin
        self.estimates = np.full(count, np.nan)
        for at, value in _estimates(trial) if self.is_media else ():
            k = math.floor((at - start) / BIN_MS)
            if 0 <= k < count:
                self.estimates[k] = value

    @property
    def is_constant(self):
        return not self.is_media and math.isfinite(self.demand_bps)

    def is_active(self, at_ms):
        return any(begin <= at_ms < end for begin, end in self.active)


def _part(values, begin, end):
    """The bins whose middle lies in the span."""
    middles = (np.arange(len(values)) + 0.5) * BIN_MS
    return values[(middles >= begin) & (middles < end)]


def _rate(flows, begin, end):
    return sum(_part(flow.bits, begin, end).sum() for flow in flows) * 1000 / (end - begin)


def _mean_capacity(bottleneck, begin, end):
    """Mean of a rate that changes in steps and ramps."""
    points = [(min(0, begin), bottleneck['rateBps'])]
    for step in bottleneck['schedule']:
        points += [(step['atMs'], points[-1][1]), (step['atMs'] + step['rampMs'], step['rateBps'])]
    points.append((max(end, points[-1][0]), points[-1][1]))
    area = 0
    for (left, low), (right, high) in pairwise(points):
        a, b = max(left, begin), min(right, end)
        if b > a and right > left:
            at = [low + (high - low) * (ms - left) / (right - left) for ms in (a, b)]
            area += (at[0] + at[1]) / 2 * (b - a)
    return area / (end - begin)


class Stretch:
    """
    Capacities and flows do not change in it. Traffic of constant rate takes its part of the capacity. `row`: the
    stretches of the same time at all bottlenecks of the direction.
    """

    def __init__(self, bottleneck, hop, flows, begin, end):
        self.begin, self.end, self.row = begin, end, [self]
        active = [flow for flow in flows if flow.hop == hop and flow.is_active(begin)]
        taken = sum(flow.demand_bps for flow in active if flow.is_constant)
        self.capacity = max(0, _mean_capacity(bottleneck, begin, end) - taken)
        self.flows = [flow for flow in active if not flow.is_constant]
        self.media = [flow for flow in self.flows if flow.is_media]

    @property
    def length(self):
        return self.end - self.begin

    @property
    def usable(self):
        return sum(self.fair(flow) for flow in self.flows)

    def fair(self, wanted):
        """
        Max-min fair rate: the level rises for all flows alike, by their weights. A flow stops at its demand, or when
        one of its bottlenecks is full.
        """
        left = [one.capacity for one in self.row]
        users = [{flow.name: flow.weight for flow in one.flows} for one in self.row]
        waiting = {flow.name: flow for one in self.row for flow in one.flows}
        while True:
            levels = {name: flow.demand_bps / flow.weight for name, flow in waiting.items()}
            for capacity, weights in zip(left, users):
                for name in weights:
                    levels[name] = min(levels[name], capacity / sum(weights.values()))
            name = min(levels, key=levels.get)
            share = levels[name] * waiting.pop(name).weight
            if name == wanted.name:
                return share
            for k, weights in enumerate(users):
                if weights.pop(name, None) is not None:
                    left[k] -= share


def _places(rows):
    for direction in DIRECTIONS:
        for k, bottleneck in enumerate(rows):
            yield direction, k + 1, bottleneck if direction == 'down' else bottleneck.get('up')


class Course:
    def __init__(self, subject, media, demands):
        phases, lines = subject.file['phases'], subject.network('queue-delay')
        window = phases['windowStartMs'], phases['windowEndMs']
        self.window_ms = window[1] - window[0]
        self.flows = []
        rows = [subject.link, *subject.link.get('further', [])]
        self.bottlenecks = [(direction, hop, bottleneck) for direction, hop, bottleneck in _places(rows) if bottleneck]
        for trial in [subject, *subject.others]:
            name, (first, last) = trial.application['name'], trial.hops()
            for direction, hop, _ in self.bottlenecks:
                if direction == trial.direction and first <= hop <= last:
                    self.flows.append(Flow(trial, hop, window, lines, media.get(name), demands[name]))

    def at(self, place):
        """The flows at a bottleneck."""
        return [flow for flow in self.flows if (flow.direction, flow.hop) == place[:2]]

    def stretches(self, place, begin, end):
        row = [one for one in self.bottlenecks if one[0] == place[0]]
        own = [flow for flow in self.flows if flow.direction == place[0]]
        edges = {begin, end, *(step['atMs'] for *_, bottleneck in row for step in bottleneck['schedule'])}
        edges |= {ms for flow in own for part in flow.active for ms in part}
        times = sorted(ms for ms in edges if begin <= ms <= end)
        found = []
        for pair in pairwise(times):
            stretches = [Stretch(bottleneck, hop, own, *pair) for _, hop, bottleneck in row]
            for one in stretches:
                one.row = stretches
            found.append(stretches[row.index(place)])
        return found

    def judged(self, begin, end):
        all_of = [one for place in self.bottlenecks for one in self.stretches(place, begin, end)]
        return [one for one in all_of if one.length >= SHORTEST_MS and one.media]


def _worst(values, pick):
    given = [value for value in values if value is not None and not math.isnan(value)]
    return pick(given) if given else None


def _used_share(course, begin, end):
    shares = []
    for place in course.bottlenecks:
        stretches = [one for one in course.stretches(place, begin, end) if one.media]
        usable = sum(one.usable * one.length for one in stretches)
        sent = sum(_rate(one.flows, one.begin, one.end) * one.length for one in stretches)
        shares.append(sent / usable if usable > 0 else None)
    return _worst(shares, min)


def _queue_wait_p95(course, begin, end):
    waits = []
    for place in course.bottlenecks:
        media = [flow for flow in course.at(place) if flow.is_media]
        delay = np.concatenate([_part(flow.delay, begin, end) for flow in media]) if media else np.array([])
        packets = np.concatenate([_part(flow.sent, begin, end) for flow in media]) if media else np.array([])
        delay, packets = delay[~np.isnan(delay)], packets[~np.isnan(delay)]
        if len(delay) == 0:
            continue
        order = np.argsort(delay, kind='stable')
        reached = np.cumsum(packets[order]) >= packets.sum() * 0.95
        waits.append(delay[order][np.argmax(reached)])
    return _worst(waits, max)


def _queue_dropped_share(course, begin, end):
    shares = []
    for name in {flow.name for flow in course.flows if flow.is_media}:
        entries = [flow for flow in course.flows if flow.name == name]
        # fewest packets leave the last of its bottlenecks
        sent = min(_part(flow.sent, begin, end).sum() for flow in entries)
        dropped = sum(_part(flow.dropped, begin, end).sum() for flow in entries)
        if sent + dropped > 0:
            shares.append(dropped / (sent + dropped))
    return _worst(shares, max)


def _jain(flows, begin, end):
    rates = [_rate([flow], begin, end) / flow.weight for flow in flows]
    squares = sum(rate**2 for rate in rates)
    return sum(rates) ** 2 / (len(rates) * squares) if squares > 0 else None


def _jain_index_media(course, begin, end):
    indices = []
    for place in course.bottlenecks:
        flows = [
            flow
            for flow in course.at(place)
            if flow.is_media and any(part[0] <= begin and part[1] >= end for part in flow.active)
        ]
        if len(flows) > 1:
            indices.append(_jain(flows, begin, end))
    return _worst(indices, min)


def _time_until(stretch, window_ms, hold_ms, holds):
    at = stretch.begin
    while at + window_ms <= stretch.end:
        if holds(at, min(stretch.end, at + window_ms)) and holds(at, min(stretch.end, at + hold_ms)):
            return (at - stretch.begin) / 1000
        at += BIN_MS
    return stretch.length / 1000


def _time_to_converge(course, begin, end):
    def of(one):
        return _time_until(one, 1000, 5000, lambda a, b: _rate(one.flows, a, b) >= CONVERGED * one.usable)

    return _worst([of(one) for one in course.judged(begin, end)], max)


def _time_to_fair(course, begin, end):
    def of(one):
        return _time_until(one, 2000, 5000, lambda a, b: (_jain(one.media, a, b) or 0) >= FAIR)

    return _worst([of(one) for one in course.judged(begin, end) if len(one.media) > 1], max)


def _time_to_leave_queue(course, begin, end):
    def of(one):
        def is_left(a, b):
            part = slice(math.floor(a / BIN_MS), math.ceil(b / BIN_MS))
            return all(not (flow.delay[part] > LEFT_MS).any() for flow in one.media)

        return _time_until(one, 1000, 1000, is_left)

    times = []
    for place in course.bottlenecks:
        stretches = course.stretches(place, begin, end)
        times += [of(b) for a, b in pairwise(stretches) if b.capacity < a.capacity and b.media]
    return _worst(times, max)


def _share(course, begin, end, is_media):
    stretches = [one for place in course.bottlenecks for one in course.stretches(place, begin, end)]
    shares = []
    for flow in course.flows:
        own = [one for one in stretches if flow in one.flows]
        if flow.is_media == is_media and own:
            got = sum(_rate([flow], one.begin, one.end) * one.length for one in own)
            shares.append(got / sum(one.fair(flow) * one.length for one in own))
    return _worst(shares, min)


def _least_rate(course, begin, end):
    rates = []
    for flow in course.flows:
        parts = [(max(begin, a), min(end, b)) for a, b in flow.active]
        parts = [(a, b) for a, b in parts if a < b]
        if flow.is_media and parts:
            bits = sum(_part(flow.bits, a, b).sum() for a, b in parts)
            rates.append(bits * 1000 / sum(b - a for a, b in parts))
    return _worst(rates, min)


def _rate_variation(course, begin, end):
    ratios = []
    for one in course.judged(begin, end):
        seconds = math.floor((one.length - SETTLING_MS) / 1000)
        if seconds < 5:
            continue
        starts = [one.begin + SETTLING_MS + 1000 * k for k in range(seconds)]
        rates = np.array([_rate(one.media, start, start + 1000) for start in starts])
        if rates.mean() > 0:
            ratios.append(rates.std(ddof=1) / rates.mean())
    return _worst(ratios, max)


def _last_estimate(flow, begin, end):
    part = _part(flow.estimates, begin, end)
    part = part[~np.isnan(part)]
    return part[-1] if len(part) > 0 else None


def _estimate_by_second(course, begin, end, pick):
    starts = np.arange(begin, end, 1000)
    media = [flow for flow in course.flows if flow.is_media]
    return _worst([_last_estimate(flow, a, min(end, a + 1000)) for flow in media for a in starts], pick)


def _estimate_at_end(course, begin, end):
    return _worst([_last_estimate(flow, begin, end) for flow in course.flows if flow.is_media], min)


MEASURES = {
    'used-share': _used_share,
    'queue-wait-p95': _queue_wait_p95,
    'queue-dropped-share': _queue_dropped_share,
    'jain-index-media': _jain_index_media,
    'time-to-converge': _time_to_converge,
    'time-to-fair': _time_to_fair,
    'time-to-leave-queue': _time_to_leave_queue,
    'least-share': lambda *of: _share(*of, True),
    'beside-share': lambda *of: _share(*of, False),
    'least-rate': _least_rate,
    'rate-variation': _rate_variation,
    'lowest-estimate': lambda *of: _estimate_by_second(*of, min),
    'highest-estimate': lambda *of: _estimate_by_second(*of, max),
    'estimate-at-end': _estimate_at_end,
}


def _rows_of(run, entry):
    """The rows of a trial: each measure that its case expects and that these series give."""
    trial = run.trial(entry['name'])
    cell = next(one for one in run.plan['cells'] if one['condition'] == entry['condition'])
    case = next(one for one in run.plan['cases'] if one['id'] == cell['case'])
    course = Course(trial, case['media'], cell['demands'])
    for expected in case['expectations']:
        metric = expected['measure']
        if metric not in MEASURES:
            continue
        value = MEASURES[metric](course, expected['fromMs'], min(expected['toMs'], course.window_ms))
        unit = run.quantities[metric]['unit']
        source = 'controller' if 'estimate' in metric else 'queue-delay'
        yield Row(metric, entry['name'], entry['metrics'][metric], exact(value), unit, source)


def trial_rows(run):
    rows = []
    for entry in run.entries:
        trials.guarded(rows, entry['name'], lambda: _rows_of(run, entry))
    return rows
