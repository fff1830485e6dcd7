"""
The only module that knows how a run folder is laid out (harness/record/series/, trial-file.ts).

The series of each application are in applications/<name>/, those of the network beside trial.json. Times are
Unix ms of the harness's clock. A media server writes times of its own clock: they are moved by its offset.
"""

import json
import re
from functools import cached_property
from pathlib import Path


class FolderError(Exception):
    """The folder cannot be verified: the message says why, the hint says what to do."""

    def __init__(self, message, hint):
        super().__init__(message)
        self.hint = hint


# What a program in Python ends with where the values that it reads have another form than it expects. Inside of a
# generator StopIteration becomes RuntimeError; RecursionError is one, for values in too many brackets.
UNEXPECTED = (
    KeyError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    StopIteration,
)

TRIAL_FORMAT = 4
# Of plan.json.
EXPERIMENT, PAIRS, CONFORMANCE = 4, 'pairs-4', 'conformance-1'
# Of the summary of an experiment.
SUMMARY_FORMAT = 2
UDP = 17
TCP = 6
ICMP = 1

# whatever the locale; an editor may have put a byte order mark in front
TEXT = 'utf-8-sig'

USE_ANOTHER = 'use the version of Coexist that wrote it'


def refuse_others(path):
    """A pipe would wait for its other end, and a device may never end."""
    if path.exists() and not path.is_file():
        raise FolderError(f'{path} is not a file but a folder, a pipe or a device', 'put the file in its place')


def _no_number(word):
    raise ValueError(f'{word} is no number of JSON')


# one for all lines: json.loads would make one for each
DECODER = json.JSONDecoder(parse_constant=_no_number)


def parsed(text):
    """What a JSON text holds. Throws ValueError, or RecursionError for thousands of brackets."""
    return DECODER.decode(text)


def read_json(path, hint):
    refuse_others(path)
    try:
        return parsed(path.read_text(encoding=TEXT))
    except (OSError, ValueError, RecursionError) as error:
        raise FolderError(f'{path} cannot be read: {error}', hint) from error


