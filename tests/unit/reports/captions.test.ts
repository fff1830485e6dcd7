import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExperimentDefinition } from '../../../harness/definition/define.ts';
import { makePlan } from '../../../harness/definition/plan.ts';
import { loadRegistries } from '../../../harness/trial/registries.ts';
import { conditionsLine, floodLabel, type ReportData, trialCounts } from '../../../reports/report.ts';
import { definition, planOf } from '../harness/support/plan.ts';
import { facts } from './support/facts.ts';

const counted = (...trials: number[]) =>
  trialCounts({
    summary: {
      conditions: trials.map((n, i) => ({ title: `C${i + 1}`, trials: n, disturbed: null })),
    } as ReportData['summary'],
  });

test('n is said once where it is the same, else of each, and of many conditions where it is less', () => {
  assert.equal(counted(5, 5, 5, 5, 5), 'n = 5 per condition');
  assert.equal(counted(5, 4), 'C1 n = 5, C2 n = 4');
  assert.equal(counted(5, 5, 4, 5, 3, 5), 'n = 5 per condition, but 4 of C3 and 3 of C5');
  assert.equal(counted(5, 4, 4, 3, 3, 0, 5), 'n = 5 per condition, but 0 to 4 in 5 of 7');
  assert.equal(counted(1, 1, 0, 0, 0, 0, 0), 'n = 1 per condition, but 0 in 5 of 7');
});

function line(change: object, backend?: string): string {
  const plan = planOf({ ...change, run: { window: '10s' } });
  return conditionsLine({
    plan,
    summary: { trials: [] },
    records: new Map(plan.conditions.map(({ id }) => [id, backend === undefined ? [] : [{ file: { backend } }]])),
    disturbed: new Map(),
    ...facts,
  } as unknown as ReportData);
}

test('few conditions are named one by one', () => {
  assert.match(
    line({
      conditions: { alone: { title: 'Alone', flood: { id: 'none' } }, lossy: { title: 'Lossy', link: { loss: '2%' } } },
    }),
    /^Alone: no flood, 40 Mbit\/s, .*no random loss\. Lossy: .*, random loss 2 %$/,
  );
});

test('a link that all of them have is told once', () => {
  const text = line({ conditions: { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } } });
  assert.match(
    text,
    /^Alone: no flood; Wired: 2 \u00d7 .+; each on 40 Mbit\/s, FIFO 1000 packets \(.*\), no added delay, no random loss$/,
  );
  assert.equal(text.split('40 Mbit/s').length, 2);
});

test('many are what they have in common, and what differs', () => {
  const conditions = { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } };
  const queue = 'FIFO 1000 packets (1.51 MB, 303 ms)';
  assert.equal(
    line({ conditions, vary: { 'link.loss': ['0%', '1%', '2%'] } }),
    `6 conditions, in full under "Conditions and versions"; their links: 40 Mbit/s, ${queue}, no added delay. Loss: no ` +
      'random loss (2 conditions); random loss 1 % (2 conditions); random loss 2 % (2 conditions)',
  );
  assert.match(
    line({ conditions, vary: { 'link.loss': ['0%', '1%', '2%', '3%', '4%'] } }),
    /, no added delay\. Loss: 5 values from no random loss to random loss 4 %$/,
  );
});

test('links that differ in several things have each of them by its kind, whatever the number of their parts', () => {
  const text = line({
    flood: { id: 'none' },
    vary: {
      'link.schedule': [[], [{ at: '7s', rate: '2mbit' }]],
      'link.rtt': ['50ms', '100ms'],
      'link.loss': ['0%', '2%'],
    },
  });
  assert.match(text, /^8 conditions, .*; their links: FIFO 1000 packets \(.*\)\. Rate: 40 Mbit\/s \(4 conditions\); /);
  assert.match(text, /; 40 Mbit\/s, 2 Mbit\/s after 7 s \(4 conditions\)\. Delay: base RTT 50 ms \(4 conditions\); /);
  assert.match(text, /\. Loss: no random loss \(4 conditions\); random loss 2 % \(4 conditions\)$/);
  assert.doesNotMatch(text, /nothing more| or /);
});

test('what formed the links is said with them', () => {
  assert.match(line({}, 'emulator'), /, no random loss, formed by emulator, serialising$/);
  assert.match(
    line({ vary: { 'link.backend': ['emulator', 'tc', 'tbf', 'auto', 'tc+line'] } }),
    /, no random loss\. Backend: formed by emulator, serialising \(.*\); formed by tc, not serialising \(.*\); .*; formed by what this machine has \(.*\); formed by tc\+line, not serialising \(.*\)$/,
  );
});

test('a flood is named by its congestion control, also where no trial has told of it', async () => {
  const flood = (congestionControl: string, flows = 1) => ({ flood: { id: 'iperf', congestionControl, flows } });
  const conditions = {
    cubic: flood('cubic'),
    again: { ...flood('cubic', 2), link: { loss: '1%' } },
    reno: flood('reno'),
    bbr: flood('bbr'),
    other: { ...flood('bbr'), link: { loss: '1%' } },
    none: { flood: { id: 'none' } },
  };
  const study = {
    ...definition,
    service: { id: 'live-clip' },
    flood: { id: 'none' },
    conditions,
  } as unknown as ExperimentDefinition;
  const plan = makePlan('own', study, await loadRegistries());
  const report = (trials: object[]) => ({ plan, summary: { trials }, ...facts }) as ReportData;
  const trials = [
    { condition: 'cubic', flood: 'CUBIC' },
    { condition: 'again', flood: null },
    { condition: 'bbr', flood: 'BBRv1' },
  ];
  assert.deepEqual(
    plan.conditions.map(condition => floodLabel(condition, report(trials))),
    ['1 \u00d7 CUBIC', '2 \u00d7 CUBIC', '1 \u00d7 Reno', '1 \u00d7 BBRv1', '1 \u00d7 BBRv1', 'no flood'],
  );
  assert.equal(
    floodLabel(plan.conditions[3]!, report([])),
    '1 \u00d7 BBR',
    'which version it is, only the kernel can tell',
  );
});
