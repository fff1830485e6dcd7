/** Compares the product's statistics with those of the second implementation. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { seededRandom } from '../../../../../core/random.ts';
import { median } from '../../../../../core/stats/quantile.ts';
import type { Quantity } from '../../../../../harness/analysis/metrics/metric.ts';
import { compare, correctTests } from '../../../../../harness/analysis/summary/comparison.ts';
import { machinesOf } from '../../../../../harness/analysis/summary/machines.ts';
import type { ConditionSummary, TrialSummary } from '../../../../../harness/analysis/summary/summary.ts';
import { summariseValues } from '../../../../../harness/analysis/summary/values.ts';
import { StoppingRule, stoppingRules } from '../../../../../harness/studies/pairs/analysis/stopping-rule.ts';
import { writePairs } from './hand-made-pairs.ts';
import { skip, verified, verifierIn } from './verifier.ts';

describe('statistics recomputed by Python', { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), 'coexist-verify-'));
  after(() => rmSync(place, { recursive: true, force: true }));
  const verify = verifierIn(place);

  // 30 quantities, four numbers of repeats
  test('the statistics of random values agree with those of the product, also with ties, zeros and gaps', async () => {
    const random = seededRandom(18);
    const quantities = Array.from(
      { length: 30 },
      (_, i): Quantity => ({
        id: `q${i}`,
        title: '',
        unit: '',
        better: i % 2 === 0 ? 'higher' : 'lower',
        ...(i % 5 === 0 ? { together: true } : {}),
      }),
    );
    const ofOthers = quantities.filter(({ together }) => together === true).map(({ id }) => id);

    // every third quantity has few different values, so that differences tie and pairs are equal; some values are
    // missing
    const value = (i: number) =>
      random.next() < 0.03 ? null : i % 3 === 0 ? Math.floor(random.next() * 4) : random.next() * 10 ** (i % 7);
    // drawn apart, so that the values of the subject do not depend on them
    const ofOther = seededRandom(19);
    const repeats = { base: 21, a: 21, b: 12, c: 7, d: 3 };
    const trials = Object.entries(repeats).flatMap(([condition, count]) =>
      Array.from(
        { length: count },
        (_, i): TrialSummary => ({
          name: `${condition}${i}`,
          condition,
          repeat: i + 1,
          attempt: 1,
          machine: i % 5 === 4 && condition === 'a' ? 'second' : i % 3 === 0 ? 'third' : 'first',
          verdict: { status: 'valid', findings: [] },
          flood: null,
          others: {},
          together: Object.fromEntries(ofOthers.map(id => [id, ofOther.next()])),
          problems: [],
          metrics: Object.fromEntries(quantities.map(({ id }, which) => [id, value(which)])),
        }),
      ),
    );
    const conditions = Object.keys(repeats).map((id): ConditionSummary => {
      const own = trials.filter(({ condition }) => condition === id);
      return {
        id,
        title: id,
        baseline: 'base',
        subject: 'call',
        trials: own.length,
        degraded: 0,
        voided: 0,
        reasons: [],
        everyTry: { tries: 0, metrics: {} },
        others: {},
        together: Object.fromEntries(
          ofOthers.map(name => [name, summariseValues(own.map(({ together }) => together![name]))]),
        ),
        disturbed: null,
        outliers: [],
        metrics: Object.fromEntries(
          quantities.map(quantity => [quantity.id, summariseValues(own.map(({ metrics }) => metrics![quantity.id]))]),
        ),
      };
    });
    const comparisons = conditions.slice(1).map(condition => compare(condition, trials, quantities));
    const primary = ['q1', 'q4', 'q6'];
    correctTests(comparisons, trials, primary);
    const ids = quantities.map(({ id }) => id);
    const machines = machinesOf(conditions, trials, ids);
    const { rows } = await verify({
      primary,
      spoil: summary => Object.assign(summary, { quantities, trials, conditions, comparisons, machines }),
    });
    const apart = rows.filter(({ metric }) => metric === 'pairs left out');
    assert.deepEqual(
      apart.map(({ ours, differs }) => [ours! > 0, differs]),
      comparisons.map(comparison => [comparison.condition === 'a', false]),
    );
    assert.ok(rows.filter(({ place: where, ours }) => / machines$/.test(where) && ours! > 0).length > 200);
    const statistics = rows.filter(({ metric }) => /^q\d+$/.test(metric));
    assert.deepEqual(
      statistics.filter(({ differs }) => differs),
      [],
    );
    assert.ok(statistics.length > 30 * 4 * 20, String(statistics.length));
    assert.ok(statistics.filter(({ place: where, ours }) => where.endsWith(': p') && ours! < 1).length > 60);
  });

  test('the intervals of a pairwise study agree under each stopping rule, for every number of trials', async () => {
    const random = seededRandom(18);
    for (const stopping of stoppingRules) {
      const most = 30;
      const rule = new StoppingRule(stopping, most);
      // a contestant for each number of trials; 32 is two trials more than the rule looks at
      const sides = Array.from({ length: 33 }, (_, n) => {
        const values = Array.from({ length: n }, () => Math.floor(random.next() * 1e6) / 10);
        const [interval] = rule.decide([values], 0).intervals;
        return {
          contestant: `n${n}`,
          dueBps: 1,
          trials: { throughput: values },
          values: {
            throughput: {
              value: median(values) ?? null,
              low: interval?.low ?? null,
              high: interval?.high ?? null,
              n,
            },
          },
        };
      });
      const path = join(place, `stopping-${stopping}`);
      writePairs(path);
      writeFileSync(
        join(path, 'plan.json'),
        JSON.stringify({ plan: { format: 'pairs-4', run: { stopping, repeats: most } } }),
      );
      const summary = JSON.parse(readFileSync(join(path, 'summary.json'), 'utf8')) as { cells: unknown[] };
      summary.cells.push({ id: 'many', trials: [], utilisation: { value: null }, sides });
      writeFileSync(join(path, 'summary.json'), JSON.stringify(summary));
      const { rows } = await verified(path);
      const bounds = rows.filter(({ place: where }) => /^many: n\d+: median, (low|high)$/.test(where));
      assert.equal(bounds.length, 2 * sides.length);
      assert.deepEqual(
        bounds.filter(({ differs }) => differs),
        [],
        stopping,
      );
      assert.ok(bounds.filter(({ ours }) => ours !== null).length > 40, stopping);
    }
  });
});
