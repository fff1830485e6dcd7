"""
Rates, round trips, losses and the queue, from counters, pings and the log of the media's packets at the
bottleneck.
"""

import numpy as np

from .counters import growth
from .estimate import Estimate
from .folder import UDP


def media_counter(trial, name='bytesReceived'):
    """
    Times and values of a counter of the received stream (W3C webrtc-stats, inbound-rtp); bytesReceived is RTP
    payload, with retransmissions.
    """
    read = [
        (line['timeMs'], line['inbound'][name])
        for line in trial.media('stats')
        if line['inbound'] and isinstance(line['inbound'].get(name), (int, float))
    ]
    return _columns(read) if read else (np.array([]), np.array([]))


def _columns(rows):
    return tuple(np.array(column, dtype=float) for column in zip(*rows))


def flow_counters(trial):
    """
    Times and values of what each flow of the application received, bytes: the media of a call; or of each TCP flow
    what the receiver's socket got, by port; or, without these, what each of its clients tells to have received.
    """
    times, values = media_counter(trial)
    if len(times) > 0:
        return {'media': (times, values)}
    flows = {}
    for line in trial.media('tcp'):
        if line['end'] == 'receiver' and 'bytesReceived' in line:
            flows.setdefault(line['port'], []).append((line['timeMs'], line['bytesReceived']))
    if not flows:
        flows = {'client 1': []}
        for line in trial.media('service'):
            if 'receivedBytes' in line:
                flows.setdefault(f'client {line.get("client", 1)}', []).append((line['timeMs'], line['receivedBytes']))
    return {flow: _columns(read) if read else (np.array([]), np.array([])) for flow, read in flows.items()}


def counters_within(trial, applications):
    """
    Of each flow of each application: the window that application and trial have in common, and times and values of
    what it received, bytes.
    """
    return {
        (one.application['name'], flow): ((max(one.start_ms, trial.start_ms), min(one.end_ms, trial.end_ms)), counter)
        for one in applications
        for flow, counter in flow_counters(one).items()
    }


def goodput_bps(trial, applications):
    """Of all applications together; None without one, or where a flow was not read at both ends of its window."""
    counters = counters_within(trial, applications).values()
    gained = [growth(*counter, *window) if window[0] < window[1] else 0.0 for window, counter in counters]
    return None if not gained or None in gained else sum(gained) * 8 / trial.window_s


def jain(own_bps, others_bps):
    """Jain's index of two parties: (a + b)^2 / (2 (a^2 + b^2)) (Jain, Chiu, Hawe, 1984)."""
    if own_bps is None or others_bps is None:
        return None
    rates = np.array([own_bps, others_bps])
    return None if not rates.any() else float(np.sum(rates) ** 2 / (2 * np.dot(rates, rates)))


def pings(trial):
    """Round trips of the probes sent in [start, end), ms, and how many got no answer."""
    start_ms, end_ms = trial.start_ms, trial.end_ms
    sent = [line['rttMs'] for line in trial.network('ping') if start_ms <= line['timeMs'] < end_ms]
    answered = np.array([rtt for rtt in sent if rtt is not None], dtype=float)
    return answered, len(sent) - len(answered)


def quantile(values, p):
    """Hyndman and Fan's type 7, which is numpy's linear one."""
    return None if len(values) == 0 else float(np.quantile(values, p, method='linear'))


def told_packets(trial):
    """
    Packets that the media's sender sent in [start, end) and that feedback reported. Whether a packet without
    feedback was lost is unknown.
    """
    offset = trial.server_offset_ms
    reported = [line for line in trial.media('packets') if line['feedbackMs'] is not None]
    return [line for line in reported if trial.start_ms <= line['sentMs'] + offset < trial.end_ms]


def media_loss(packets):
    return None if not packets else sum(line['receivedMs'] is None for line in packets) / len(packets)


# Values of the ECN field (RFC 3168, section 5).
NOT_ECT, CE = 0, 3


