"""
What a capture behind the bottleneck says of media and of the TCP flows of other applications.

The capture sees packets at another place than the counters: a packet still has to travel from there to the
browser or the socket. The difference that this can make is the estimate's `apart`, and is printed beside the
difference. Random loss behind the bottleneck takes packets that the capture has, so with it nothing can be
compared.
"""

import heapq

import numpy as np

from .capture import TCP, UDP
from .counters import doubt, growth
from .estimate import Estimate
from .transport import counters_within, media_counter

# How long a packet may take from the bottleneck to a counter that is read, ms, at each end of the window: on
# a busy machine socket, page and reader wait for the processor.
READING_MS = 50
# SRTP's authentication tag, bytes: 10 (RFC 3711, AES_CM_128_HMAC_SHA1_80) to 16 (RFC 7714, AES-GCM).
TAG_BYTES = np.array([10, 16])
# A retransmission begins with the number of the packet that it repeats: size of that number, bytes (RFC 4588,
# section 4).
ORIGINAL_NUMBER_BYTES = 2
# A packet is searched only this close to the time that it was sent at, ms, because RTP's sequence numbers
# repeat after 65536 packets.
SEARCH_MS = 10_000
# The log of the queue and the capture stamp a packet some microseconds apart, so this many packets may be
# inside the window by the one and outside by the other.
AT_THE_ENDS = 2
FULL_FRAME_BYTES = 1514
# By how much a link's busiest second may exceed its rate: the emulator makes up for lateness by at most an 80th
# of ten packets in a row (shaper/emulator/native/core/spacing.h); a kernel's shaper lets a bucket of tokens through
# at once, and time stamps are late.
CATCHING_UP = 1 / 80
BUCKET = 0.01


def is_lossy_behind(trial):
    return (trial.link.get('loss') or {}).get('where') == 'after'


def _edges_bps(trial):
    """What a full link carries during the delays of the readings, as bit/s over the window."""
    return _edge_bytes(trial) * 8 / trial.window_s


def _edge_bytes(trial):
    return 2 * trial.link['rateBps'] / 8 * READING_MS / 1000


class _Flow:
    """A TCP connection: how many bytes its receiver can have read in order by each time."""

    def __init__(self, sequence):
        # `waiting`: a heap of (start, end), because of a hole that stays all later packets wait
        self.origin, self.taken, self.waiting, self.times, self.bytes = sequence, 0, [], [], []

    def add(self, time, sequence, payload_bytes):
        # from the next byte that is awaited, as sequence numbers wrap around
        distance = (sequence - self.origin - self.taken + 2**31) % 2**32 - 2**31
        start = self.taken + distance
        heapq.heappush(self.waiting, (start, start + payload_bytes))
        while self.waiting and self.waiting[0][0] <= self.taken:
            self.taken = max(self.taken, heapq.heappop(self.waiting)[1])
        self.times.append(time)
        self.bytes.append(self.taken)

    def growth(self, start_ms, end_ms):
        known = np.concatenate(([0], self.bytes))
        start, end = np.searchsorted(self.times, [start_ms, end_ms])
        return float(known[end] - known[start])


def _flows_from(capture, ports):
    flows = {}
    for packet in capture.of(TCP):
        source, transport = packet.ports[0], packet.transport
        if source not in ports or len(transport) < 20:
            continue
        sequence = int.from_bytes(transport[4:8], 'big')
        is_first = bool(transport[13] & 0x02)
        if source not in flows:
            flows[source] = _Flow((sequence + 1) % 2**32 if is_first else sequence)
        payload_bytes = packet.payload_bytes - 4 * (transport[12] >> 4)
        if payload_bytes > 0 and not is_first:
            flows[source].add(packet.time, sequence, payload_bytes)
    return flows


def others_goodput(capture, trial):
    """bit/s of TCP payload in order, of all other applications; None where one of them uses something else."""
    counters = counters_within(trial, trial.others)
    if not counters or is_lossy_behind(trial):
        return None
    flows = _flows_from(capture, {port for _, port in counters})
    total, apart = 0.0, _edges_bps(trial)
    for (_, port), (window, counter) in counters.items():
        if port not in flows or window[0] >= window[1] or growth(*counter, *window) is None:
            return None
        total += flows[port].growth(*window)
        apart += doubt(*counter, *window) * 8 / trial.window_s
    bps = total * 8 / trial.window_s
    return Estimate(bps, bps, apart)


def _between_readings(times, start_ms, end_ms):
    """Indices of the first and last reading of a counter inside the window; None where there are not two."""
    inside = np.flatnonzero((np.asarray(times) >= start_ms) & (np.asarray(times) <= end_ms))
    return (inside[0], inside[-1]) if len(inside) >= 2 else None


def socket_bytes(capture, trial):
    """
    Of each TCP flow of the other applications, from one reading of the receiver's socket to another: (port, bytes by
    the socket, bytes by the capture).
    """
    if is_lossy_behind(trial):
        return
    counters = counters_within(trial, trial.others)
    flows = _flows_from(capture, {port for _, port in counters})
    for (_, port), (window, (times, values)) in counters.items():
        ends = _between_readings(times, *window)
        if ends is not None and port in flows:
            seen = flows[port].growth(times[ends[0]], times[ends[1]])
            yield port, float(values[ends[1]] - values[ends[0]]), Estimate(seen, seen, _edge_bytes(trial))


