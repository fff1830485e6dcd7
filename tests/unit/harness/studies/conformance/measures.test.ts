import assert from 'node:assert/strict';
import { test } from 'node:test';
import { course, flow, measured } from './support.ts';

const s = 1000;

test('the used share is of what capacity and demands allow, and that of the worse direction', () => {
  const one = flow('a', 20 * s, [{ fromMs: 0, toMs: 20 * s, bps: 0.8e6 }]);
  assert.equal(measured('used-share', course(20 * s, [one])), 0.8);
  const wide = [{ hop: 1, direction: 'down' as const, rateBps: 4e6, schedule: [] }];
  assert.equal(measured('used-share', course(20 * s, [one], { bottlenecks: wide })), 0.8e6 / 1.5e6);
  const back = flow('b', 20 * s, [{ fromMs: 0, toMs: 20 * s, bps: 0.3e6 }], { direction: 'up' });
  const both = (['down', 'up'] as const).map(direction => ({ hop: 1, direction, rateBps: 1e6, schedule: [] }));
  assert.equal(measured('used-share', course(20 * s, [one, back], { bottlenecks: both })), 0.3);
});

test('traffic of constant rate takes its part of the capacity', () => {
  const media = flow('a', 20 * s, [{ fromMs: 0, toMs: 20 * s, bps: 0.4e6 }]);
  const udp = flow('udp', 20 * s, [{ fromMs: 0, toMs: 20 * s, bps: 0.5e6 }], { isMedia: false, demandBps: 0.5e6 });
  assert.equal(measured('used-share', course(20 * s, [media, udp])), 0.8);
  assert.equal(measured('beside-share', course(20 * s, [media, udp])), null);
});

test('the 95th percentile of the queue delay counts packets, not bins', () => {
  const parts = [
    { fromMs: 0, toMs: 9.4 * s, bps: 1e6, delayMs: 20 },
    { fromMs: 9.4 * s, toMs: 10 * s, bps: 1e6, delayMs: 200 },
  ];
  const one = flow('a', 10 * s, parts);
  assert.equal(measured('queue-wait-p95', course(10 * s, [one])), 200);
  const few = { ...one, sentPackets: one.sentPackets.map((packets, k) => (k >= 94 ? 1 : packets)) };
  assert.equal(measured('queue-wait-p95', course(10 * s, [few])), 20);
  assert.equal(measured('queue-wait-p95', course(10 * s, [one]), { fromMs: 0, toMs: 5 * s }), 20);
});

test('with bottlenecks in a row, shares are of what all of them allow, and losses are those at all of them', () => {
  const row = [2e6, 1.5e6].map((rateBps, k) => ({ hop: k + 1, direction: 'down' as const, rateBps, schedule: [] }));
  const at = (name: string, hop: number, bps: number, dropped = 0) =>
    flow(name, 20 * s, [{ fromMs: 0, toMs: 20 * s, bps, dropped }], { hop });
  // fair are 0.75 Mbit/s for a and c, and 1.25 for b
  const of = course(20 * s, [at('a', 1, 0.5e6, 2), at('a', 2, 0.45e6, 3), at('b', 1, 1e6), at('c', 2, 0.9e6)], {
    bottlenecks: row,
  });
  assert.equal(measured('used-share', of), 0.75, 'the first bottleneck: 1.5 of 2 Mbit/s');
  assert.equal(measured('least-share', of), 0.45 / 0.75);
  assert.equal(measured('least-rate', of), 0.45e6);
  assert.equal(measured('queue-dropped-share', of), 5 / 15);
  assert.equal(measured('jain-index-media', of), 0.9, 'of a and c');
});

test('loss is that of the flow that lost most', () => {
  const lossless = flow('a', 10 * s, [{ fromMs: 0, toMs: 10 * s, bps: 1e6 }]);
  const lossy = flow('b', 10 * s, [{ fromMs: 0, toMs: 10 * s, bps: 1e6, dropped: 1 }]);
  assert.equal(measured('queue-dropped-share', course(10 * s, [lossless, lossy])), 1 / 11);
});

