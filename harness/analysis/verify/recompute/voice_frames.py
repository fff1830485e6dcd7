"""
The frames of a voice that a media server sent: when each was spoken and sent, in the queue, and when it arrived. The
records of the sender (packets), of the queue (queue.media) and of the browser (feedback) are joined.
"""

from typing import NamedTuple

import numpy as np

# A packet comes to the queue at most this much later than it was sent, and the clocks differ by at most this, ms.
TO_QUEUE_MS, CLOCKS_MS = 15_000, 5
# Frames of a video that tell the offset of the feedback's clock, at least.
FEWEST_FRAMES = 5
# Ticks of a voice's RTP timestamp in a ms.
VOICE_KHZ = 48


class Frame(NamedTuple):
    """
    A frame of the voice. `arrived`: nan if it was lost or if nothing is known, inf if it waits to the end of the log.
    `left` likewise. `lost`: why, or None.
    """

    spoken: float
    sent: float
    offered: float
    left: float
    hop: int
    arrived: float
    lost: str | None


def _unwrapped(raw):
    """16-bit numbers in their order, without their wraps."""
    return np.concatenate(([raw[0]], raw[0] + np.cumsum((np.diff(raw) + 2**15) % 2**16 - 2**15)))


def _seen_at_queue(trial, packets, sent):
    """
    By the number of a packet: (came, left, reason of a drop, place in the row) at each queue that it met. Streams are
    told apart by their payload types: the voice's is the one with most packets that match by number and time.
    """
    rows = {}
    for line in trial.media('queue.media'):
        gone = {one['index']: one['reason'] for one in line['dropped']}
        for index, kind in enumerate(line['payloadTypes']):
            came, sojourn = line['timeMs'] + line['offeredMs'][index], line['sojournMs'][index]
            reason = gone.get(index)
            left = np.nan if reason is not None else np.inf if sojourn is None else came + sojourn
            rows.setdefault(kind, []).append((line['sequences'][index], came, left, reason, line.get('hop', 1)))
    numbers = _unwrapped(np.array([line['rtpSequence'] for line in packets], dtype=np.int64))
    found = {}
    for entries in rows.values():
        by_sequence = {}
        for entry in entries:
            by_sequence.setdefault(entry[0], []).append(entry[1:])
        own = {}
        for number, at in zip(numbers, sent):
            near = [one for one in by_sequence.get(number % 2**16, []) if -CLOCKS_MS < one[0] - at < TO_QUEUE_MS]
            if near:
                own[number] = near
        if len(own) > len(found):
            found = own
    return numbers, found


def _joined(entries):
    """(came, left, reason, place) over all queues in a row."""
    by_hop = {}
    for entry in entries:
        # of a packet that the link duplicated, the copy that left first counts
        before = by_hop.get(entry[3])
        if before is None or not np.isfinite(before[1]):
            by_hop[entry[3]] = entry
    row = sorted(by_hop.values())
    last = row[-1]
    judged = last
    if np.isfinite(last[1]):
        judged = max(row, key=lambda one: one[1] - one[0])
    return row[0][0], last[1], last[2], judged[3]


def _clock_offset(trial, packets, sent, queues):
    """Offset from the feedback's clock to the harness's, ms; None if nothing tells it."""
    shown = {line['rtpTimestamp']: line.get('receiveMs') for line in trial.media('frames.presented')}
    if shown:
        last, again = {}, set()
        stamps = {}
        for line in trial.media('packets'):
            if line['kind'] == 'media':
                stamps[line['frame']] = line['rtpTimestamp']
                told = np.nan if line['receivedMs'] is None else line['receivedMs']
                last[line['frame']] = np.fmax(last.get(line['frame'], -np.inf), told) if told == told else np.nan
            elif line['kind'] == 'retransmission':
                again.add(line['rtpTimestamp'])
        offsets = [
            shown[stamps[frame]] - at
            for frame, at in last.items()
            if np.isfinite(at) and stamps[frame] not in again and shown.get(stamps[frame]) is not None
        ]
        if len(offsets) >= FEWEST_FRAMES:
            return float(np.median(offsets))
    # the fastest packet of the voice came when it left the queue, or after the delay of its path
    down = trial.link.get('paths', {}).get(trial.application['name'], {}).get('downMs', 0)
    own = [
        (queue[1] if queue else np.nan) - line['receivedMs'] if queues else at + down - line['receivedMs']
        for line, at, queue in zip(packets, sent, queues or packets)
        if line['receivedMs'] is not None
    ]
    finite = [one for one in own if np.isfinite(one)]
    return max(finite) if finite else None


def frames_of(trial):
    """The frames of the voice, the length of one, and how many earlier ones each packet repeats; None if not known."""
    offset = trial.server_offset_ms
    told = trial.media('voice.sent')
    packets = [line for line in trial.media('packets') if line['kind'] == 'voice']
    packets = [line for line in packets if line['sentMs'] + offset <= trial.end_ms]
    if not told or len(packets) < 2:
        return None
    sent = np.array([line['sentMs'] + offset for line in packets])
    numbers, found = _seen_at_queue(trial, packets, sent)
    queues = [_joined(found[number]) if number in found else None for number in numbers] if found else None
    clock = _clock_offset(trial, packets, sent, queues)
    first = told[0]
    frames = []
    for k, line in enumerate(packets):
        queue = queues[k] if queues else None
        is_missing = line['receivedMs'] is None and line['feedbackMs'] is not None
        arrived = np.nan
        if clock is not None and line['receivedMs'] is not None:
            arrived = line['receivedMs'] + clock
        elif queue is not None and queue[2] is None and not (is_missing and np.isfinite(queue[1])):
            arrived = queue[1]
        lost = None
        if np.isnan(arrived) and (is_missing or (queue is not None and queue[2] is not None)):
            lost = 'unseen' if queue is None else queue[2] or 'behind'
        ticks = (line['rtpTimestamp'] - first['rtpTimestamp'] + 2**31) % 2**32 - 2**31
        frames.append(
            Frame(
                first['spokenMs'] + offset + ticks / VOICE_KHZ,
                sent[k],
                *((queue[0], queue[1], queue[3]) if queue else (np.nan, np.nan, 1)),
                arrived,
                lost,
            )
        )
    steps = np.diff([frame.spoken for frame in frames])
    return frames, float(steps[steps > 0].min()), first.get('redundantFrames', 0), queues is not None