def shown(value):
    """A value of somebody else's file, as far as a line has room for it."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return 'a value that cannot be shown'
    return text if len(text) <= 60 else f'{text[:57]}...'


def read_lines(path):
    """The objects of a JSON lines file; none where there is no such file."""
    if not path.exists():
        return []
    refuse_others(path)
    hint = 'the file is damaged: take the run from its copy, or leave its trial out'
    lines, number = [], 0
    try:
        with path.open(encoding=TEXT) as file:
            for number, line in enumerate(file, 1):  # noqa: B007, read where one is broken
                if line.strip() != '':
                    lines.append(parsed(line))
    except (ValueError, RecursionError) as error:
        raise FolderError(f'{path} line {max(1, number)} is no JSON: {error}', hint) from error
    return lines


TAKE_THE_COPY = 'trial.json was changed or damaged: take the run from its copy'


def is_file_name(name):
    """Whether it stands for a file or folder in the place that it is joined to."""
    return isinstance(name, str) and re.fullmatch(r'[^./\0][^/\0]*', name) is not None


def read_trial(directory):
    """What trial.json holds."""
    file = read_json(directory / 'trial.json', 'the trial is not complete: take the run from its copy')
    if not isinstance(file, dict) or file.get('format') != TRIAL_FORMAT:
        told = shown(file.get('format')) if isinstance(file, dict) else None
        raise FolderError(f'{directory}/trial.json is of format {told}, not {TRIAL_FORMAT}', USE_ANOTHER)
    try:
        names = [one['name'] for one in [*file['applications'], *file['condition']['applications']]]
        # read only to see that they are there
        file['condition']['id'], file['verdict']['status'], file['phases']
    except (KeyError, TypeError) as error:
        raise FolderError(f'{directory}/trial.json is not that of a trial', TAKE_THE_COPY) from error
    # each has a folder of that name
    for name in names:
        if not is_file_name(name):
            raise FolderError(f'{directory}/trial.json has an application named {shown(name)}', TAKE_THE_COPY)
    return file


class Trial:
    """A trial from the side of one of its applications: by default the subject of the study."""

    def __init__(self, directory, name, application=None, headline_stall_ms=None):
        self.directory = directory
        self.name = name
        # the threshold of stalls that the study set; None where it set none
        self.headline_stall_ms = headline_stall_ms
        self.file = read_trial(directory)
        self.condition = self.file['condition']
        self.application = self._of(self.condition['subject'] if application is None else application)
        self.own = self._record_of(self.application['name'])
        self.start_ms, self.end_ms = self._window_of(self.application)
        self._media = {}
        # the gaps in its voice, once they were searched (voice.gaps_of)
        self.voice_gaps = None

    def _of(self, name):
        return next(one for one in self.condition['applications'] if one['name'] == name)

    def _record_of(self, name):
        return next((one for one in self.file['applications'] if one['name'] == name), {})

    def _window_of(self, application):
        """The part of the measured window in which an application was in use and was read."""
        phases, own = self.file['phases'], self._record_of(application['name'])
        begins, ends = phases['windowStartMs'], phases['windowEndMs']
        if application['startMs'] is not None:
            begins = max(begins, own['readyMs'])
        if application['stopMs'] is not None:
            ends = min(ends, own['stopMs'] if own.get('readMs') is None else own['readMs'])
        return begins, ends

    @cached_property
    def pauses(self):
        """(begin, end) of each time inside the window in which the sender of the application paused, in order."""
        told = [(one['startMs'], one['endMs']) for one in self.own.get('pauses', [])]
        cut = [
            (max(begin, self.start_ms), self.end_ms if end is None else min(end, self.end_ms)) for begin, end in told
        ]
        return [(begin, end) for begin, end in cut if begin < end]

    @property
    def window_s(self):
        """Length of the window without the pauses."""
        return (self.end_ms - self.start_ms - sum(end - begin for begin, end in self.pauses)) / 1000

    @property
    def link(self):
        return self.condition['link']

    @property
    def captured_fps(self):
        """Frames that the service captures in a second; None where it does not say."""
        rate = self.application.get('service', {}).get('params', {}).get('frameRate')
        return rate if isinstance(rate, (int, float)) and rate > 0 else None

    @property
    def direction(self):
        return self.application['direction']

    @cached_property
    def others(self):
        """The trial from the side of each other application."""
        names = [one['name'] for one in self.condition['applications'] if one is not self.application]
        return [Trial(self.directory, self.name, name, self.headline_stall_ms) for name in names]

    def network(self, series):
        return read_lines(self.directory / f'{series}.jsonl')

    def media(self, series):
        """Of the application. It is kept: several quantities are computed from it."""
        if series not in self._media:
            path = self.directory / 'applications' / self.application['name'] / f'{series}.jsonl'
            self._media[series] = read_lines(path)
        return self._media[series]

    @cached_property
    def server_offset_ms(self):
        """To be added to times of the media server."""
        clocks = self.own.get('clocks')
        return clocks['server']['offsetMs'] if clocks else 0

    def hops(self, name=''):
        """(first, last) place of the bottlenecks in the row that an application crosses, by default this one."""
        whose = self.application if name == '' else self._of(name)
        span = self.link.get('paths', {}).get(whose['name'], {}).get('crosses')
        return (span['from'], span['to']) if span else (1, 1 + len(self.link.get('further', [])))

    def places(self):
        """
        (name, direction, place in the row) of each bottleneck but the first one towards the clients, by the names
        that results have.
        """
        for hop, link in enumerate([self.link, *self.link.get('further', [])], 1):
            if hop > 1:
                yield f'hop-{hop}', 'down', hop
            if link.get('up') is not None:
                yield 'up' if hop == 1 else f'hop-{hop}-up', 'up', hop

    def traffic(self, name='', what='traffic', hop=None):
        """
        What the log of a queue says of an application, by default of this one, in its direction and in the window:
        one row for each protocol, or for each flow. The queue is by default the first one that it crosses.
        """
        whose = self.application if name == '' else self._of(name)
        log, place = self.file['queueLog'] or {}, self.hops(name)[0] if hop is None else hop
        if place > 1:
            further = log.get('further', [])
            log = further[place - 2] if place - 2 < len(further) else {}
        return [
            one
            for one in log.get(what, [])
            if one['application'] == whose['name'] and one.get('direction', 'down') == whose['direction']
        ]

    def media_traffic(self, hop=None):
        """The row of the media's UDP traffic at the first queue that it crosses or at another; None without a log."""
        found = [one for one in self.traffic(hop=hop) if one['protocol'] == UDP]
        return max(found, key=lambda one: one['sentBytes']) if found else None

    def has_traffic(self, hop=None):
        """Whether the log of the queue has packets of the application other than pings."""
        return any(one['protocol'] != ICMP for one in self.traffic(hop=hop))

    def media_flows(self):
        """
        (port of the server, port of the client) of the media's UDP flows in the log of the queue: the flow
        with the most bytes comes first.
        """
        flows = [one for one in self.traffic(what='flows') if one['protocol'] == UDP]
        flows.sort(key=lambda one: -one['sentBytes'])
        return [(one['sourcePort'], one['destinationPort']) for one in flows]

    @property
    def capture_path(self):
        """The packet capture of what goes down over the first bottleneck; None where there is none."""
        capture = self.file.get('capture')
        if capture is None or self.direction == 'up' or self.hops()[0] > 1:
            return None
        name = capture['file']
        if not is_file_name(name):
            told = f'{self.directory}/trial.json names no file of its folder as capture: {shown(name)}'
            raise FolderError(told, TAKE_THE_COPY)
        return self.directory / name