const step = [
  { hop: 1, direction: 'down' as const, rateBps: 1e6, schedule: [{ atMs: 20 * s, rateBps: 0.5e6, rampMs: 0 }] },
];

test('the time to converge is the longest after a change, by the rate of one second and of the next five', () => {
  const parts = [
    { fromMs: 0, toMs: 4 * s, bps: 0.4e6 },
    { fromMs: 4 * s, toMs: 20 * s, bps: 0.9e6 },
    { fromMs: 20 * s, toMs: 40 * s, bps: 0.45e6 },
  ];
  const of = course(40 * s, [flow('a', 40 * s, parts)], { bottlenecks: step });
  // from 3.8 s on, the mean of one second is 0.4 x 0.2 + 0.9 x 0.8 = 0.8 Mbit/s
  assert.equal(measured('time-to-converge', of), 3.8);
  const never = course(40 * s, [flow('a', 40 * s, [{ fromMs: 0, toMs: 40 * s, bps: 0.3e6 }])]);
  assert.equal(measured('time-to-converge', never), 40);
});

test('a burst of one second is no convergence', () => {
  const parts = [
    { fromMs: 0, toMs: 2 * s, bps: 1e6 },
    { fromMs: 2 * s, toMs: 10 * s, bps: 0.2e6 },
    { fromMs: 10 * s, toMs: 20 * s, bps: 1e6 },
  ];
  const found = measured('time-to-converge', course(20 * s, [flow('a', 20 * s, parts)]))!;
  assert.ok(found > 9 && found <= 10, `${found}`);
});

test('the queue is left when its delay stays at 100 ms or less for a second after a reduction', () => {
  const parts = [
    { fromMs: 0, toMs: 20 * s, bps: 1e6, delayMs: 300 },
    { fromMs: 20 * s, toMs: 22 * s, bps: 0.5e6, delayMs: 250 },
    { fromMs: 22 * s, toMs: 22.5 * s, bps: 0.5e6, delayMs: 90 },
    { fromMs: 22.5 * s, toMs: 23 * s, bps: 0.5e6, delayMs: 110 },
    { fromMs: 23 * s, toMs: 40 * s, bps: 0.5e6, delayMs: 40 },
  ];
  const of = course(40 * s, [flow('a', 40 * s, parts)], { bottlenecks: step });
  assert.equal(measured('time-to-leave-queue', of), 3);
  assert.equal(measured('time-to-leave-queue', of, { fromMs: 25 * s, toMs: 40 * s }), null);
});

test("Jain's index is of the flows that are active in the whole span, by their priorities", () => {
  const two = flow('a', 20 * s, [{ fromMs: 0, toMs: 20 * s, bps: 0.6e6 }], { weight: 2 });
  const one = flow('b', 20 * s, [{ fromMs: 0, toMs: 20 * s, bps: 0.3e6 }]);
  const late = flow('c', 20 * s, [{ fromMs: 10 * s, toMs: 20 * s, bps: 0.1e6 }]);
  assert.equal(measured('jain-index-media', course(20 * s, [two, one, late])), 1);
  const last = { fromMs: 10 * s, toMs: 20 * s };
  // 0.3, 0.3 and 0.1: 0.7^2 / (3 x 0.19)
  assert.ok(Math.abs(measured('jain-index-media', course(20 * s, [two, one, late]), last)! - 0.49 / 0.57) < 1e-9);
  assert.equal(measured('jain-index-media', course(20 * s, [two])), null);
});

test('the time to fair shares begins with each change of the flows', () => {
  const first = flow('a', 30 * s, [
    { fromMs: 0, toMs: 10 * s, bps: 1e6 },
    { fromMs: 10 * s, toMs: 14 * s, bps: 0.9e6 },
    { fromMs: 14 * s, toMs: 30 * s, bps: 0.5e6 },
  ]);
  const second = flow('b', 30 * s, [
    { fromMs: 10 * s, toMs: 14 * s, bps: 0.1e6 },
    { fromMs: 14 * s, toMs: 30 * s, bps: 0.5e6 },
  ]);
  const found = measured('time-to-fair', course(30 * s, [first, second]))!;
  assert.ok(found > 2.5 && found < 4, `${found}`);
});

