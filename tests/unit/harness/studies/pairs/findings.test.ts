import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { claims } from '../../../../../harness/studies/pairs/claims.ts';
import { contestants } from '../../../../../harness/studies/pairs/contestants.ts';
import {
  contestantsOf,
  type FindingsPlan,
  findingsOf,
  findingsPlan,
  isInFindings,
  linksOf,
} from '../../../../../harness/studies/pairs/findings.ts';
import { pairLink } from '../../../../../harness/studies/pairs/links.ts';
import { makePairsPlan, type PairsPlan } from '../../../../../harness/studies/pairs/plan.ts';
import { summarisePairs, type TrialInFolder } from '../../../../../harness/studies/pairs/summarise.ts';
import { contestant, plan, trial, trials } from './support/study.ts';

const quantities = [{ id: 'page-load', title: 'Page load', unit: 'ms', better: 'lower' }] as const;
const found = (of: PairsPlan, all: readonly TrialInFolder[]) =>
  findingsOf(summarisePairs({ plan: of, trials: all, quantities, givenUp: new Map() }));
const said = (of: PairsPlan, all: readonly TrialInFolder[]) =>
  found(of, all).map(({ observation, link, verdict }) => `${observation} ${link} ${verdict}`);

const of = plan(['iperf-reno', 'iperf-bbr', 'batch-download'].map(name => contestant(name)));
const pair = (first: string, second: string, mbps: number, n = 7) =>
  trials(
    of,
    `8mbit-${first}-and-${second}`,
    Array.from({ length: n }, () => [mbps, 8 - mbps]),
  );
const verdicts = (besideBatch: number, besideBbr: number, n = 7) =>
  said(of, [
    ...pair('iperf-reno', 'batch-download', besideBatch, n),
    ...pair('iperf-reno', 'iperf-bbr', besideBbr, n),
  ]).filter(text => text.startsWith('3 '));

test("the batch leaves less than one flow: the paper's direction, the other one, and neither", () => {
  assert.deepEqual(verdicts(1, 3), ['3 8mbit right']);
  assert.deepEqual(verdicts(3, 1), ['3 8mbit wrong']);
  assert.deepEqual(verdicts(2, 2), ['3 8mbit undecided']);
});

test('one trial decides nothing', () => assert.deepEqual(verdicts(1, 3, 1), ['3 8mbit undecided']));

test("a call's late packets beside CUBIC and beside BBR", () => {
  const calls = plan([
    contestant('live-clip', 2.6e6, 'video-call'),
    contestant('iperf-cubic'),
    contestant('iperf-bbr'),
  ]);
  const seven = (contender: string, lateUdpPackets: number) =>
    Array.from({ length: 7 }, (_, k) =>
      trial(calls, `8mbit-live-clip-and-${contender}`, k + 1, [1e6, 5e6], {
        traffic: { udpPackets: 100, lateUdpPackets },
      }),
    );
  const [finding] = found(calls, [...seven('iperf-cubic', 90), ...seven('iperf-bbr', 20)]);
  assert.deepEqual(
    [finding!.observation, finding!.verdict, finding!.first.estimate.value, finding!.second.estimate.value],
    [6, 'right', 0.9, 0.2],
  );
});

describe('a level that a claim names must be kept by the whole interval: the batches leave less than 85 % of the link in use', () => {
  const link = '50mbit';
  const reno = plan(
    ['iperf-reno', 'iperf-bbr', 'batch-download'].map(name => contestant(name)),
    { links: [link] },
  );
  const used = (besideBatch: readonly number[], besideBbr: number) => {
    const seven = (second: string, mbps: readonly number[]) =>
      trials(
        reno,
        `${link}-iperf-reno-and-${second}`,
        Array.from({ length: 7 }, (_, k) => [10, mbps[k % mbps.length]! - 10]),
      );
    return said(reno, [...seven('batch-download', besideBatch), ...seven('iperf-bbr', [besideBbr])]).filter(text =>
      text.startsWith('9 '),
    );
  };
  for (const [what, besideBatch, besideBbr, verdict] of [
    ['80 against 98 %', [40], 49, 'right'],
    ['94 against 98 %: less, but not so little', [47], 49, 'wrong'],
    ['80 against 90 %: nor is the other in full use', [40], 45, 'wrong'],
    ['80 to 90 % against 98 %', [40, 45], 49, 'undecided'],
    ['98 against 98 %', [49], 49, 'wrong'],
  ] as const)
    test(what, () => assert.deepEqual(used(besideBatch, besideBbr), [`9 ${link} ${verdict}`]));
});

