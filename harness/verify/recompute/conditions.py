"""The rows of conditions and of their comparisons with the baseline: every number of the summary that comes of the trials' values."""
import numpy as np

from . import inference, trials
from .estimate import Estimate
from .rows import Row

exact = Estimate.exact

# The quantities that a report speaks of in words: their tests are a family of their own.
HEADLINE = ('stall-time', 'frame-rate', 'media-goodput', 'frame-latency-p95')


def _given(values):
    return [value for value in values if value is not None and np.isfinite(value)]


def _summary_rows(place, metric, unit, stated, values, source):
    """A median with its interval, as `stated`."""
    given = _given(values)
    interval = inference.median_interval(given)
    low, high, coverage = interval or (None, None, None)
    median = float(np.median(given)) if given else None
    told = [('', 'value', median, unit), (', low', 'low', low, unit), (', high', 'high', high, unit), (', coverage', 'confidence', coverage, ''), (', n', 'n', len(given), '')]
    for what, key, value, of in told:
        yield Row(metric, f'{place}{what}', stated.get(key), exact(value), of, source)


def condition_rows(run):
    for condition in run.summary['conditions']:
        own = [entry['metrics'] for entry in run.entries if entry['condition'] == condition['id']]
        yield Row('trials that count', condition['id'], condition['trials'], exact(len(own)), '', 'trials')
        tries = run.verdicts(condition['id'])
        yield Row('trials that count, disturbed', condition['id'], condition['degraded'], exact(tries.count('degraded')), '', 'trial.json')
        yield Row('void tries', condition['id'], condition['voided'], exact(tries.count('invalid')), '', 'trial.json')
        for metric, stated in condition['metrics'].items():
            unit = run.quantities[metric]['unit']
            values = [metrics.get(metric) for metrics in own]
            yield from _summary_rows(f'{condition["id"]}: median', metric, unit, stated, values, f'{len(own)} trials')
        yield from trials.guarded([], condition['id'], lambda: _every_try_rows(run, condition))


def _every_try_rows(run, condition):
    """The headline's medians over every measured try: those of void ones are in no trial's line of the summary, so they come from the series."""
    names = run.measured_names(condition['id'])
    stated, place, source = condition['everyTry'], f'{condition["id"]}: every try', f'{len(names)} tries'
    yield Row('tries that were measured', condition['id'], stated['tries'], exact(len(names)), '', 'trials')
    told = [trials.headline(run.trial(name)) for name in names]
    for metric in HEADLINE:
        given = [of[metric] for of in told if of[metric] is not None]
        # the median grows with each of its values
        estimate = Estimate(np.median([one.low for one in given]), np.median([one.high for one in given])) if given else None
        yield Row(metric, f'{place}: median', stated['metrics'][metric]['value'], estimate, run.quantities[metric]['unit'], source)


def _pairs(run, condition, baseline, metric):
    """Values of both trials of each repeat that has both, on one machine."""
    bases = {(entry['repeat'], entry.get('machine')): entry['metrics'].get(metric) for entry in run.entries if entry['condition'] == baseline}
    pairs = [(entry['metrics'].get(metric), bases.get((entry['repeat'], entry.get('machine')))) for entry in run.entries if entry['condition'] == condition]
    return [(own, base) for own, base in pairs if own is not None and base is not None]


def _apart(run, condition, baseline):
    """Repeats of which both trials count and ran on two machines."""
    bases = {entry['repeat']: entry.get('machine') for entry in run.entries if entry['condition'] == baseline}
    return sum(entry['repeat'] in bases and bases[entry['repeat']] != entry.get('machine') for entry in run.entries if entry['condition'] == condition)


