import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SharedData, TrialData } from '../../../reports/page/trial-data.ts';
import { temporaryFolder } from '../harness/support/folder.ts';
import { planOf } from '../harness/support/plan.ts';
import { conditions, fullRun, parsePage, renderRun } from './support/run.ts';

const folder = temporaryFolder();

function embedded(page: string): { shared: SharedData; trials: TrialData[] } {
  const [shared, ...trials] = parsePage(page)
    .querySelector('#trial-data')!
    .textContent.trim()
    .split('\n')
    .map(line => JSON.parse(line) as unknown);
  return { shared: shared as SharedData, trials: trials as TrialData[] };
}

test('each try is a line, in the order of the table, with its series, stalls and metrics', async () => {
  const { page, summary } = await fullRun(folder);
  const { shared, trials } = embedded(page);
  assert.deepEqual(
    trials.map(({ name }) => name),
    summary.trials.map(({ name }) => name),
  );
  const wired = trials.find(({ name }) => name === '0002-wired')!;
  assert.deepEqual(
    [wired.title, wired.status, wired.stalls],
    ['Wired, repeat 1', 'valid', [[4, 4.45, 'stall of 450 ms: cause not known']]],
  );
  assert.deepEqual(wired.phases, [[-3, 0, 'start-up, not measured']]);
  assert.equal(wired.metrics![shared.metrics.indexOf('Stalled time')], '0.45 s');
  // series without values are left out
  assert.deepEqual(Object.keys(wired.binned!.values), ['framesPerSecond', 'goodputBps', 'othersGoodputBps', 'rttMs']);
  const { startS, binS, values } = wired.binned!;
  assert.deepEqual([startS, binS, values['framesPerSecond']!.length], [-3, 0.5, 26]);
  assert.deepEqual(values['othersGoodputBps']!.slice(6), Array(20).fill(37e6));
});

test('a void try has its reason and no metrics', async () => {
  const { page } = await renderRun(folder, 'void', planOf({ conditions, run: { window: '10s' } }), ['void']);
  const [trial] = embedded(page).trials;
  assert.deepEqual(
    [trial!.status, trial!.verdict, trial!.reasons, trial!.metrics],
    ['invalid', 'void', ['the machine was 99 % busy'], null],
  );
});

test('readings of one link are there once', async () => {
  const reading = {
    id: 'rate',
    step: 'overload' as const,
    title: 'rate under overload',
    unit: 'bps' as const,
    asked: 40e6,
    measured: 39.9e6,
    tolerance: { low: 39e6, high: 41e6 },
    verdict: 'ok' as const,
    note: null,
    certain: false,
  };
  const proved = (earlier: boolean) => ({
    change: {
      preflight: {
        status: 'passed' as const,
        summary: 'rate 39.9 Mbit/s',
        earlier,
        durationMs: 8000,
        readings: [reading],
      },
    },
  });
  const { page } = await renderRun(folder, 'proved', planOf({ conditions, run: { window: '10s' } }), [
    proved(false),
    proved(true),
    {},
  ]);
  const { shared, trials } = embedded(page);
  assert.deepEqual(shared.readings, [[['rate under overload', '40.00 Mbit/s', '39.90 Mbit/s', 'ok']]]);
  assert.deepEqual(
    trials.map(({ readings }) => readings),
    [0, 0, null],
  );
  assert.match(
    trials[1]!.facts.find(([name]) => name === 'Link')![1],
    /40 Mbit\/s.*formed by tc, not serialising; tested before an earlier trial: rate 39\.9 Mbit\/s/,
  );
});