class MediaAtQueue:
    """
    The media's packets at a bottleneck, by default the first one that it crosses, from queue.media.jsonl. That file
    has only RTP packets. The metrics count all UDP of the media's sender, with RTCP reports, STUN and DTLS, and the
    log has the number of these packets. Delays of the few other packets are unknown, so quantiles are ranges. Those
    of them that the queue dropped are at most the drops of all UDP of the sender (queue-delay.jsonl): a queue with
    ECN marks media and drops the rest.
    """

    def __init__(self, trial, hop=None):
        left, delays, dropped = [], [], 0
        capable, marked, has_ecn = 0, 0, False
        place = trial.hops()[0] if hop is None else hop
        for line in trial.media('queue.media'):
            if line.get('hop', 1) != place:
                continue
            gone = {one['index']: one['reason'] for one in line['dropped']}
            fields, by_queue = line.get('ecn'), set(line.get('marked', []))
            has_ecn = has_ecn or fields is not None
            for index, (offered, sojourn) in enumerate(zip(line['offeredMs'], line['sojournMs'])):
                if sojourn is None:
                    continue
                time = line['timeMs'] + offered + sojourn
                if not trial.start_ms <= time < trial.end_ms:
                    continue
                reason = gone.get(index)
                # random loss behind the queue takes packets that have left the queue after a wait
                if reason in ('overflow', 'aqm', 'other'):
                    dropped += 1
                elif reason is None or sojourn > 0:
                    left.append(time)
                    delays.append(sojourn)
                    if fields is not None and fields[index] != NOT_ECT:
                        capable += 1
                        marked += fields[index] == CE or index in by_queue
        self.left, self.delays, self.dropped = np.array(left), np.sort(np.array(delays)), dropped
        self.capable, self.marked, self.has_ecn = capable, marked, has_ecn
        traffic = trial.media_traffic(place)
        self.sent = None if traffic is None else traffic['sentPackets']
        self.dropped_of_all = sum(
            line['droppedPackets'][reason]
            for line in trial.network('queue-delay')
            if (line['application'], line['protocol']) == (trial.application['name'], UDP)
            and (line.get('direction', 'down'), line.get('hop', 1)) == (trial.application['direction'], place)
            # a line is of 100 ms around its time
            and trial.start_ms - 100 <= line['timeMs'] < trial.end_ms + 100
            for reason in ('overflow', 'aqm', 'other')
        )

    # Times in the series are rounded to microseconds, so this many packets may be on the other side of an end
    # of the window.
    AT_THE_ENDS = 1

    def quantile_ms(self, p):
        if self.sent is None or len(self.delays) == 0:
            return None
        unknown = abs(self.sent - len(self.delays)) + self.AT_THE_ENDS
        # at worst all unknown delays are longer than the known ones, or all are shorter
        at = p * (len(self.delays) + unknown - 1)
        ranks = [int(np.floor(at)) - unknown, int(np.ceil(at))]
        return Estimate(*(float(self.delays[int(np.clip(rank, 0, len(self.delays) - 1))]) for rank in ranks))

    def marked_share(self):
        """
        Share of CE among the packets that left with ECT or CE. The metric counts packets without RTP as well,
        which senders leave Not-ECT.
        """
        if not self.has_ecn or self.capable == 0:
            return None
        fewest, most = max(0, self.marked - self.AT_THE_ENDS), self.marked + self.AT_THE_ENDS
        return Estimate(
            fewest / (self.capable + self.AT_THE_ENDS), min(1.0, most / max(1, self.capable - self.AT_THE_ENDS))
        )

    def loss(self):
        """Share of the packets that came to the queue and were dropped there, other than at random."""
        if self.sent is None or self.dropped + self.sent == 0:
            return None
        if self.dropped == self.dropped_of_all == 0:
            return Estimate(0.0, 0.0)
        fewest = max(0, self.dropped - self.AT_THE_ENDS)
        most = max(self.dropped, self.dropped_of_all) + self.AT_THE_ENDS
        return Estimate(fewest / (fewest + self.sent) if fewest else 0.0, most / (most + self.sent))


def _readings(trial, direction, hop):
    """
    The two readings of a queue's counters at the window's ends; None where they were not taken. `hop`: place of the
    queue in the row, from 1.
    """
    readings = trial.file['bottleneck']
    if readings is None:
        return None
    ends = readings['before'], readings['after']
    if hop > 1:
        ends = [{'timeMs': end['timeMs'], **end['further'][hop - 2]} for end in ends]
    if direction == 'down':
        return ends
    ups = [end.get('up') for end in ends]
    return None if None in ups else [{'timeMs': end['timeMs'], **up} for end, up in zip(ends, ups)]


def queue_drops(trial, direction, hop=1):
    """Packets that the queue dropped (full, or by its AQM), from its counters at the window's ends."""
    readings = _readings(trial, direction, hop)
    return None if readings is None else readings[1]['droppedPackets'] - readings[0]['droppedPackets']


def mean_rate_bps(link, start_ms, end_ms):
    """Mean of a rate that a schedule changes, by steps and ramps; times are from the start of the window."""
    times, rates = [min(0.0, start_ms)], [link['rateBps']]
    for change in link['schedule']:
        times += [change['atMs'], change['atMs'] + change['rampMs']]
        rates += [rates[-1], change['rateBps']]
    # a step has two rates at one time, so each part of the sum has two rates of its own
    carried = 0.0
    for left, right, begin, end in zip(times, [*times[1:], np.inf], rates, [*rates[1:], rates[-1]]):
        inside = max(left, start_ms), min(right, end_ms)
        if inside[0] < inside[1]:
            ends = [begin, end] if right == np.inf else np.interp(inside, [left, right], [begin, end])
            carried += np.mean(ends) * (inside[1] - inside[0])
    return carried / (end_ms - start_ms)


def utilisation(trial, direction, hop=1):
    """
    Share of the link's mean rate that left the queue between the two readings of its counters; None for a
    trace, which has no rate.
    """
    readings = _readings(trial, direction, hop)
    both = trial.link if hop == 1 else trial.link['further'][hop - 2]
    link = both if direction == 'down' else both.get('up')
    if readings is None or link is None or link['trace'] is not None:
        return None
    before, after = readings
    rate = mean_rate_bps(link, before['timeMs'] - trial.start_ms, after['timeMs'] - trial.start_ms)
    return (after['sentBytes'] - before['sentBytes']) * 8000 / (after['timeMs'] - before['timeMs']) / rate
