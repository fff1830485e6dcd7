"""
What the listener heard of a voice (voice.heard.jsonl): the chirps, by which the delay from mouth to ear is known, and
the gaps, in which what was heard is not what was spoken. That is a clip in a loop (voice.clip.jsonl, voice.sent.jsonl),
or what a browser captured (voice.spoken.jsonl).

The rules are those of docs/reading-results.md ("Interruptions of the voice", "Mouth-to-ear delay"). A block whose
agreement is near the limit may be judged otherwise here, so that a gap may begin or end a block earlier or later.
"""

import base64
from typing import NamedTuple

import numpy as np
from scipy.signal import fftconvolve

from .estimate import Estimate

PER_MS = 16
# Chirps (core/vocabulary/voice.ts): the first, the distance of two, the length, the silence behind one; ms, Hz.
FIRST_MS, INTERVAL_MS, CHIRP_MS, MARGIN_MS = 1000, 2000, 40, 10
LOW_HZ, HIGH_HZ = 800, 3200
LONGEST_MS, NEAR_CHIRP_MS, LEAST_CHIRP = 3500, 60, 0.7
# Blocks: length, distance, least agreement, change of the delay from block to block.
BLOCK_MS, HOP_MS, LEAST, NEAR_MS = 20, 10, 0.6, 8
LONG_MS, LEAST_LONG, SHORTER_MS, LONGER_MS = 60, 0.7, 400, 120
CHANCE_BLOCKS, SEAM_BLOCKS, QUIET = 2, 2, 0.01
# Borders of gaps: agreement and change of the delay there, how far a border may be before the block that shows it.
BORDER, NEAR_BORDER_MS, EARLIER_BEGIN_MS, EARLIER_END_MS = 0.5, 1, 50, 80
# Parts of what was heard: from this distance on something is missing, and how many tell the time of one.
JUMP_MS, PARTS_AHEAD = 40, 40
# A voice that was captured: differences of the clocks of samples and times that are left alone, pieces with at most one
# chirp, least agreement of a chirp there; ms.
TOLERANCE_MS, PIECE_MS, LEAST_CAPTURED = 1, 1000, 0.9
# How far from the window the record of what was spoken or heard may end.
SLACK_MS = 1500
# libwebrtc counts an interruption from this length on (statistics_calculator.cc).
INTERRUPTION_MS = 150


def _samples(text):
    return np.frombuffer(base64.b64decode(text), dtype='<i2').astype(float)


def _rounded(value):
    return int(np.floor(value + 0.5))


class _Heard:
    """All samples in a row, with zeros where nothing was passed on, and the times of some of them."""

    def __init__(self, lines):
        parts = [_samples(line['pcm']) for line in lines]
        before = np.concatenate(([0], np.cumsum([len(part) for part in parts])[:-1])) / PER_MS
        begins = np.array([line['timeMs'] for line in lines]) - before
        starts = [begins[k : k + PARTS_AHEAD].min() + before[k] for k in range(len(parts))]
        pieces, at, times, end = [], [], [], 0
        for k, part in enumerate(parts):
            missing = 0 if k == 0 else starts[k] - starts[k - 1] - len(parts[k - 1]) / PER_MS
            if missing > JUMP_MS:
                at.append(end)
                times.append(starts[k] - missing)
                pieces.append(np.zeros(_rounded(missing * PER_MS)))
                end += len(pieces[-1])
            at.append(end)
            times.append(starts[k])
            pieces.append(part)
            end += len(part)
        self.samples = np.concatenate(pieces)
        self.at, self.times = np.array(at), np.array(times)

    def time_of(self, sample):
        k = max(0, np.searchsorted(self.at, sample, side='right') - 1)
        return self.times[k] + (sample - self.at[k]) / PER_MS

    def sample_at(self, time):
        k = max(0, np.searchsorted(self.times, time, side='right') - 1)
        return int(self.at[k]) + _rounded((time - self.times[k]) * PER_MS)


def _chirp(is_up):
    seconds = np.arange(CHIRP_MS * PER_MS) / (1000 * PER_MS)
    low, high = (LOW_HZ, HIGH_HZ) if is_up else (HIGH_HZ, LOW_HZ)
    swept = low * seconds + (high - low) * seconds**2 / (2 * CHIRP_MS / 1000)
    return np.hanning(len(seconds)) * np.sin(2 * np.pi * swept)


