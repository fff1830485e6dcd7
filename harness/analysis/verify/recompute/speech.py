"""
Speech quality of what the listener heard, by ViSQOL (Chinen et al., "ViSQOL v3", QoMEX 2020) as the package
visqol-python has it: speech mode with its exponential mapping, since the network of its other mapping needs a runtime
of its own. The window is scored in pieces, because the score is made for some seconds of speech.

The package agrees with the published example of ViSQOL (conformance.h, kConformanceSpeechCA01TranscodedExponential):
3.3756 for 3.3745.
"""

import base64
import logging
from importlib.metadata import version
from pathlib import Path

import numpy as np

from .folder import read_json
from .voice import PER_MS, looped, signals_of

# Length of the pieces, ms: the authors advise 5 to 10 s.
PIECE_MS = 8000
RATE_HZ = 1000 * PER_MS
# Pieces of a clip that tell the score of the codec alone, at most, and the longest delay of the codec, ms.
MOST_PIECES, CODEC_MS = 5, 50
# Score of a piece in which nothing was heard: the least of the scale.
LEAST = 1.0
FULL_SCALE = 32768

LIBRARY = 'visqol-python'


def scorer():
    """The library, in the mode for speech. Raises ImportError where it was not brought."""
    from visqol import VisqolApi

    # it warns of what is chosen here, such as the mapping
    logging.getLogger('visqol').setLevel(logging.ERROR)
    api = VisqolApi()
    api.create(mode='speech', use_lattice_model=False)
    return api


def pieces_of(trial):
    """
    What was spoken (None if that is not known) and what was heard in each whole piece of the window; empty without a
    voice.
    """
    signals = signals_of(trial)
    if signals is None:
        return []
    length = PIECE_MS * PER_MS
    pieces = []
    for start_ms in np.arange(trial.start_ms, trial.end_ms - PIECE_MS + 1e-9, PIECE_MS):
        begin = signals.heard.sample_at(start_ms)
        heard = signals.heard.samples[max(0, begin) : begin + length]
        if len(heard) < length:
            continue
        if len(signals.delays) == 0:
            # no chirp of the window was heard, so nothing of the voice was
            pieces.append((None, heard))
            continue
        # the last chirp before tells the delay; ViSQOL follows smaller changes within the piece
        known = signals.delays[signals.said <= start_ms]
        delay_ms = known[-1] if len(known) else signals.delays[0]
        place = round((start_ms - delay_ms - signals.spoken_ms) * PER_MS)
        pieces.append((looped(signals.clip, place, length), heard))
    return pieces


def scores_of(trial, api):
    """MOS-LQO of each piece, from 1 to 5."""
    return [
        LEAST
        if spoken is None or not heard.any()
        else float(api.measure_from_arrays(spoken / FULL_SCALE, heard / FULL_SCALE, RATE_HZ).moslqo)
        for spoken, heard in pieces_of(trial)
    ]


def _codec_score(spoken, decoded, api):
    """The score of a clip that was encoded and decoded without a network; the codec's delay is taken out."""
    second = 1000 * PER_MS
    # the delay at which the second of the clip that has most energy agrees best
    begin = second * int(np.argmax([(spoken[k : k + second] ** 2).sum() for k in range(0, len(spoken), second)]))
    wave, most = looped(spoken, begin, second), CODEC_MS * PER_MS
    delay = int(np.argmax(np.correlate(looped(decoded, begin, second + most), wave, mode='valid')))
    length = PIECE_MS * PER_MS
    count = min(MOST_PIECES, -(-len(spoken) // length))
    scores = []
    for begin in (k * len(spoken) // count for k in range(count)):
        was, became = looped(spoken, begin, length), looped(decoded, begin + delay, length)
        scores.append(float(api.measure_from_arrays(was / FULL_SCALE, became / FULL_SCALE, RATE_HZ).moslqo))
    return float(np.mean(scores))


def codec_scores(path, api):
    """
    By trial: the score of its voice after the codec alone, and the settings of the codec; or None and why there is no
    score. The file has each clip once for each of the codec's settings.
    """
    told = {}
    for one in read_json(Path(path), 'score it again'):
        score = None
        if one['reason'] is None:
            spoken, decoded = (np.frombuffer(base64.b64decode(one[key]), dtype='<i2').astype(float) for key in PCM)
            score = _codec_score(spoken, decoded, api)
        told |= dict.fromkeys(one['trials'], (score, one['settings'] if one['reason'] is None else one['reason']))
    return told


def _codec_of(codec, name):
    if codec is None:
        return {}
    alone, note = codec.get(name, (None, 'the record does not tell how it was encoded'))
    return {'codecAlone': alone, 'codec': note}


# what was spoken, and what the codec alone makes of it
PCM = 'spoken', 'decoded'


def rows_of(run, codec_path=None):
    """
    Trial, condition, mean and lowest score, number of pieces, and score of the codec alone, of each trial that counts
    and has a voice.
    """
    api = scorer()
    codec = None if codec_path is None else codec_scores(codec_path, api)
    rows = []
    for entry in run.entries:
        scores = scores_of(run.trial(entry['name']), api)
        if scores:
            rows.append(
                {
                    'trial': entry['name'],
                    'condition': entry['condition'],
                    'score': float(np.mean(scores)),
                    'lowest': min(scores),
                    'pieces': len(scores),
                }
                | _codec_of(codec, entry['name'])
            )
    return rows


def words_of(rows):
    """The scores in lines, those of the conditions last."""
    if not rows:
        return f'No trial has a voice of at least {PIECE_MS / 1000:g} s.'
    lines = [
        f'{row["trial"]}: {row["score"]:.2f} (lowest of {row["pieces"]} {"piece" if row["pieces"] == 1 else "pieces"} '
        f'of {PIECE_MS / 1000:g} s: {row["lowest"]:.2f}){_codec_words(row)}'
        for row in rows
    ]
    for condition in dict.fromkeys(row['condition'] for row in rows):
        own = [row for row in rows if row['condition'] == condition]
        alone = [row['codecAlone'] for row in own if row.get('codecAlone') is not None]
        lines.append(
            f'{condition}: median of the trials {np.median([row["score"] for row in own]):.2f}, n = {len(own)}'
            + (f'; codec alone {np.median(alone):.2f}' if alone else '')
        )
    return '\n'.join(['Speech quality (MOS-LQO from 1 to 5):', *lines, source()])


def _codec_words(row):
    if 'codec' not in row:
        return ''
    if row['codecAlone'] is None:
        return f'; codec alone not known: {row["codec"]}'
    return f'; codec alone {row["codecAlone"]:.2f} ({row["codec"]})'


def source():
    return f'ViSQOL by {LIBRARY} {version(LIBRARY)}, speech mode, exponential mapping'