def machine_rows(run):
    """The spread within and between machines, of a summary that has several."""
    for condition in (run.summary['machines'] or {'conditions': []})['conditions']:
        own = [entry for entry in run.entries if entry['condition'] == condition['id']]
        for metric, stated in condition['spread'].items():
            given = [(entry['metrics'].get(metric), entry.get('machine')) for entry in own]
            values = [(value, machine) for value, machine in given if value is not None]
            groups = [[value for value, machine in values if machine == name] for name in dict.fromkeys(machine for _, machine in values)]
            within, between = inference.variance_components(groups)
            for key, variance in (('within', within), ('between', between)):
                deviation = None if variance is None else exact(np.sqrt(variance))
                yield Row(metric, f'{condition["id"]}: {key} machines', stated[key], deviation, run.quantities[metric]['unit'], f'{len(values)} trials')


def _test_rows(place, metric, unit, stated, differences):
    source = f'{len(differences)} pairs'
    yield Row(metric, f'{place}: pairs', stated['pairs'], exact(len(differences)), '', source)
    shift = inference.hodges_lehmann(differences) if differences else (None,) * 4
    keys = [('shift', 'value', unit), ('shift, low', 'low', unit), ('shift, high', 'high', unit), ('shift, coverage', 'confidence', '')]
    for (what, key, of), value in zip(keys, shift):
        yield Row(metric, f'{place}: {what}', stated['shift'][key], exact(value), of, source)
    for key, name, value in [('effect', 'effect', inference.rank_biserial(differences)), ('p', 'p', inference.signed_rank_p(differences))]:
        yield Row(metric, f'{place}: {name}', stated[key], exact(value) if differences else None, '', source)


def comparison_rows(run):
    tests = []
    for comparison in run.summary['comparisons']:
        condition, baseline = comparison['condition'], comparison['baseline']
        place = f'{condition} against {baseline}'
        yield Row('pairs left out', place, comparison['apart'], exact(_apart(run, condition, baseline)), '', 'trials')
        for metric, quantity in run.quantities.items():
            pairs = _pairs(run, condition, baseline, metric)
            source = f'{len(pairs)} pairs'
            differences = [own - base for own, base in pairs]
            yield from _summary_rows(f'{place}: difference', metric, quantity['unit'], comparison['difference'][metric], differences, source)
            factors = [] if any(base == 0 for _, base in pairs) else [own / base for own, base in pairs]
            yield from _summary_rows(f'{place}: factor', metric, '', comparison['factor'][metric], factors, source)
            if metric in comparison['harm']:
                harms = [inference.harm(base, own, quantity['better']) for own, base in pairs]
                yield from _summary_rows(f'{place}: harm', metric, '', comparison['harm'][metric], [] if None in harms else harms, source)
            if metric in comparison['tests']:
                stated = comparison['tests'][metric]
                tests.append((metric, place, quantity['unit'], stated, differences))
                yield from _test_rows(place, metric, quantity['unit'], stated, differences)
    yield from _corrected_rows(tests)


def _corrected_rows(tests):
    """
    p corrected by Benjamini and Hochberg within a family: the headline, and all others. Of each only the tests whose pairs differ often enough for a p
    under 0.05 at all; the others keep theirs. Then the shift that one test alone among so many would have shown.
    """
    def can_find(differences):
        changed = sum(difference != 0 for difference in differences)
        return changed > 0 and 2 * 0.5 ** changed < inference.SIGNIFICANCE
    for is_headline in (True, False):
        all_tests = [one for one in tests if (one[0] in HEADLINE) == is_headline]
        family = [one for one in all_tests if can_find(one[4])]
        ps = inference.corrected([inference.signed_rank_p(one[4]) for one in family])
        for (metric, place, _, stated, _), p in zip(family, ps):
            yield Row(metric, f'{place}: corrected p', stated['correctedP'], exact(p), '', f'{len(family)} tests')
        for metric, place, unit, stated, differences in all_tests:
            shown = inference.smallest_shown(differences, inference.SIGNIFICANCE / max(1, len(family)))
            yield Row(metric, f'{place}: smallest shift to be shown', stated['smallestShown'], exact(shown), unit, f'{len(family)} tests')
