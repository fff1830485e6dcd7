"""
What the viewer saw, from the browser's frame callbacks (frames.presented.jsonl; WICG video-rvfc).

A callback reports one frame, and the number of all frames so far (`presentedFrames`). A frame without a
callback was shown at an unknown time between two frames that have one. The rule (docs/reading-results.md,
"Frames without a callback") gives the longest and the shortest value that the longest wait between the two
can have had:

  open   the longest time that the page was held up between the two, and a sixtieth of a second more; all of
         the time between them where the page reported nothing
  taken  a sixtieth of a second for each frame without a callback, but no more than `open`, and no more than
         leaves this wait as long as the others
  most   the time between the two less `taken`: this is what the metrics have. The frames without a callback
         divide `taken` evenly
  least  the time between the two less `open`, or an even share of the time
"""

import numpy as np

from .estimate import Estimate

# A stall: "any inter-frame arrival interval exceeding 200 ms" (Juntima et al., section 3.2), or more than five
# frame periods, if these are longer (docs/reading-results.md, "Stall").
STALL_MS = 200
STALL_PERIODS = 5
# A freeze: at least max(3 d, d + 150 ms), d the mean of the last 30 frame durations (W3C webrtc-stats,
# freezeCount).
FREEZE_MEAN_OF = 30
FREEZE_FACTOR = 3
FREEZE_LONGER_MS = 150
# With fewer durations there is no mean yet (harness/analysis/derive/freezes.ts).
FREEZE_FEWEST = 5
# The browser's display without a monitor is refreshed at 60 Hz.
REFRESH_MS = 1000 / 60
# Up to this the delays of the page are not used: two refreshes and a half.
SHORT_MS = 2.5 * REFRESH_MS
# A browser that sends no feedback for this share of a time longer than SILENT_FROM_MS was held up, so it
# showed no frame without a callback meanwhile.
SILENT_SHARE = 0.75
SILENT_FROM_MS = 150
# More frames than any browser shows, a ms and at once: the record is damaged, and there is no room for them.
MOST_A_MS, MOST_AT_ONCE = 1, 1000
# Waits that differ by less are treated as equal.
SAME_MS = 2e-3


class Page:
    """How long the page was held up: about once a second it reports the time since its last report."""

    def __init__(self, told, feedback_ms):
        self.ends = np.array([one['timeMs'] for one in told], dtype=float)
        self.begins = np.concatenate(([-np.inf], self.ends[:-1])) if told else self.ends
        self.delays = np.array([one['mainThreadDelayMaxMs'] for one in told], dtype=float)
        self.feedback = np.unique(np.array(feedback_ms, dtype=float))

    def held_up_ms(self, begin, end):
        """The longest time that it was held up between the two times; None where it has no report of them."""
        of = (self.ends >= begin) & (self.begins < end)
        if not of.any():
            return None
        if len(self.feedback) > 0 and end - begin > SILENT_FROM_MS:
            inside = self.feedback[(self.feedback > begin) & (self.feedback < end)]
            if np.diff(np.concatenate(([begin], inside, [end]))).max() > SILENT_SHARE * (end - begin):
                return 0.0
        return self.delays[of].max()


class Presentation:
    """
    Times at which frames were shown, ascending, and for each of them the shortest value that the wait before
    it can have had.
    """

    def __init__(self, frames, page):
        times, least = [], []
        before, count = None, 0
        for frame in frames:
            now = frame['presentationMs']
            if before is not None and now <= before:
                continue  # shown no later than the one before: the next count includes it
            if before is None:
                times.append(now)
                least.append(0.0)
            else:
                unseen = max(0, frame['presentedFrames'] - count - 1)
                waits, shortest = _waits(before, now, unseen, page)
                times += [*(now - np.cumsum(waits[:0:-1])[::-1]), now]
                least += [shortest, *waits[1:]]
            before, count = now, frame['presentedFrames']
        self.times, self.least = np.array(times), np.array(least)

    def gaps(self, start_ms, end_ms):
        """
        Waits that overlap the window, as rows of (length, shortest length, part inside). The wait that has
        not ended with the window is included, with the length that it had at the window's end.
        """
        times, least = self.times, self.least
        ended = np.flatnonzero((times[1:] > start_ms) & (times[1:] <= end_ms)) + 1
        rows = [(times[i] - times[i - 1], least[i], times[i] - max(times[i - 1], start_ms)) for i in ended]
        before = times[times <= end_ms]
        if len(before) > 0 and before[-1] < end_ms:
            rows.append((end_ms - before[-1], end_ms - before[-1], end_ms - max(before[-1], start_ms)))
        return np.array(rows).reshape(-1, 3)


