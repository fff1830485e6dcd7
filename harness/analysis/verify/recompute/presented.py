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
# A coded frame that only repeats the picture has a few bytes in each packet: headers, and one count of skipped
# macroblocks (ITU-T H.264, 7.3.3 and 7.3.4; docs/reading-results.md, "still-picture-count").
REPEATING_BYTES = 16
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
        rows = [
            (end - begin, self.least[i] if i < len(self.times) else end - begin, end - max(begin, start_ms))
            for i, begin, end in _waits_in(self.times, start_ms, end_ms)
        ]
        return np.array(rows).reshape(-1, 3)


def _waits_in(times, start_ms, end_ms):
    """
    (place of its end in `times`, begin, end) of each wait that overlaps the window; the one that has not ended with
    the window ends there.
    """
    known = times[times <= end_ms]
    for place in np.flatnonzero(known[1:] > start_ms) + 1:
        yield place, known[place - 1], known[place]
    if len(known) > 0 and known[-1] < end_ms:
        yield len(times), known[-1], end_ms


def _unplanned(times, start_ms, end_ms, pauses, longer_than_ms):
    """
    (begin, end) inside the window of the waits that are longer than this. A wait with a pause of the sender in it
    begins with the end of its last pause.
    """
    for _, begin, end in _waits_in(times, start_ms, end_ms):
        over = [until for since, until in pauses if since < end and until > max(begin, start_ms)]
        since = max(over, default=begin)
        if end - since > longer_than_ms:
            yield max(since, start_ms), end


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


def frame_rate(presentation, start_ms, end_ms, window_s):
    """Frames shown in (start, end], for each second in which the sender did not pause."""
    times = presentation.times
    if len(times) == 0:
        return None
    shown = np.count_nonzero((times > start_ms) & (times <= end_ms))
    return Estimate.exact(shown / window_s) if window_s > 0 else None


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


def stalls(presentation, start_ms, end_ms, threshold_ms, pauses=()):
    """Number and stalled time, s, of gaps over the threshold; the time is the part inside the window."""
    if len(presentation.times) == 0:
        return None, None
    gaps = list(_unplanned(presentation.times, start_ms, end_ms, pauses, threshold_ms))
    return Estimate.exact(len(gaps)), Estimate.exact(sum(end - begin for begin, end in gaps) / 1000)


def still_pictures(trial, presentation):
    """
    Number and length, s, of the times over the threshold of stalls in which frames were shown and none of them changed
    the picture; the length is the part inside the window, without the stalls in it.
    """
    shown = trial.media('frames.presented')
    sent = [line for line in trial.media('frames.sent') if 'skipped' not in line]
    clip = (trial.own.get('facts') or {}).get('clip') or {}
    if len(shown) == 0 or len(sent) == 0 or clip.get('stillRatio', 0) > 0:
        return None, None
    repeating = {
        line['rtpTimestamp'] for line in sent if not line['key'] and line['bytes'] <= REPEATING_BYTES * line['packets']
    }
    repeated = np.unique([line['presentationMs'] for line in shown if line['rtpTimestamp'] in repeating])
    changes = presentation.times[~np.isin(presentation.times, repeated)]
    threshold_ms = stall_threshold_ms(trial)
    window = trial.start_ms, trial.end_ms
    still = [
        (begin, end)
        for begin, end in _unplanned(changes, *window, trial.pauses, threshold_ms)
        if np.any((repeated > begin) & (repeated < end))
    ]
    stalled = [
        (begin, end)
        for begin, end in _unplanned(presentation.times, *window, trial.pauses, threshold_ms)
        if any(begin < until and end > since for since, until in still)
    ]
    length_ms = sum(end - begin for begin, end in still) - sum(end - begin for begin, end in stalled)
    return Estimate.exact(len(still)), Estimate.exact(length_ms / 1000)


def freezes(presentation, start_ms, end_ms, pauses=()):
    """
    Number and frozen time, s, of W3C's freezes that end inside the window or have not ended with it; the time
    is the part inside. A time between frames in which the sender paused is none, and not in the mean.
    """
    times = presentation.times[presentation.times <= end_ms]
    if len(presentation.times) == 0:
        return None, None
    ends = np.append(times[1:], end_ms) if len(times) > 0 and times[-1] < end_ms else times[1:]
    number, time_ms, durations = 0, 0.0, []
    for before, after in zip(times, ends):
        if any(since < after and until > before for since, until in pauses):
            continue
        recent = durations[-FREEZE_MEAN_OF:]
        durations.append(after - before)
        if after <= start_ms or len(recent) < FREEZE_FEWEST:
            continue
        mean = sum(recent) / len(recent)
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
