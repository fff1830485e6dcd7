"""
A packet capture: pcap (draft-ietf-opsawg-pcap) of Ethernet frames with times in ns. It has the headers of
each packet.
"""

import numpy as np

from .folder import refuse_others

MAGIC_NS = 0xA1B23C4D
ETHERNET = 1
IPV4 = 0x0800
UDP, TCP = 17, 6


class CaptureError(Exception):
    """The file is not a capture that can be read."""


def _number(data, at, size, order='big'):
    return int.from_bytes(data[at : at + size], order)


class Packet:
    """
    `time`: Unix ms. `length`: of the frame, bytes. `payload_bytes`: size of everything behind the IP header.
    `transport`: the part of it that the capture has.
    """

    __slots__ = ('length', 'payload_bytes', 'protocol', 'time', 'transport')

    def __init__(self, time, length, frame):
        header = 4 * (frame[14] & 15)
        self.time, self.length, self.protocol = time, length, frame[23]
        self.payload_bytes = _number(frame, 16, 2) - header
        self.transport = frame[14 + header :]

    @property
    def ports(self):
        return _number(self.transport, 0, 2), _number(self.transport, 2, 2)


class Capture:
    def __init__(self, path):
        refuse_others(path)
        data = path.read_bytes()
        kind = _number(data, 0, 4, 'little'), _number(data, 20, 4, 'little')
        if len(data) < 24 or kind != (MAGIC_NS, ETHERNET):
            raise CaptureError(f'{path} is no pcap of Ethernet frames with times in ns')
        packets, times, lengths, at = [], [], [], 24
        while at < len(data):
            header = (_number(data, at + 4 * field, 4, 'little') for field in range(4))
            seconds, nanoseconds, captured, length = header
            frame = data[at + 16 : at + 16 + captured]
            at += 16 + captured
            if at > len(data):
                raise CaptureError(f'{path} is cut off')
            times.append(seconds * 1000 + nanoseconds / 1e6)
            lengths.append(length)
            if len(frame) >= 42 and _number(frame, 12, 2) == IPV4:
                packets.append(Packet(times[-1], length, frame))
        # several processors fill the capture's ring, so packets can be out of order by some microseconds
        self.packets = sorted(packets, key=lambda packet: packet.time)
        order = np.argsort(times, kind='stable')
        self.times, self.lengths = np.array(times, dtype=float)[order], np.array(lengths, dtype=float)[order]
        self.ended_ms = float(self.times[-1]) if len(times) > 0 else 0.0

    def frame_bytes(self, start_ms, end_ms):
        return float(self.lengths[(self.times >= start_ms) & (self.times < end_ms)].sum())

    def busiest_bps(self, start_ms, end_ms, stretch_ms=1000):
        """
        The highest rate over any part of the window of this length that begins with a packet. It counts the
        frames after the first one.
        """
        inside = (self.times >= start_ms) & (self.times < end_ms)
        times, total = self.times[inside], np.concatenate(([0.0], np.cumsum(self.lengths[inside])))
        if len(times) == 0:
            return None
        until = np.searchsorted(times, times + stretch_ms, side='right')
        return float((total[until] - total[np.arange(len(times)) + 1]).max() * 8000 / stretch_ms)

    def of(self, protocol):
        return [packet for packet in self.packets if packet.protocol == protocol]