def _waits(begin, end, unseen, page):
    """The waits between two callbacks, and the shortest length that the first of them can have had."""
    whole = end - begin
    if unseen > MOST_A_MS * whole + MOST_AT_ONCE:
        raise ValueError(f'{unseen} frames without a callback in {whole} ms')
    if unseen == 0:
        return np.array([whole]), whole
    held_up = None if whole <= SHORT_MS else page.held_up_ms(begin, end)
    is_open = whole if held_up is None else min(whole, held_up + REFRESH_MS)
    even = whole / (unseen + 1)
    taken = min(unseen * REFRESH_MS, is_open, whole - even)
    return np.concatenate(([whole - taken], np.full(unseen, taken / unseen))), max(even, whole - is_open)


def of_trial(trial):
    offset = trial.server_offset_ms
    packets = trial.media('packets')
    feedback = [line['feedbackMs'] + offset for line in packets if line.get('feedbackMs') is not None]
    return Presentation(trial.media('frames.presented'), Page(trial.media('page'), feedback))


def frame_rate(presentation, start_ms, end_ms):
    """Frames shown in (start, end], a second."""
    times = presentation.times
    if len(times) == 0:
        return None
    shown = np.count_nonzero((times > start_ms) & (times <= end_ms))
    return Estimate.exact(shown * 1000 / (end_ms - start_ms))


def longest_gap_ms(presentation, start_ms, end_ms):
    """The longest wait, and the shortest length that it can have had: of several equal waits, their range."""
    if len(presentation.times) == 0:
        return None, None
    gaps = presentation.gaps(start_ms, end_ms)
    if len(gaps) == 0:
        return Estimate.exact(0.0), Estimate.exact(0.0)
    longest = gaps[:, 0].max()
    least = gaps[gaps[:, 0] >= longest - SAME_MS, 1]
    return Estimate.exact(longest), Estimate(least.min(), least.max())


def stall_threshold_ms(trial):
    """What the study set, or the rule at the frame rate that the service captures."""
    if trial.headline_stall_ms is not None:
        return trial.headline_stall_ms
    rate = trial.captured_fps
    return STALL_MS if rate is None else max(STALL_MS, STALL_PERIODS * 1000 / rate)


def stalls(presentation, start_ms, end_ms, threshold_ms):
    """Number and stalled time, s, of gaps over the threshold; the time is the part inside the window."""
    if len(presentation.times) == 0:
        return None, None
    gaps = presentation.gaps(start_ms, end_ms)
    is_long = gaps[:, 0] > threshold_ms
    return Estimate.exact(np.count_nonzero(is_long)), Estimate.exact(gaps[is_long, 2].sum() / 1000)


def freezes(presentation, start_ms, end_ms):
    """
    Number and frozen time, s, of W3C's freezes that end inside the window or have not ended with it; the time
    is the part inside.
    """
    times = presentation.times[presentation.times <= end_ms]
    if len(presentation.times) == 0:
        return None, None
    ends = np.append(times[1:], end_ms) if len(times) > 0 and times[-1] < end_ms else times[1:]
    number, time_ms = 0, 0.0
    for place, (before, after) in enumerate(zip(times, ends)):
        durations = min(FREEZE_MEAN_OF, place)
        if after <= start_ms or durations < FREEZE_FEWEST:
            continue
        mean = (before - times[place - durations]) / durations
        if after - before >= max(FREEZE_FACTOR * mean, mean + FREEZE_LONGER_MS):
            number += 1
            time_ms += after - max(before, start_ms)
    return Estimate.exact(number), Estimate.exact(time_ms / 1000)


def latencies_ms(presented, sent, server_offset_ms, start_ms, end_ms):
    """Times from capture to presentation, by RTP timestamp, of frames presented in (start, end]."""
    encoded = [line for line in sent if 'skipped' not in line]
    captured = {line['rtpTimestamp']: line['captureMs'] + server_offset_ms for line in encoded}
    return np.array(
        [
            line['presentationMs'] - captured[line['rtpTimestamp']]
            for line in presented
            if line['rtpTimestamp'] in captured and start_ms < line['presentationMs'] <= end_ms
        ]
    )