class MediaInCapture:
    """
    The media sender's RTP packets in the capture, each with its line of packets.jsonl: the line says what the
    packet holds, because the payload is encrypted.
    """

    def __init__(self, capture, trial):
        self.trial = trial
        flows = set(trial.media_flows()[:1])
        self.udp = [packet for packet in capture.of(UDP) if packet.ports in flows]
        self.offset_ms, self.ended_ms = trial.server_offset_ms, capture.ended_ms
        lines = {}
        for line in trial.media('packets'):
            lines.setdefault(line['rtpSequence'], []).append((line['sentMs'] + self.offset_ms, line))
        rtp = [found for found in map(_rtp_of, self.udp) if found is not None]
        media_type = self._media_type(rtp, lines)
        self.seen, self.matched = set(), []
        for time, payload_type, sequence, body_bytes in rtp:
            near = [
                (abs(sent - time), line['sequence'], line['kind'])
                for sent, line in lines.get(sequence, [])
                if abs(sent - time) < SEARCH_MS and (line['kind'] == 'media') == (payload_type == media_type)
            ]
            if near:
                _, number, kind = min(near)
                self.seen.add(number)
                self.matched.append((time, kind, body_bytes))

    @staticmethod
    def _media_type(rtp, lines):
        """The payload type whose sequence numbers are most often those of media sent at that time."""
        hits = {}
        for time, payload_type, sequence, _ in rtp:
            is_hit = any(
                line['kind'] == 'media' and abs(sent - time) < SEARCH_MS for sent, line in lines.get(sequence, [])
            )
            hits[payload_type] = hits.get(payload_type, 0) + is_hit
        return max(hits, key=hits.get, default=None)

    def _payload(self, start_ms, end_ms):
        """The least and the most RTP payload of media and retransmissions, bytes."""
        payload = np.zeros(2)
        for time, kind, body_bytes in self.matched:
            if kind in ('media', 'retransmission') and start_ms <= time < end_ms:
                original_bytes = ORIGINAL_NUMBER_BYTES if kind == 'retransmission' else 0
                payload += body_bytes - original_bytes - TAG_BYTES[::-1]
        return payload

    def bytes_between_readings(self):
        """
        (bytes by the browser's counter, bytes by the capture) from one reading of the counter to another;
        None where there are not two readings.
        """
        trial = self.trial
        times, values = media_counter(trial)
        ends = _between_readings(times, trial.start_ms, trial.end_ms)
        if not self.matched or ends is None or is_lossy_behind(trial):
            return None
        low, high = self._payload(times[ends[0]], times[ends[1]])
        return float(values[ends[1]] - values[ends[0]]), Estimate(float(low), float(high), _edge_bytes(trial))

    def goodput(self):
        """bit/s of RTP payload, media and retransmissions."""
        trial = self.trial
        times, values = media_counter(trial)
        window = trial.start_ms, trial.end_ms
        if not self.matched or growth(times, values, *window) is None or is_lossy_behind(trial):
            return None
        low, high = self._payload(*window) * 8 / trial.window_s
        apart = _edges_bps(trial) + doubt(times, values, *window) * 8 / trial.window_s
        return Estimate(float(low), float(high), apart)

    def loss(self, told):
        """
        Share of the packets with feedback that never left the bottleneck. A queue may hold the last ones of the
        window until the capture has ended: those whose feedback came later may have left or not.
        """
        if not told or not self.matched or is_lossy_behind(self.trial):
            return None
        missing = [line for line in told if line['sequence'] not in self.seen]
        unknown = sum(line['feedbackMs'] + self.offset_ms > self.ended_ms for line in missing)
        return Estimate((len(missing) - unknown) / len(told), len(missing) / len(told))

    def left(self):
        """(packets, bytes of frames) of all UDP of the media's sender in the window."""
        start_ms, end_ms = self.trial.start_ms, self.trial.end_ms
        inside = [packet.length for packet in self.udp if start_ms <= packet.time < end_ms]
        packets = Estimate(len(inside), len(inside), AT_THE_ENDS)
        frame_bytes = Estimate(sum(inside), sum(inside), AT_THE_ENDS * FULL_FRAME_BYTES)
        return packets, frame_bytes


def _rtp_of(packet):
    """
    (time, payload type, sequence number, bytes behind the RTP header) of an RTP packet; None for any other
    packet (RFC 7983, section 7; RFC 5761, section 4).
    """
    rtp = packet.transport[8:]
    if len(rtp) < 12 or rtp[0] >> 6 != 2 or 64 <= rtp[1] & 0x7F <= 95:
        return None
    header = 12 + 4 * (rtp[0] & 15)
    if rtp[0] & 0x10:
        header += 4 + 4 * int.from_bytes(rtp[header + 2 : header + 4], 'big')
    return packet.time, rtp[1] & 0x7F, int.from_bytes(rtp[2:4], 'big'), packet.payload_bytes - 8 - header


def rate_slack(trial):
    return CATCHING_UP if trial.file['backend'] == 'emulator' else BUCKET


def bottleneck_bytes(capture, trial):
    """Bytes of frames between the two readings of the bottleneck's counters."""
    readings = trial.file['bottleneck']
    total = capture.frame_bytes(readings['before']['timeMs'], readings['after']['timeMs'])
    return Estimate(total, total, _edge_bytes(trial))