def _agreement(wave, samples):
    """Normalised correlation of the wave with the samples from each sample on."""
    products = fftconvolve(samples, wave[::-1], mode='valid')
    sums = np.concatenate(([0], np.cumsum(samples**2)))
    energy = np.maximum(sums[len(wave) :] - sums[: -len(wave)], 1e-9)
    return products / np.sqrt(energy * (wave**2).sum())


def _clip_places(length):
    """Place of each chirp of a clip, ms, and whether it sweeps up."""
    places = np.arange(FIRST_MS, length / PER_MS - CHIRP_MS - MARGIN_MS + 1e-9, INTERVAL_MS)
    return [(at_ms, k % 2 == 0) for k, at_ms in enumerate(places)]


def _captured(lines):
    """What a microphone captured, at even times: with zeros where it left out a block."""
    told = _Heard(lines)
    pieces, end = [], 0
    for k, at in enumerate(told.at):
        due = _rounded((told.times[k] - told.times[0]) * PER_MS)
        if due - end > TOLERANCE_MS * PER_MS:
            pieces.append(np.zeros(due - end))
            end = due
        pieces.append(told.samples[at : told.at[k + 1] if k + 1 < len(told.at) else None])
        end += len(pieces[-1])
    return np.concatenate(pieces), float(told.times[0])


def _captured_places(samples):
    """The same as of a clip, searched in what was captured."""
    agreements = {is_up: _agreement(_chirp(is_up), samples) for is_up in (True, False)}
    places = []
    for begin in range(0, len(agreements[True]), PIECE_MS * PER_MS):
        for is_up, agreement in agreements.items():
            best = begin + int(np.argmax(agreement[begin : begin + PIECE_MS * PER_MS]))
            if agreement[best] >= LEAST_CAPTURED:
                places.append((best / PER_MS, is_up))
    return places