describe('a claim is judged on a link of the rate that it was made for, and on no other', () => {
  const deep = plan(
    ['iperf-reno', 'iperf-cubic', 'batch-download'].map(name => contestant(name)),
    { links: ['8mbit', '8mbit-deep', '50mbit', '50mbit-deep'] },
  );
  const seven = (link: string, second: string, reno: number, other: number) =>
    trials(
      deep,
      `${link}-iperf-reno-and-${second}`,
      Array.from({ length: 7 }, () => [reno, other]),
    );
  const eight = [...seven('8mbit', 'iperf-cubic', 2.4, 5.6), ...seven('8mbit-deep', 'iperf-cubic', 1.1, 6.9)];
  const fifty = [...seven('50mbit', 'batch-download', 5, 35), ...seven('50mbit-deep', 'batch-download', 23, 26)];
  test('Reno beside CUBIC with a doubled queue: 8 Mbit/s alone', () => {
    assert.deepEqual(said(deep, eight), ['11 8mbit right']);
    const other = [...seven('50mbit', 'iperf-cubic', 15, 35), ...seven('50mbit-deep', 'iperf-cubic', 7, 43)];
    assert.deepEqual(said(deep, other), ['11 50mbit elsewhere']);
    assert.equal(found(deep, other)[0]!.first.estimate.value, 7 / 25, 'the numbers stand there all the same');
  });
  test('Reno beside the batches with a doubled queue, its share and what both use: 50 Mbit/s alone', () => {
    assert.deepEqual(said(deep, fifty), ['11 50mbit right', '11 50mbit right']);
    const [, used] = found(deep, fifty);
    assert.deepEqual(
      [used!.first.quantity, used!.first.estimate.value, used!.second.estimate.value],
      ['utilisation', 0.98, 0.8],
    );
    assert.deepEqual(
      said(deep, [...seven('8mbit', 'batch-download', 1, 6), ...seven('8mbit-deep', 'batch-download', 3, 4)]),
      ['11 8mbit elsewhere', '11 8mbit elsewhere'],
    );
  });
});

/** Returns trials for exactly the measurements of a plan of findings, each once. */
function measuredBy(wanted: FindingsPlan): { of: PairsPlan; all: TrialInFolder[] } {
  const needed = makePairsPlan({
    ...plan(contestantsOf(claims).map(name => contestant(name))),
    links: linksOf(wanted).map(name => pairLink(name)),
    only: cell => isInFindings(wanted, cell),
  });
  return {
    of: needed,
    all: needed.cells.map(cell =>
      trial(
        needed,
        cell.id,
        1,
        cell.sides.map(() => 1e6),
        { traffic: { udpPackets: 1 }, quality: cell.sides.map(() => ({ 'page-load': 1 })) },
      ),
    ),
  };
}

test("every claim is about contestants that are shipped, and about the paper's settings", () => {
  for (const name of contestantsOf(claims)) assert.ok(Object.hasOwn(contestants, name), name);
  for (const { ratesBps } of claims)
    assert.ok(ratesBps.length > 0 && ratesBps.every(rateBps => [8e6, 50e6].includes(rateBps)));
});

test('with nothing said, each claim is measured where it was made, once, and no cell is measured that none needs', () => {
  const { of: needed, all } = measuredBy(findingsPlan());
  assert.deepEqual(
    needed.links.map(({ id }) => id),
    ['8mbit', '8mbit-deep', '50mbit', '50mbit-deep'],
  );
  assert.ok(needed.cells.length <= 20, `${needed.cells.length} cells`);
  const judged = (some: readonly TrialInFolder[]) =>
    new Set(
      found(needed, some)
        .filter(({ verdict }) => verdict !== 'elsewhere')
        .map(({ text }) => text),
    ).size;
  assert.equal(judged(all), claims.length);
  for (const [k, { id }] of needed.cells.entries())
    assert.ok(judged(all.toSpliced(k, 1)) < claims.length, `${id} is needed`);
});

test('a link that is named restricts them to the claims made for it; one that none was made for has them all, without a verdict', () => {
  const eight = measuredBy(findingsPlan(['8mbit']));
  assert.deepEqual(
    eight.of.links.map(({ id }) => id),
    ['8mbit', '8mbit-deep'],
  );
  assert.equal(
    found(eight.of, eight.all).filter(({ verdict }) => verdict !== 'elsewhere').length,
    claims.filter(({ ratesBps }) => ratesBps.includes(8e6)).length,
  );
  const twenty = measuredBy(findingsPlan(['20mbit']));
  assert.deepEqual([...new Set(found(twenty.of, twenty.all).map(({ verdict }) => verdict))], ['elsewhere']);
  assert.equal(found(twenty.of, twenty.all).length, claims.length);
  assert.throws(() => findingsPlan(['8mbit-deep']), { code: 'usage', hint: 'write --link 8mbit' });
});
