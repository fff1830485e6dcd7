"""
Speech quality of what the listener heard, by ViSQOL (Chinen et al., "ViSQOL v3", QoMEX 2020) as the package
visqol-python has it: speech mode with its exponential mapping, since the network of its other mapping needs a runtime
of its own. The window is scored in pieces, because the score is made for some seconds of speech.

The package agrees with the published example of ViSQOL (conformance.h, kConformanceSpeechCA01TranscodedExponential):
3.3756 for 3.3745.
"""

import logging
from importlib.metadata import version

import numpy as np

from .voice import PER_MS, looped, signals_of

# Length of the pieces, ms: the authors advise 5 to 10 s.
PIECE_MS = 8000
RATE_HZ = 1000 * PER_MS
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


def rows_of(run):
    """Trial, condition, mean and lowest score, and number of pieces, of each trial that counts and has a voice."""
    api = scorer()
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
            )
    return rows


def words_of(rows):
    """The scores in lines, those of the conditions last."""
    if not rows:
        return f'No trial has a voice of at least {PIECE_MS / 1000:g} s.'
    lines = [
        f'{row["trial"]}: {row["score"]:.2f} (lowest of {row["pieces"]} {"piece" if row["pieces"] == 1 else "pieces"} '
        f'of {PIECE_MS / 1000:g} s: {row["lowest"]:.2f})'
        for row in rows
    ]
    for condition in dict.fromkeys(row['condition'] for row in rows):
        own = [row['score'] for row in rows if row['condition'] == condition]
        lines.append(f'{condition}: median of the trials {np.median(own):.2f}, n = {len(own)}')
    return '\n'.join(['Speech quality (MOS-LQO from 1 to 5):', *lines, source()])


def source():
    return f'ViSQOL by {LIBRARY} {version(LIBRARY)}, speech mode, exponential mapping'
