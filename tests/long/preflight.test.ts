/** Every link that preflight has to pass or to refuse; a few of them are part of `npm test`, too (tests/e2e). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatRate } from '../../core/text/units.ts';
import { type Link, plainLink } from '../../core/vocabulary/link.ts';
import { LinkProof } from '../../harness/trial/link-proof.ts';
import { dumbbell, lease, shapedLink } from '../e2e/support/hosts.ts';
import { passes, refuses, rightNames, seed, skip, wrongNames } from '../e2e/support/preflight-links.ts';
import { managedBy } from '../unit/shaper/calibrate/support/managed-link.ts';

describe('a link as it was asked for', { skip }, () => {
  for (const name of rightNames) passes(name);
});

describe('a link that is wrong is refused', { skip }, () => {
  for (const what of wrongNames) refuses(what);
});

describe('a bottleneck from the clients', { skip }, () => {
  for (const backend of ['emulator', 'tc'] as const)
    test(`is proved beside the other, each reading named with its direction: ${backend}`, async context => {
      const { rateBps, queue, aqm, ecn, loss, schedule, trace, ...rest } = plainLink(20e6, {
        unit: 'packets',
        value: 500,
      });
      const down = { rateBps, queue, aqm, ecn, loss, schedule, trace };
      const link: Link = {
        ...rest,
        ...down,
        up: { ...down, rateBps: 2e6, queue: { unit: 'packets', value: 50 } },
        backend,
      };
      const proof = new LinkProof(shapedLink, dumbbell, lease.scratch);
      const signal = new AbortController().signal;
      let proved = (await proof.of(link, seed, { onStart: () => {}, signal }))!;
      for (let again = 0; again < 2 && proved.reading.status === 'disturbed'; again++)
        proved = (await proof.of(link, seed, { onStart: () => {}, signal }))!;
      context.diagnostic(`${proved.reading.status}: ${proved.reading.summary}`);
      const of = (direction: 'down' | 'up') => proved.reading.readings.filter(one => one.direction === direction);
      for (const direction of ['down', 'up'] as const) {
        const rate = of(direction).find(({ id }) => id === 'rate')!;
        assert.deepEqual(
          [rate.asked, rate.title],
          [direction === 'down' ? 20e6 : 2e6, `rate under an overload of 1.15 (${direction})`],
        );
        assert.ok(
          of(direction).some(({ id }) => id === 'queue-plateau') &&
            of(direction).some(({ id }) => id === 'conservation') &&
            of(direction).some(({ id }) => id === 'serialisation'),
        );
      }
      assert.notEqual(proved.reading.status, 'refused', proved.reading.summary);
      if (proved.reading.status === 'disturbed')
        return context.skip(`the machine did not let it be measured: ${proved.reading.summary}`);
      const up = (id: string) => of('up').find(one => one.id === id)!;
      const [rate, plateau] = [up('rate').measured!, up('queue-plateau').measured!];
      assert.ok(
        Math.abs(rate / 2e6 - 1) < 0.0025 && Math.abs(plateau - 50) <= 1,
        `up: ${rate} bit/s, ${plateau} packets; ${proved.reading.summary}`,
      );
    });
});

describe('a managed queue on a slow link', { skip }, () => {
  for (const [id, rateBps, law] of [
    ['fq-codel', 1e6, 'first-drop'],
    ['codel', 64e3, 'first-drop'],
    ['pie', 8e6, 'drop-share'],
    ['dualpi2', 2e6, 'coupling'],
  ] as const)
    test(`${id} at ${formatRate(rateBps)} is measured so that it does not act, and proved by its law`, async context => {
      const plain = plainLink(rateBps, { unit: 'ms', value: 1000 });
      const link: Link = {
        ...plain,
        aqm: managedBy(id),
        ecn: id === 'dualpi2',
        backend: 'emulator',
      };
      const proof = new LinkProof(shapedLink, dumbbell, lease.scratch);
      const signal = new AbortController().signal;
      let { reading } = (await proof.of(link, seed, { onStart: () => {}, signal }))!;
      for (let again = 0; again < 2 && reading.status === 'disturbed'; again++)
        reading = (await proof.of(link, seed, { onStart: () => {}, signal }))!.reading;
      context.diagnostic(`${reading.status}: ${reading.summary}`);
      assert.notEqual(reading.status, 'refused', reading.summary);
      if (reading.status === 'disturbed')
        return context.skip(`the machine did not let it be measured: ${reading.summary}`);
      assert.equal(reading.readings.find(one => one.id === law)?.verdict, 'ok', reading.summary);
    });
});
