import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contestants } from '../../../../harness/pairs/contestants.ts';
import { claimCount, findingContestants, findingsOf, isInFindings } from '../../../../harness/pairs/findings.ts';
import { makePairsPlan } from '../../../../harness/pairs/plan.ts';
import { summarisePairs } from '../../../../harness/pairs/summarise.ts';
import { contestant, plan, trial, trials } from './support/study.ts';

const of = plan(['iperf-reno', 'iperf-bbr', 'batch-download'].map(name => contestant(name)));
const pair = (first: string, second: string, mbps: number, n = 7) => trials(of, `8mbit-${first}-and-${second}`, Array.from({ length: n }, () => [mbps, 8 - mbps]));
function verdicts(besideBatch: number, besideBbr: number, n = 7): string[] {
  const summary = summarisePairs({ plan: of, trials: [...pair('iperf-reno', 'batch-download', besideBatch, n), ...pair('iperf-reno', 'iperf-bbr', besideBbr, n)], quantities: [], givenUp: new Map() });
  return findingsOf(summary).map(({ observation, link, verdict }) => `${observation} ${link} ${verdict}`);
}

test('the batch leaves less than one flow: the paper\'s direction, the other one, and neither', () => {
  assert.deepEqual(verdicts(1, 3), ['3 8mbit reproduced']);
  assert.deepEqual(verdicts(3, 1), ['3 8mbit refuted']);
  assert.deepEqual(verdicts(2, 2), ['3 8mbit undecided']);
});

test('one trial decides nothing', () => assert.deepEqual(verdicts(1, 3, 1), ['3 8mbit undecided']));

test('a call\'s late packets beside CUBIC and beside BBR', () => {
  const calls = plan([contestant('live-clip', 2.6e6, 'video-call'), contestant('iperf-cubic'), contestant('iperf-bbr')]);
  const seven = (contender: string, lateUdpPackets: number) => Array.from({ length: 7 }, (_, k) => trial(calls, `8mbit-live-clip-and-${contender}`, k + 1, [1e6, 5e6], { traffic: { udpPackets: 100, lateUdpPackets } }));
  const summary = summarisePairs({ plan: calls, trials: [...seven('iperf-cubic', 90), ...seven('iperf-bbr', 20)], quantities: [], givenUp: new Map() });
  const [finding] = findingsOf(summary);
  assert.deepEqual([finding!.observation, finding!.verdict, finding!.first.estimate.value, finding!.second.estimate.value], [6, 'reproduced', 0.9, 0.2]);
});

test('the doubled queue is the link beside', () => {
  const deep = plan([contestant('iperf-reno'), contestant('iperf-cubic')], { links: ['8mbit', '8mbit-deep'] });
  const seven = (link: string, reno: number) => trials(deep, `${link}-iperf-reno-and-iperf-cubic`, Array.from({ length: 7 }, () => [reno, 8 - reno]));
  const summary = summarisePairs({ plan: deep, trials: [...seven('8mbit', 2.4), ...seven('8mbit-deep', 1.1)], quantities: [], givenUp: new Map() });
  assert.deepEqual(findingsOf(summary).map(({ observation, verdict }) => [observation, verdict]), [[11, 'reproduced']]);
});

test('every claim is about contestants that are shipped', () => {
  const all = plan(Object.keys(contestants).map(name => contestant(name)), { links: ['8mbit', '8mbit-deep'] });
  const summary = summarisePairs({ plan: all, trials: all.cells.map(cell => trial(all, cell.id, 1, cell.sides.map(() => 1e6), { traffic: { udpPackets: 1 }, quality: cell.sides.map(() => ({ 'page-load': 1 })) })), quantities: [{ id: 'page-load', title: 'Page load', unit: 'ms', better: 'lower' }], givenUp: new Map() });
  assert.equal(findingsOf(summary).length, 10);
});

test('the cells that the findings need, and no others, give every one of them', () => {
  const everything = plan(findingContestants.map(name => contestant(name)), { links: ['8mbit', '8mbit-deep'] });
  const needed = makePairsPlan({ ...everything, only: isInFindings });
  assert.ok(needed.cells.length < everything.cells.length / 4, `${needed.cells.length} of ${everything.cells.length}`);
  const made = needed.cells.map(cell => trial(needed, cell.id, 1, cell.sides.map(() => 1e6), { traffic: { udpPackets: 1 }, quality: cell.sides.map(() => ({ 'page-load': 1 })) }));
  const found = (trials: typeof made) => findingsOf(summarisePairs({ plan: needed, trials, quantities: [{ id: 'page-load', title: 'Page load', unit: 'ms', better: 'lower' }], givenUp: new Map() })).length;
  assert.equal(found(made), claimCount);
  for (const [k, { id }] of needed.cells.entries()) assert.ok(found(made.toSpliced(k, 1)) < claimCount, `${id} is needed`);
});