class Run:
    """A finished run of an experiment, or of a pairwise study."""

    def __init__(self, path):
        self.path = Path(path)
        give = 'give the folder of a run, the one that holds plan.json and trials/'
        if not (self.path / 'plan.json').is_file() or not (self.path / 'trials').is_dir():
            raise FolderError(f'{path} is not the folder of a run', give)
        plan = read_json(self.path / 'plan.json', give)
        self.plan = plan.get('plan') if isinstance(plan, dict) else None
        if not isinstance(self.plan, dict):
            raise FolderError(f'{path}/plan.json is not that of a run', give)
        kind = self.plan.get('format')
        is_own_kind = isinstance(kind, str) and not kind.startswith('pairs-')
        if kind not in (EXPERIMENT, PAIRS) and not is_own_kind:
            wanted = f'{EXPERIMENT} or "{PAIRS}"'
            raise FolderError(f'{path}/plan.json is of format {shown(kind)}, not {wanted}', USE_ANOTHER)
        self.is_pairs, self.is_conformance = kind == PAIRS, kind == CONFORMANCE
        hint = f'the run has no summary yet: npm run report -- {path}'
        self.summary = read_json(self.path / 'summary.json', hint)
        # any kind of study may have the summary of an experiment
        if is_own_kind and not (isinstance(self.summary, dict) and 'comparisons' in self.summary):
            told = f'{path} is a study of format {shown(kind)}, whose summary is not recomputed'
            raise FolderError(told, 'give the folder of an experiment or of a pairwise study')
        stated = self.summary.get('format') if isinstance(self.summary, dict) else None
        if not self.is_pairs and isinstance(self.summary, dict) and stated != SUMMARY_FORMAT:
            told = f'{path}/summary.json is of format {shown(stated)}, not {SUMMARY_FORMAT}'
            raise FolderError(told, f'write it again: npm run report -- {path}')
        try:
            self.quantities = {one['id']: one for one in self.summary['quantities']}
            if self.is_pairs:
                self.summed = [name for cell in self.summary['cells'] for name in cell['trials']]
            else:
                self.summed = [one['name'] for one in self.entries]
                # read only to see that they are there
                self.summary['conditions'], self.summary['comparisons'], self.summary['machines']
        except (KeyError, TypeError) as error:
            hint = f'write it again: npm run report -- {path}'
            raise FolderError(f'{path}/summary.json is not that of this run', hint) from error

        # headline estimates by trial (trials.headline): they are few, and the series that they are from are long
        self.headlines = {}

    @property
    def entries(self):
        """The trials of an experiment that count, as its summary has them."""
        return [one for one in self.summary['trials'] if one['metrics'] is not None]

    @cached_property
    def _tries(self):
        """(name of the folder, condition, verdict; None of a try that was not measured to its end) of every try."""

        def told(name, file):
            return name, file['condition']['id'], None if file['phases'] is None else file['verdict']['status']

        entries = sorted((self.path / 'trials').iterdir())
        folders = [one for one in entries if one.is_dir() and not one.name.startswith('.')]
        return [told(folder.name, read_trial(folder)) for folder in folders]

    def counted_names(self):
        """Trials that count by their own records; the caller compares them with those of the summary."""
        return [
            name
            for name, _, verdict in self._tries
            if '.void' not in name and verdict is not None and verdict != 'invalid'
        ]

    def measured_names(self, condition):
        """Tries of a condition that were measured to their end, whether they count or not."""
        return [name for name, of, verdict in self._tries if of == condition and verdict is not None]

    def verdicts(self, condition):
        """The verdict of every try of a condition: a try that was not measured to its end is void."""
        return ['invalid' if verdict is None else verdict for _, of, verdict in self._tries if of == condition]

    def trial(self, name, application=None):
        if not is_file_name(name):
            told = f'{self.path}/summary.json has a trial named {shown(name)}'
            raise FolderError(told, f'write it again: npm run report -- {self.path}')
        measure = self.plan.get('measure') or {}
        return Trial(self.path / 'trials' / name, name, application, measure.get('headlineStallMs'))