def _chirps(places, length, spoken_ms, heard, start_ms, end_ms):
    """When each chirp of the window that was heard was spoken, and its delay, ms."""
    length_ms = length / PER_MS
    agreements = {is_up: _agreement(_chirp(is_up), heard.samples) for is_up in (True, False)}
    said, delays = [], []
    for number in range(max(0, int((start_ms - spoken_ms) // length_ms)), int((end_ms - spoken_ms) // length_ms) + 1):
        for at_ms, is_up in places:
            at = spoken_ms + number * length_ms + at_ms
            if not start_ms <= at < end_ms:
                continue
            found = None
            if delays:
                near = max(0, delays[-1] - NEAR_CHIRP_MS), delays[-1] + NEAR_CHIRP_MS
                found = _search(agreements[is_up], heard, at, *near)
            if found is None:
                found = _search(agreements[is_up], heard, at, 0, LONGEST_MS)
            if found is not None:
                said.append(at)
                delays.append(found)
    return np.array(said), np.array(delays)


def _search(agreement, heard, said, from_ms, to_ms):
    begin = heard.sample_at(said)
    low = max(0, begin + _rounded(from_ms * PER_MS))
    high = min(len(agreement) - 1, begin + _rounded(to_ms * PER_MS))
    if high < low:
        return None
    best = low + int(np.argmax(agreement[low : high + 1]))
    return heard.time_of(best) - said if agreement[best] >= LEAST_CHIRP else None


class _Matcher:
    """Follows the voice: the delay at which what is heard agrees with what was spoken."""

    def __init__(self, clip, spoken_ms, heard, delay_ms):
        self.clip, self.heard = clip, heard.samples
        self.place_of = lambda begin: _rounded((heard.time_of(begin) - spoken_ms) * PER_MS)
        # from the first and from the second sample on: a delay of an odd number of samples may agree with one only
        self.half_clip, self.half_heard = _halved(clip), (_halved(heard.samples), _halved(heard.samples[1:]))
        self.quiet = (clip**2).mean() * QUIET**2 * BLOCK_MS * PER_MS
        self.delay, self.gap = _rounded(delay_ms * PER_MS), 0

    def agrees(self, begin, before):
        """Whether the block from `begin` on is what was spoken; `before` where that was silence."""
        length, place = BLOCK_MS * PER_MS, self.place_of(begin)
        if (looped(self.clip, place - self.delay, length) ** 2).sum() < self.quiet:
            return before
        found = self._near(begin, place, self.delay)
        if found is None:
            least = max(0, self.delay - SHORTER_MS * PER_MS) >> 1
            most = (self.delay + self.gap + LONGER_MS * PER_MS) >> 1
            long = (LONG_MS * PER_MS) >> 1
            for phase, half in enumerate(self.half_heard):
                agreement, shift = _best(half, begin >> 1, long, self.half_clip, place >> 1, least, most)
                if agreement >= LEAST_LONG:
                    found = self._near(begin, place, 2 * shift + phase + (place & 1) - (begin & 1))
                    break
        if found is None:
            self.gap += HOP_MS * PER_MS
            return False
        self.delay, self.gap = found, 0
        return True

    def before_border(self, begin, most_ms, delay, sign):
        """How many blocks before the one at `begin` are as it is: voice (sign 1) or gap (sign -1)."""
        count = min(most_ms // HOP_MS, begin // (HOP_MS * PER_MS))
        begins = [begin - k * HOP_MS * PER_MS for k in range(1, count + 1)]
        weights = [sign * (self._at(one, self.place_of(one), delay, NEAR_BORDER_MS)[0] - BORDER) for one in begins]
        sums = np.concatenate(([0], np.cumsum(weights)))
        return int(np.argmax(sums))

    def _at(self, begin, place, delay, near_ms):
        near = near_ms * PER_MS
        return _best(self.heard, begin, BLOCK_MS * PER_MS, self.clip, place, delay - near, delay + near)

    def _near(self, begin, place, delay):
        agreement, shift = self._at(begin, place, delay, NEAR_MS)
        return shift if agreement >= LEAST else None


def looped(clip, begin, length):
    return clip[np.arange(begin, begin + length) % len(clip)]


def _halved(samples):
    even = samples[: len(samples) // 2 * 2]
    return (even[::2] + even[1::2]) / 2


def _best(heard, begin, length, clip, place, least, most):
    """The highest normalised correlation over the shifts, and its shift."""
    block = heard[begin : begin + length]
    energy = (block**2).sum()
    if energy == 0:
        return 0, least
    piece = looped(clip, place - most, most - least + length)
    sums = np.concatenate(([0], np.cumsum(piece**2)))
    energies = np.maximum(sums[length:] - sums[:-length], 1e-9)
    agreement = np.correlate(piece, block, mode='valid') / np.sqrt(energy * energies)
    best = int(np.argmax(agreement))
    return max(0, agreement[best]), most - best


def _gaps(clip, spoken_ms, heard, start_ms, end_ms, delay_ms):
    """Begin and end of each gap, and the delay before it, ms."""
    matcher = _Matcher(clip, spoken_ms, heard, delay_ms)
    last = min(len(heard.samples) - LONG_MS * PER_MS, heard.sample_at(end_ms))
    agrees, times, delays = [], [], []
    settled = EARLIER_BEGIN_MS // HOP_MS + 1
    for begin in range(max(0, heard.sample_at(start_ms)), last, HOP_MS * PER_MS):
        before = agrees[-1] if agrees else True
        is_so = matcher.agrees(begin, before)
        count = 0
        if is_so and not before:
            count = matcher.before_border(begin, EARLIER_END_MS, matcher.delay, 1)
        elif before and not is_so and len(delays) >= settled:
            count = matcher.before_border(begin, EARLIER_BEGIN_MS, delays[-settled], -1)
        count = min(count, len(agrees))
        agrees[len(agrees) - count :] = [is_so] * count
        agrees.append(is_so)
        delays.append(matcher.delay)
        times.append(heard.time_of(begin + BLOCK_MS * PER_MS / 2))
    runs = []
    for k, is_so in enumerate(agrees):
        if is_so:
            continue
        if runs and k - runs[-1][1] - 1 <= CHANCE_BLOCKS:
            runs[-1][1] = k
        else:
            runs.append([k, k])
    return [
        (
            max(start_ms, times[begin] - HOP_MS / 2),
            min(end_ms, times[to] + HOP_MS / 2),
            delay_ms if begin == 0 else delays[begin - 1] / PER_MS,
        )
        for begin, to in runs
        if to - begin >= SEAM_BLOCKS
    ]


class Signals(NamedTuple):
    """
    What was spoken and when it began, up to when it is known (at most the end of the window), what was heard, and when
    each chirp that was heard was spoken, with its delay, ms.
    """

    clip: np.ndarray
    spoken_ms: float
    end_ms: float
    heard: _Heard
    said: np.ndarray
    delays: np.ndarray


def signals_of(trial):
    """The voice of a trial; None where the application sends none, or where the record ends before the window."""
    lines, start = trial.media('voice.heard'), trial.start_ms
    said = _spoken(trial)
    if said is None or not _reaches_over(lines, trial):
        return None
    spoken, spoken_ms, places, end = said
    heard = _Heard(lines)
    found = _chirps(places, len(spoken), spoken_ms, heard, start, end)
    return Signals(spoken, spoken_ms, end, heard, *found)


def gaps_of(signals, trial):
    """Begin and end of each gap in the window, and the delay before it, ms. Some chirp was heard. It is kept."""
    if trial.voice_gaps is None:
        spoken, spoken_ms, end, heard, _, delays = signals
        trial.voice_gaps = _gaps(spoken, spoken_ms, heard, trial.start_ms, end, delays[0])
    return trial.voice_gaps


def _reaches_over(lines, trial):
    if not lines:
        return False
    return lines[0]['timeMs'] <= trial.start_ms + SLACK_MS and lines[-1]['timeMs'] >= trial.end_ms - SLACK_MS


def _spoken(trial):
    """What was spoken, when it began, the places of its chirps, and up to when it is known; None if it is not."""
    clip, sent, lines = trial.media('voice.clip'), trial.media('voice.sent'), trial.media('voice.spoken')
    if clip and sent:
        samples = np.concatenate([_samples(line['pcm']) for line in clip])
        spoken_ms = sent[0]['spokenMs'] + trial.server_offset_ms - sent[0]['clipMs']
        return samples, spoken_ms, _clip_places(len(samples)), trial.end_ms
    if not _reaches_over(lines, trial):
        return None
    samples, spoken_ms = _captured(lines)
    places = _captured_places(samples)
    if not places:
        return None
    return samples, spoken_ms, places, min(trial.end_ms, spoken_ms + len(samples) / PER_MS)


def of_trial(trial):
    """The estimates of a trial, by metric; empty where the application sends no voice."""
    signals = signals_of(trial)
    if signals is None:
        return {}
    start, delays = trial.start_ms, signals.delays
    gaps = [(start, trial.end_ms, 0)] if len(delays) == 0 else gaps_of(signals, trial)
    lengths = np.array([end - begin for begin, end, _ in gaps])
    # a gap may begin and end a block elsewhere, and a short one may be none
    most, least = lengths + 2 * HOP_MS, np.maximum(0, lengths - 2 * HOP_MS)
    window_s = (trial.end_ms - start) / 1000
    counts = [int((some >= INTERRUPTION_MS).sum()) for some in (least, most)]
    times = [some[some >= INTERRUPTION_MS].sum() / 1000 for some in (least, most)]
    estimates = {
        'voice-interruptions': Estimate(*counts),
        'voice-interruption-rate': Estimate(*(count * 60 / window_s for count in counts)),
        'voice-interruption-time': Estimate(*times),
        'voice-gap-share': Estimate(
            least.sum() / 1000 / window_s, (most.sum() + (SEAM_BLOCKS + 1) * HOP_MS) / 1000 / window_s
        ),
    }
    for metric, share in [('mouth-to-ear-median', 0.5), ('mouth-to-ear-p95', 0.95)]:
        # a chirp is found to a sample
        value = float(np.quantile(delays, share)) if len(delays) else None
        estimates[metric] = None if value is None else Estimate(value - 1 / PER_MS, value + 1 / PER_MS)
    return estimates
