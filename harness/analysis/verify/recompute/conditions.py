"""
The rows of conditions and of their comparisons with the baseline: every number of the summary that is
computed from the values of the trials.
"""

import numpy as np

from . import inference, trials
from .estimate import Estimate
from .rows import Row

exact = Estimate.exact

# the parts of a trial that have pairs and medians: the subject, and the other applications together
PARTS = ('metrics', 'together')


def _given(values):
    return [value for value in values if value is not None and np.isfinite(value)]


def _summary_rows(place, metric, unit, stated, values, source):
    """A median with its interval; `stated` is what the summary says of them."""
    given = _given(values)
    interval = inference.median_interval(given)
    low, high, coverage = interval or (None, None, None)
    median = float(np.median(given)) if given else None
    told = [
        ('', 'value', median, unit),
        (', low', 'low', low, unit),
        (', high', 'high', high, unit),
        (', coverage', 'confidence', coverage, ''),
        (', n', 'n', len(given), ''),
    ]
    for what, key, value, of in told:
        yield Row(metric, f'{place}{what}', stated.get(key), exact(value), of, source)


def condition_rows(run):
    for condition in run.summary['conditions']:
        name = condition['id']
        own = [entry for entry in run.entries if entry['condition'] == name]
        yield Row('trials that count', name, condition['trials'], exact(len(own)), '', 'trials')
        tries = run.verdicts(name)
        disturbed, void = exact(tries.count('degraded')), exact(tries.count('invalid'))
        yield Row('trials that count, disturbed', name, condition['degraded'], disturbed, '', 'trial.json')
        yield Row('void tries', name, condition['voided'], void, '', 'trial.json')
        parts = [(part, condition[part], [entry[part] for entry in own]) for part in PARTS]
        for place, medians in condition.get('hops', {}).items():
            parts.append((place, medians, [entry.get('hops', {}).get(place, {}) for entry in own]))
        for part, medians, of_trials in parts:
            for metric, stated in medians.items():
                unit, title = run.quantities[metric]['unit'], trials.titled(metric, part)
                values = [of_trial.get(metric) for of_trial in of_trials]
                yield from _summary_rows(f'{name}: median', title, unit, stated, values, f'{len(own)} trials')
        yield from trials.guarded([], name, lambda: _every_try_rows(run, condition))


def _every_try_rows(run, condition):
    """
    The headline's medians over every measured try. They are computed from the series, because the summary has
    no values of void tries.
    """
    names = run.measured_names(condition['id'])
    stated, place, source = condition['everyTry'], f'{condition["id"]}: every try', f'{len(names)} tries'
    yield Row('tries that were measured', condition['id'], stated['tries'], exact(len(names)), '', 'trials')
    told = [trials.headline(run, name) for name in names]
    for metric in (one for one in trials.HEADLINE if one in run.quantities):
        given = [of[metric] for of in told if of[metric] is not None]
        estimate = None
        if given:
            # a median never falls where a value rises: bounds of the values give bounds of the median
            lows, highs = [one.low for one in given], [one.high for one in given]
            estimate = Estimate(np.median(lows), np.median(highs))
        ours, unit = stated['metrics'][metric]['value'], run.quantities[metric]['unit']
        yield Row(metric, f'{place}: median', ours, estimate, unit, source)


def _pairs(run, condition, baseline, metric, part='metrics'):
    """Values of both trials of each repeat that has both, on one machine."""

    def values_of(wanted):
        return [
            ((entry['repeat'], entry.get('machine')), entry[part].get(metric))
            for entry in run.entries
            if entry['condition'] == wanted
        ]

    bases = dict(values_of(baseline))
    pairs = [(own, bases.get(key)) for key, own in values_of(condition)]
    return [(own, base) for own, base in pairs if own is not None and base is not None]


def _apart(run, condition, baseline):
    """The number of repeats of which both trials count and ran on two machines."""
    bases = {entry['repeat']: entry.get('machine') for entry in run.entries if entry['condition'] == baseline}
    own = [entry for entry in run.entries if entry['condition'] == condition]
    return sum(entry['repeat'] in bases and bases[entry['repeat']] != entry.get('machine') for entry in own)


