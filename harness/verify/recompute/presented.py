"""
What the viewer saw, from the browser's frame callbacks (frames.presented.jsonl; WICG video-rvfc).

A callback tells of one frame and counts all (`presentedFrames`). When a frame that no callback told of was shown is not known beyond "between
two callbacks", so what depends on it comes as the range over all places that it can have had. Where no frame is unseen the range is one value.
"""
import numpy as np

from .estimate import Estimate

# A stall: "any inter-frame arrival interval exceeding 200 ms" (Juntima et al., section 3.2).
STALL_MS = 200
# A freeze: at least max(3 d, d + 150 ms), d the mean of the last 30 frame durations (W3C webrtc-stats, freezeCount).
FREEZE_MEAN_OF = 30
FREEZE_FACTOR = 3
FREEZE_LONGER_MS = 150
# Fewer durations make no mean yet (harness/derive/freezes.ts).
FREEZE_FEWEST = 5


class Presentation:
    """Times at which frames were shown that a callback told of, ascending, and how many frames came in each of the times between two of them."""

    def __init__(self, frames):
        times, counts = [], []
        for frame in frames:
            if times and frame['presentationMs'] <= times[-1]:
                continue  # shown no later than the one before: its count is in the next one's
            times.append(frame['presentationMs'])
            counts.append(frame['presentedFrames'])
        self.times = np.array(times)
        self.shown = np.maximum(1, np.diff(np.array(counts, dtype=float), prepend=counts[0] - 1)) if counts else np.array([])

    def spans(self, start_ms, end_ms):
        """
        Times between callbacks that touch the window, the one under way at its end included, as (length, part inside, frames, whether the last of
        them is there); the one under way has the length it had at the window's end.
        """
        spans = []
        for before, after, shown in zip(self.times[:-1], self.times[1:], self.shown[1:]):
            if after > start_ms and after <= end_ms:
                spans.append((before, after, shown, True))
            elif before < end_ms < after:
                spans.append((before, end_ms, shown, False))
        if len(self.times) > 0 and self.times[-1] < end_ms:
            spans.append((self.times[-1], end_ms, 1, False))
        return spans


def frame_rate(presentation, start_ms, end_ms):
    """Frames shown in (start, end], a second."""
    times, shown = presentation.times, presentation.shown
    if len(times) == 0:
        return None
    inside = (times > start_ms) & (times <= end_ms)
    certain = int(inside.sum())
    hidden = shown - 1  # between the callback before and this one
    begins = np.concatenate(([-np.inf], times[:-1]))
    sure = certain + hidden[inside & (begins >= start_ms)].sum()
    perhaps = hidden[(times > start_ms) & (begins < end_ms)].sum() + certain
    seconds = (end_ms - start_ms) / 1000
    return Estimate(sure / seconds, perhaps / seconds)


def longest_gap_ms(presentation, start_ms, end_ms):
    if len(presentation.times) == 0:
        return None
    spans = presentation.spans(start_ms, end_ms)
    return Estimate(max((least_ms(span) for span in spans), default=0.0), max((after - before for before, after, _, _ in spans), default=0.0))


def least_ms(span):
    """The shortest that the longest gap between two callbacks can have been: all of them alike."""
    before, after, shown, _ = span
    return (after - before) / shown


def stalls(presentation, start_ms, end_ms, threshold_ms=STALL_MS):
    """Number and stalled time, s, of gaps over the threshold; the time is the part inside the window."""
    if len(presentation.times) == 0:
        return None, None
    number, time_ms = np.zeros(2), np.zeros(2)
    for before, after, shown, _ in presentation.spans(start_ms, end_ms):
        length, outside = after - before, max(0.0, start_ms - before)
        if length <= threshold_ms:
            continue
        unseen = int(shown) - 1
        # at best the unseen frames cut the gap into pieces of just the threshold, at worst they came together
        least = length - unseen * threshold_ms
        most = 1 if unseen == 0 else min(int(shown), int(np.ceil(length / threshold_ms)) - 1)
        number += (1 if least > threshold_ms else 0, max(1, most))
        time_ms += (max(0.0, least - outside) if least > threshold_ms else 0.0, length - outside)
    return Estimate(*number), Estimate(*(time_ms / 1000))


def freezes(presentation, start_ms, end_ms):
    # Number and frozen time, s, of W3C's freezes that end inside the window or are under way at its end; the time is the part inside.
    times = presentation.times
    if len(times) == 0:
        return None, None
    # where frame k was, counted from the first: between earliest[k] and latest[k]
    earliest, latest = [], []
    for index, (time, shown) in enumerate(zip(times, presentation.shown)):
        hidden = int(shown) - 1 if index > 0 else 0
        earliest += [times[index - 1]] * hidden + [time]
        latest += [time] * (hidden + 1)
    earliest, latest = np.array(earliest), np.array(latest)
    last_frame = np.cumsum(np.concatenate(([1], presentation.shown[1:].astype(int)))) - 1  # of each callback
    place = {time: index for time, index in zip(times, last_frame)}
    number, time_ms = np.zeros(2), np.zeros(2)
    for before, after, shown, _ in presentation.spans(start_ms, end_ms):
        place_before = place[before]
        durations = min(FREEZE_MEAN_OF, place_before)
        if after <= start_ms or durations < FREEZE_FEWEST:
            continue
        first = place_before - durations
        mean_low, mean_high = (before - latest[first]) / durations, (before - earliest[first]) / durations
        length, outside = after - before, max(0.0, start_ms - before)
        threshold_low, threshold_high = (max(FREEZE_FACTOR * mean, mean + FREEZE_LONGER_MS) for mean in (mean_low, mean_high))
        if length < threshold_low:
            continue
        least = length / shown
        sure = least >= threshold_high
        number += (1 if sure else 0, max(1, min(int(shown), int(length // FREEZE_LONGER_MS))))
        time_ms += (max(0.0, least - outside) if sure else 0.0, length - outside)
    return Estimate(*number), Estimate(*(time_ms / 1000))


def latencies_ms(presented, sent, server_offset_ms, start_ms, end_ms):
    # From the moment a frame was taken to the moment it was shown, joined by RTP timestamp, of frames shown in (start, end].
    taken = {line['rtpTimestamp']: line['captureMs'] + server_offset_ms for line in sent if 'skipped' not in line}
    return np.array([line['presentationMs'] - taken[line['rtpTimestamp']] for line in presented
                     if line['rtpTimestamp'] in taken and start_ms < line['presentationMs'] <= end_ms])
