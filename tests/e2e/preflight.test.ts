/**
 * Preflight on real links: what is as asked for passes, and what is wrong is refused by the reading that names it. The
 * other links: tests/long.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Receiver, sendProbes } from '../../shaper/calibrate/probe.ts';
import { dumbbell, lease, shapedLink } from './support/hosts.ts';
import { passes, refuses, skip, spec } from './support/preflight-links.ts';

describe('the link as it was asked for', { skip }, () => {
  passes('packets'); // the emulator's link is proved in experiment.test.ts
});

describe('a link that is wrong is refused', { skip }, () => {
  for (const what of ['packets are lost where none should be', 'the losses are those of another seed'] as const)
    refuses(what);
});

describe('the probe', { skip }, () => {
  test('writes down every packet, in order, with its times', async () => {
    await shapedLink.set(spec, 1);
    const receiver = await Receiver.start(dumbbell.hosts.client, join(lease.scratch, 'records'));
    const report = await sendProbes(dumbbell.hosts.other, dumbbell.addresses.client, receiver.port, {
      payloadBytes: 200,
      packets: 500,
      everyUs: 500,
      flow: 3,
    });
    const { arrivals, kernelDropped, clockSteps } = await receiver.finish();
    assert.equal(report.sent, 500);
    assert.deepEqual([arrivals.length, kernelDropped, clockSteps], [500, 0, 0]);
    assert.deepEqual(
      arrivals.map(({ sequence }) => sequence),
      Array.from({ length: 500 }, (_, k) => k),
    );
    assert.ok(arrivals.every(({ bytes, flow }) => bytes === 200 && flow === 3));
    assert.ok(
      arrivals.every(
        ({ sentMs, receivedMs }) =>
          sentMs >= report.startMs && receivedMs > sentMs && receivedMs <= report.endMs + 1000,
      ),
    );
  });

  test('that dies is an error that tells its last words', async () => {
    await assert.rejects(
      sendProbes(dumbbell.hosts.router, '203.0.113.1', 9, { payloadBytes: 200, packets: 5, everyUs: 500 }),
      {
        code: 'probe-died',
        message: /coexist-probe send on router ended without an answer: coexist-probe: send: Network is unreachable/,
      },
    );
  });

  test('that is aborted is gone', async () => {
    const abort = new AbortController();
    const sending = sendProbes(
      dumbbell.hosts.other,
      dumbbell.addresses.client,
      9,
      { payloadBytes: 200, packets: 100_000, everyUs: 1000 },
      abort.signal,
    );
    setTimeout(() => abort.abort(new Error('enough')), 100);
    await assert.rejects(sending, /enough/);
    assert.deepEqual(await dumbbell.hosts.other.processIds(), []);
  });
});