def machine_rows(run):
    """The spread within and between machines, of a summary that has several."""
    for condition in (run.summary['machines'] or {'conditions': []})['conditions']:
        own = [entry for entry in run.entries if entry['condition'] == condition['id']]
        for metric, stated in condition['spread'].items():
            given = [(entry['metrics'].get(metric), entry.get('machine')) for entry in own]
            values = [(value, machine) for value, machine in given if value is not None]
            names = dict.fromkeys(machine for _, machine in values)
            groups = [[value for value, machine in values if machine == name] for name in names]
            within, between = inference.variance_components(groups)
            unit, source = run.quantities[metric]['unit'], f'{len(values)} trials'
            for key, variance in (('within', within), ('between', between)):
                deviation = None if variance is None else exact(np.sqrt(variance))
                yield Row(metric, f'{condition["id"]}: {key} machines', stated[key], deviation, unit, source)


def _test_rows(place, metric, unit, stated, differences):
    source = f'{len(differences)} pairs'
    yield Row(metric, f'{place}: pairs', stated['pairs'], exact(len(differences)), '', source)
    shift = inference.hodges_lehmann(differences) if differences else (None,) * 4
    keys = [
        ('shift', 'value', unit),
        ('shift, low', 'low', unit),
        ('shift, high', 'high', unit),
        ('shift, coverage', 'confidence', ''),
    ]
    for (what, key, of), value in zip(keys, shift):
        yield Row(metric, f'{place}: {what}', stated['shift'][key], exact(value), of, source)
    effect, p = inference.rank_biserial(differences), inference.signed_rank_p(differences)
    for key, value in [('effect', effect), ('p', p)]:
        yield Row(metric, f'{place}: {key}', stated[key], exact(value) if differences else None, '', source)


def comparison_rows(run):
    tests = []
    for comparison in run.summary['comparisons']:
        condition, baseline = comparison['condition'], comparison['baseline']
        place = f'{condition} against {baseline}'
        apart = exact(_apart(run, condition, baseline))
        yield Row('pairs left out', place, comparison['apart'], apart, '', 'trials')
        for metric, quantity in run.quantities.items():
            pairs = _pairs(run, condition, baseline, metric)
            unit, source = quantity['unit'], f'{len(pairs)} pairs'
            yield from _change_rows(place, metric, unit, comparison, pairs)
            differences = [own - base for own, base in pairs]
            if metric in comparison['harm']:
                harms = [inference.harm(base, own, quantity['better']) for own, base in pairs]
                known, stated = ([] if None in harms else harms), comparison['harm'][metric]
                yield from _summary_rows(f'{place}: harm', metric, '', stated, known, source)
            if metric in comparison['tests']:
                stated = comparison['tests'][metric]
                tests.append((metric, place, unit, stated, differences))
                yield from _test_rows(place, metric, unit, stated, differences)
        for metric in comparison['together']['difference']:
            pairs = _pairs(run, condition, baseline, metric, 'together')
            title, unit = trials.titled(metric, 'together'), run.quantities[metric]['unit']
            changes = {key: {title: of[metric]} for key, of in comparison['together'].items()}
            yield from _change_rows(place, title, unit, changes, pairs)
    primary = run.plan.get('primary')
    yield from _corrected_rows(tests, primary if isinstance(primary, list) else trials.HEADLINE)


def _change_rows(place, metric, unit, stated, pairs):
    source = f'{len(pairs)} pairs'
    differences = [own - base for own, base in pairs]
    yield from _summary_rows(f'{place}: difference', metric, unit, stated['difference'][metric], differences, source)
    factors = [] if any(base == 0 for _, base in pairs) else [own / base for own, base in pairs]
    yield from _summary_rows(f'{place}: factor', metric, '', stated['factor'][metric], factors, source)


def _corrected_rows(tests, primary):
    """
    p corrected by Benjamini and Hochberg within a family: the primary metrics are one, all others are another. A
    family has only the tests whose pairs differ often enough for a p under 0.05 to be possible; the other
    tests keep their p. Then the shift that one test alone among so many would have shown.
    """

    def can_find(differences):
        changed = sum(difference != 0 for difference in differences)
        return changed > 0 and 2 * 0.5**changed < inference.SIGNIFICANCE

    for is_primary in (True, False):
        all_tests = [one for one in tests if (one[0] in primary) == is_primary]
        family = [one for one in all_tests if can_find(one[4])]
        ps = inference.corrected([inference.signed_rank_p(one[4]) for one in family])
        source = f'{len(family)} tests'
        for (metric, place, _, stated, _), p in zip(family, ps):
            yield Row(metric, f'{place}: corrected p', stated['correctedP'], exact(p), '', source)
        for metric, place, unit, stated, differences in all_tests:
            shown = exact(inference.smallest_shown(differences, inference.SIGNIFICANCE / max(1, len(family))))
            what = f'{place}: smallest shift to be shown'
            yield Row(metric, what, stated['smallestShown'], shown, unit, source)