test('the share of a flow is of its max-min fair rate while it was active', () => {
  const small = flow('small', 20 * s, [{ fromMs: 0, toMs: 20 * s, bps: 0.2e6 }], { demandBps: 0.2e6 });
  const other = flow('other', 20 * s, [{ fromMs: 10 * s, toMs: 20 * s, bps: 0.2e6 }]);
  const tcp = flow('tcp', 20 * s, [{ fromMs: 0, toMs: 20 * s, bps: 0.6e6 }], { isMedia: false, demandBps: Infinity });
  // from 10 s on, 0.8 Mbit/s are left for two: 0.4 for each
  assert.equal(measured('least-share', course(20 * s, [small, other, tcp])), 0.5);
  // the fair rate of tcp is 0.8 Mbit/s and then 0.4
  assert.equal(measured('beside-share', course(20 * s, [small, other, tcp])), 1);
  assert.equal(measured('least-rate', course(20 * s, [small, other, tcp])), 0.2e6);
});

test('variation is of the rate per second after ten seconds of settling', () => {
  const bits = Array.from({ length: 300 }, (_, k) => (k < 100 ? 0 : Math.floor(k / 10) % 2 === 0 ? 0.5e5 : 1e5));
  const swinging = { ...flow('a', 30 * s, [{ fromMs: 0, toMs: 30 * s, bps: 1e6 }]), bits };
  // ten seconds of 0.5 and ten of 1 Mbit/s: mean 0.75, deviation sqrt(20 x 0.0625 / 19)
  const expected = Math.sqrt((20 * 0.0625) / 19) / 0.75;
  assert.ok(Math.abs(measured('rate-variation', course(30 * s, [swinging]))! - expected) < 1e-9);
});

test('estimates are read at the end of each second of the span, of every media flow', () => {
  const parts = [
    { fromMs: 0, toMs: 1 * s, bps: 1e6, estimateBps: 0.3e6 },
    { fromMs: 1 * s, toMs: 1.5 * s, bps: 1e6, estimateBps: 0.1e6 },
    { fromMs: 1.5 * s, toMs: 3 * s, bps: 1e6, estimateBps: 0.6e6 },
    { fromMs: 3 * s, toMs: 4 * s, bps: 1e6, estimateBps: 0.9e6 },
  ];
  const other = flow('b', 4 * s, [{ fromMs: 0, toMs: 4 * s, bps: 1e6, estimateBps: 0.7e6 }]);
  const beside = flow('c', 4 * s, [{ fromMs: 0, toMs: 4 * s, bps: 1e6, estimateBps: 5e6 }], { isMedia: false });
  const of = course(4 * s, [flow('a', 4 * s, parts), other, beside]);
  assert.equal(measured('lowest-estimate', of), 0.3e6);
  assert.equal(measured('lowest-estimate', of, { fromMs: 1 * s, toMs: 4 * s }), 0.6e6);
  assert.equal(measured('highest-estimate', of), 0.9e6);
  assert.equal(measured('highest-estimate', of, { fromMs: 0, toMs: 3 * s }), 0.7e6);
  assert.equal(measured('estimate-at-end', of, { fromMs: 0, toMs: 1400 }), 0.1e6);
  assert.equal(measured('estimate-at-end', of), 0.7e6);
});

test('a sender that tells no estimate has none', () => {
  const of = course(4 * s, [flow('a', 4 * s, [{ fromMs: 0, toMs: 4 * s, bps: 1e6 }])]);
  for (const id of ['lowest-estimate', 'highest-estimate', 'estimate-at-end']) assert.equal(measured(id, of), null);
});
