"""The rows of a trial: its headline metrics from the raw series, and from the capture where there is one."""

from . import captured, presented, transport, voice, voice_causes
from .capture import Capture, CaptureError
from .estimate import Estimate
from .folder import UNEXPECTED, FolderError, shown
from .rows import Row

exact = Estimate.exact

# the series that have what applications received
RECEIVED = 'stats, tcp, service'

# The quantities that a report speaks of in words: they have their medians over every measured try, and their tests are
# a family of their own.
HEADLINE = ('stall-time', 'frame-rate', 'goodput', 'frame-latency-p95')


def _frames(trial):
    frames = trial.media('frames.presented')
    shown = presented.of_trial(trial)
    window = trial.start_ms, trial.end_ms
    threshold_ms = presented.stall_threshold_ms(trial)
    stall_count, stall_time = presented.stalls(shown, *window, threshold_ms, trial.pauses)
    freeze_count, freeze_time = presented.freezes(shown, *window, trial.pauses)
    still_count, still_time = presented.still_pictures(trial, shown)
    yield 'frame-rate', presented.frame_rate(shown, *window, trial.window_s), 'frames.presented, page'
    longest, least = presented.longest_gap_ms(shown, *window)
    yield 'frame-gap-max', longest, 'frames.presented, page'
    yield 'frame-gap-max-least', least, 'frames.presented, page'
    yield 'stall-count', stall_count, 'frames.presented, page'
    yield 'stall-time', stall_time, 'frames.presented, page'
    yield 'freeze-count', freeze_count, 'frames.presented, page'
    yield 'freeze-time', freeze_time, 'frames.presented, page'
    yield 'still-picture-count', still_count, 'frames.presented, frames.sent, page'
    yield 'still-picture-time', still_time, 'frames.presented, frames.sent, page'
    latencies = presented.latencies_ms(frames, trial.media('frames.sent'), trial.server_offset_ms, *window)
    yield 'frame-latency-median', exact(transport.quantile(latencies, 0.5)), 'frames.presented, frames.sent'
    yield 'frame-latency-p95', exact(transport.quantile(latencies, 0.95)), 'frames.presented, frames.sent'


def _goodput(trial):
    yield 'goodput', exact(transport.goodput_bps(trial, [trial])), RECEIVED


def _together(trial):
    """Estimates of the applications other than the subject, together."""
    yield 'goodput', exact(transport.goodput_bps(trial, trial.others)), RECEIVED


def _bottleneck(trial, direction, hop=1):
    yield 'queue-drops', exact(transport.queue_drops(trial, direction, hop)), 'trial.json'
    yield 'link-utilisation', exact(transport.utilisation(trial, direction, hop)), 'trial.json'


def _media_at_queue(trial, hop=None):
    queue = transport.MediaAtQueue(trial, hop)
    if len(queue.delays) > 0 or not trial.has_traffic(hop):
        yield 'queue-delay-median', queue.quantile_ms(0.5), 'queue.media'
        yield 'queue-delay-p95', queue.quantile_ms(0.95), 'queue.media'
        yield 'queue-loss', queue.loss(), 'queue.media'
        if queue.has_ecn:
            yield 'marked-share', queue.marked_share(), 'queue.media'


def _at_place(trial, direction, hop):
    """Estimates of a bottleneck behind the first one, or of one from the clients, whose queue has no log of its own."""
    yield from _bottleneck(trial, direction, hop)
    if direction == 'down':
        yield from _media_at_queue(trial, hop)


def _transport(trial, told):
    own, others = transport.goodput_bps(trial, [trial]), transport.goodput_bps(trial, trial.others)
    yield 'jain-index', exact(transport.jain(own, others)), RECEIVED
    answered, lost = transport.pings(trial)
    sent = len(answered) + lost
    yield 'rtt-mean', exact(answered.mean()) if len(answered) else None, 'ping'
    yield 'rtt-median', exact(transport.quantile(answered, 0.5)), 'ping'
    yield 'rtt-p95', exact(transport.quantile(answered, 0.95)), 'ping'
    yield 'ping-loss', exact(lost / sent) if sent else None, 'ping'
    yield 'loss', exact(transport.media_loss(told)), 'packets'
    yield from _bottleneck(trial, 'down')
    yield from _media_at_queue(trial)


def _voice(trial):
    for metric, estimate in voice.of_trial(trial).items():
        yield metric, estimate, 'voice.clip and voice.sent, or voice.spoken; voice.heard'
    for metric, estimate in voice_causes.of_trial(trial).items():
        yield metric, estimate, 'voice.sent, voice.heard, packets, queue.media; sender, page, host, queue-delay'


