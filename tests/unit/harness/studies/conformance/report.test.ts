import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConformanceDefinition } from '../../../../../harness/studies/conformance/define.ts';
import { plugin } from '../../../../../harness/studies/conformance/index.ts';
import { makeConformancePlan } from '../../../../../harness/studies/conformance/plan.ts';
import { comparedConformance } from '../../../../../harness/studies/conformance/results.ts';
import { summariseConformance } from '../../../../../harness/studies/conformance/summarise.ts';
import { loadRegistries } from '../../../../../harness/trial/registries.ts';
import { plugin as report } from '../../../../../reports/conformance/index.ts';
import { unjudged } from '../../../reports/support/judged.ts';
import { folderOf } from './folder.ts';

const registries = await loadRegistries();
const { definition: shipped } = await plugin.load('conformance');
const versions = { coexist: '0', commit: null, kernel: '6', processor: 'x', cores: 2, browser: null } as never;

const definition = {
  ...shipped,
  cases: ['rfc8867-5.1', 'rfc8867-5.3', 'rfc8867-6.2-5.1', 'rfc8869-3.2', 'libwebrtc-scream-1mbit-100ms-ecn'],
  only: ['gcc', 'nada'],
} as ConformanceDefinition;
const plan = await makeConformancePlan('conformance', definition, registries);

/** GCC uses 90 % of the link in time and waits 30 ms. NADA waits 150 ms. In 5.3 GCC waits 20, 30 and 120 ms. */
const folder = folderOf(
  plan,
  (condition, repeat) => (_, timeMs) => {
    const capacity = timeMs < 40_000 ? 1e6 : timeMs < 60_000 ? 1.5e6 : timeMs < 80_000 ? 0.6e6 : 1e6;
    const wait = condition.endsWith('nada')
      ? 150
      : condition.startsWith('rfc8867-5.3')
        ? [20, 30, 120][repeat - 1]!
        : 30;
    return { bps: 0.9 * (condition.startsWith('rfc8867-5.3') ? 0.5e6 : capacity), delayMs: wait };
  },
  [plan.trials[0]!.id],
);
const { summary, shown } = await summariseConformance(plan, folder, {
  metrics: [],
  registries,
  controllers: new Map(),
});
const cellOf = (id: string, sender: string) => summary.cells.find(cell => cell.case === id && cell.sender === sender)!;

test('a cell counts its valid trials, and has a verdict for each expectation with a value', () => {
  const cell = cellOf('rfc8867-5.1', 'gcc');
  assert.deepEqual([cell.trials, cell.voided], [2, 1]);
  const used = cell.expectations.find(({ measure }) => measure === 'used-share')!;
  assert.ok(Math.abs(used.estimate.value! - 0.9) < 0.01, String(used.estimate.value)); // the voice adds to the demand
  assert.deepEqual([used.estimate.n, used.kept, used.verdict], [2, 2, 'undecided']);
  assert.deepEqual(cell.without, ['worst-voice-interruption-rate']);
});

test('a bound that every trial misses fails the case, and trials that disagree leave it undecided', () => {
  assert.equal(cellOf('rfc8867-5.1', 'nada').verdict, 'failed');
  const delay = cellOf('rfc8867-5.3', 'gcc').expectations.find(({ measure }) => measure === 'queue-wait-p95')!;
  assert.deepEqual([delay.estimate.value, delay.kept, delay.verdict], [30, 2, 'undecided']);
});

test('thresholds and claims name a measure, and two runs are compared by them', async () => {
  const condition = 'rfc8867-5.1-nada';
  const asked = { ...definition, require: [{ metric: 'queue-wait-p95', condition, atMost: '100ms' }] };
  const own = await makeConformancePlan('conformance', asked as ConformanceDefinition, registries);
  const judged = await summariseConformance(own, folder, { metrics: [], registries, controllers: new Map() });
  assert.deepEqual(
    judged.summary.thresholds.map(({ kept }) => kept),
    [false],
  );
  const compared = comparedConformance(plan, summary);
  const { metrics } = compared.results.conditions.find(({ id }) => id === condition)!;
  assert.equal(metrics['queue-wait-p95']!.value, 150);
});

const rules = [
  { id: 'used-share', title: 'Use', requirement: 'R1', rule: 'Bytes', reason: 'own', bound: 'at least 70%' },
];
const rendered = () => report.render({ ...unjudged, plan, versions, createdMs: 0, summary, shown, rules });

test('the page has a row for each sender, a cell with verdict and chart, and what was not run with its reason', async () => {
  const { page, lines } = await rendered();
  assert.match(page, /<th scope="row">NADA<\/th>/);
  assert.match(page, /<td class="failed"><a href="#cell-rfc8867-5\.1-nada"><b class="failed">✗ failed<\/b>/);
  assert.match(page, /id="cell-rfc8867-5\.1-nada"/);
  assert.match(page, /<small>Time to leave the queue 20(\.0+)? s, at most 3/);
  assert.match(page, /not run: GCC does not react to marks/);
  assert.match(page, /<li>rfc8869-3\.2, bottleneck in the Wi-Fi network: it asks for 802\.11n/);
  assert.equal(page.split('<svg class="spark"').length - 1, 7);
  assert.ok(
    lines.some(line => /^rfc8867-5\.1, nada: failed: Time to leave the queue 20/.test(line)),
    lines.join('\n'),
  );
});

test('a page for the results has the matrix, and the command that repeats the study', async () => {
  const { page } = await rendered();
  const { text } = report.page(page, plan, 'npm run conformance -- conformance', [], () => '');
  assert.match(text, /## Verdicts/);
  assert.match(text, /\| NADA \| ✗ failed/);
  assert.match(text, /Command: `npm run conformance -- conformance`/);
});

test('a published range of the estimate is judged and drawn, and the page says what a sender without ECN meets', async () => {
  const cell = cellOf('libwebrtc-scream-1mbit-100ms-ecn', 'gcc');
  assert.deepEqual(
    cell.expectations.map(({ measure, estimate, verdict }) => [measure, estimate.value, verdict]),
    [
      ['lowest-estimate', 0.9e6, 'passed'],
      ['highest-estimate', 0.9e6, 'passed'],
    ],
  );
  const { page } = await rendered();
  assert.match(page, /A sender without ECN: Its packets wait in the classic queue/);
  assert.match(page, /media-1, estimate/);
});