def _from_capture(trial, entry, unit_of, told):
    """Rows; first those of metrics, then those of what the record itself says of the bottleneck."""
    capture = Capture(trial.capture_path)
    name = trial.capture_path.name
    media = captured.MediaInCapture(capture, trial)
    estimates = [
        ('metrics', 'goodput', media.goodput()),
        ('together', 'goodput', captured.others_goodput(capture, trial)),
        ('metrics', 'loss', media.loss(told)),
    ]
    for part, metric, estimate in estimates:
        if estimate is not None and metric in entry[part]:
            yield Row(titled(metric, part), trial.name, entry[part][metric], estimate, unit_of(metric), name)
    between = media.bytes_between_readings()
    if between is not None:
        yield Row('media bytes from reading to reading', trial.name, *between, 'bytes', name)
    for port, ours, seen in captured.socket_bytes(capture, trial):
        yield Row(f'TCP bytes from reading to reading, port {port}', trial.name, ours, seen, 'bytes', name)
    traffic = trial.media_traffic()
    if traffic is not None:
        packets, frame_bytes = media.left()
        what, ours = 'media packets that left the bottleneck', traffic['sentPackets']
        yield Row(what, trial.name, ours, packets, 'packets', name)
        what, ours = 'media bytes that left the bottleneck', traffic['sentBytes']
        yield Row(what, trial.name, ours, frame_bytes, 'bytes', name)
    readings, link = trial.file['bottleneck'], trial.link
    if readings is not None and link['bytes'] == 'ethernet':
        sent = readings['after']['sentBytes'] - readings['before']['sentBytes']
        seen = captured.bottleneck_bytes(capture, trial)
        yield Row('bytes that left the bottleneck', trial.name, sent, seen, 'bytes', name)
    busiest = capture.busiest_bps(trial.start_ms, trial.end_ms)
    has_one_rate = link['trace'] is None and not link['schedule']
    if busiest is not None and has_one_rate and link['bytes'] == 'ethernet':
        # the link may carry less than its rate, and never more
        rate = link['rateBps']
        seen = Estimate(busiest, max(busiest, rate), captured.rate_slack(trial) * rate)
        yield Row('rate of the link, beside its busiest second', trial.name, rate, seen, 'bit/s', name)


def titled(metric, part):
    """The name of a row of one part of a trial: what the subject has, the others together, or a bottleneck."""
    return {'metrics': metric, 'together': f'{metric} of the others'}.get(part, f'{metric} at {part}')


def headline(run, name):
    """Estimates of the headline of a try, by metric; None where there is no value."""
    if name not in run.headlines:
        # its rows were not computed: it does not count, or not all of its series can be read
        trial = run.trial(name)
        run.headlines[name] = _headline_of([*_frames(trial), *_goodput(trial)])
    return run.headlines[name]


def _headline_of(estimates):
    return {metric: estimate for metric, estimate, _ in estimates if metric in HEADLINE}


def guarded(rows, name, make):
    """Adds the rows that `make` yields of a trial; a series that cannot be read becomes a row, too."""

    def unreadable(note):
        rows.append(Row('record', name, 1, None, '', 'trial folder', note=note))

    try:
        rows += make()
    except (FolderError, CaptureError, OSError) as error:
        unreadable(str(error))
    except UNEXPECTED as error:
        unreadable(f'a series is not as the record describes it: {type(error).__name__}: {shown(str(error))}')
    return rows


def rows_of(run, entry):
    """Every row of one trial of an experiment."""
    name = entry['name']

    def unit_of(metric):
        return run.quantities[metric]['unit']

    def make():
        trial = run.trial(name)
        told = transport.told_packets(trial)
        estimates = [*_frames(trial), *_goodput(trial), *_transport(trial, told), *_voice(trial)]
        run.headlines[name] = _headline_of(estimates)
        parts = [
            ('metrics', entry['metrics'], estimates),
            ('together', entry['together'], _together(trial)),
        ]
        if 'hops' in entry:
            stated = entry['hops']
            parts += [(place, stated.get(place, {}), _at_place(trial, *where)) for place, *where in trial.places()]
        for part, stated, of_part in parts:
            for metric, estimate, source in () if stated is None else of_part:
                if metric in run.quantities:
                    yield Row(titled(metric, part), name, stated.get(metric), estimate, unit_of(metric), source)
        if trial.capture_path is not None:
            yield from _from_capture(trial, entry, unit_of, told)

    return guarded([], name, make)
