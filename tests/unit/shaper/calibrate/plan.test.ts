import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedBytes, limitInPackets, slotMs } from '../../../../shaper/calibrate/packets.ts';
import { idlePlan, lossPlan, overloadPlan, trainPlan } from '../../../../shaper/calibrate/plan.ts';
import { planTotals } from '../../../../shaper/calibrate/probe.ts';
import { link, rateBps } from './hand-made.ts';

test('a packet counts as the backend counts it', () => {
  assert.equal(countedBytes(link(), 1472), 1514);
  assert.equal(countedBytes(link({ overheadBytes: 0 }), 1472), 1500);
  assert.equal(slotMs(link(), 1472), 1);
});

test('a limit in bytes holds whole packets', () => {
  assert.equal(limitInPackets(link(), 1472), 100);
  assert.equal(limitInPackets(link({ limitPackets: null, limitBytes: 5 * 1514 - 1 }), 1472), 4);
  assert.equal(limitInPackets(link({ limitPackets: null }), 1472), null);
});

test('idle probes leave three quarters of any link idle', () => {
  for (const bps of [100e3, 500e3, 12e6, 1e9]) {
    const asked = link({ rateBps: bps });
    const plan = idlePlan(asked);
    assert.ok(plan.packets <= 200 && plan.packets >= 20);
    const load =
      (asked.paths.filter(({ shaped }) => shaped).length * slotMs(asked, plan.payloadBytes)) / (plan.everyUs / 1e3);
    assert.ok(load <= 0.2501, `${bps}: ${load}`);
    assert.ok(plan.everyUs >= 2000);
    assert.ok(
      plan.packets === 20 || plan.packets * plan.everyUs <= 2_001_000,
      `${plan.packets} every ${plan.everyUs} us`,
    );
  }
  assert.equal(idlePlan(link({ rateBps: 500e3 })).packets, 200);
  assert.equal(idlePlan(link({ rateBps: 10e3 })).packets, 20);
});

test('trains: twenty of twenty, fewer on slow links, shorter in short queues, none where none fits', () => {
  assert.deepEqual(trainPlan(link({ rateBps: 40e6 })), {
    payloadBytes: 1472,
    trainPackets: 20,
    trains: 20,
    everyMs: 20 * 0.3028 * 1.1 + 100,
  });
  const slow = trainPlan(link({ rateBps: 500e3 }))!;
  assert.equal(slow.trains, 4);
  assert.ok(slow.everyMs >= 20 * 24.224 + 100);
  assert.equal(trainPlan(link({ limitPackets: 7 }))!.trainPackets, 7);
  assert.equal(trainPlan(link({ limitPackets: 4 })), null);
  assert.equal(trainPlan(link({ rateBps: 1e9 })), null);
});

test('an overload fills the queue before the two seconds begin', () => {
  for (const [bps, limitPackets] of [
    [40e6, 1000],
    [8e6, 100],
    [100e6, 50],
    [500e3, 1000],
    [40e6, 1],
  ] as const) {
    const asked = link({ rateBps: bps, limitPackets });
    const plan = overloadPlan(asked)!;
    assert.equal(plan.plateauPackets, limitPackets);
    assert.equal(plan.rateBps, bps * 1.15);
    const slot = slotMs(asked, plan.payloadBytes);
    // sent at three times the overload's rate while the link takes one packet a slot
    const prefillMs = (plan.prefillPackets * slot) / 1.15 / 3;
    assert.ok(plan.prefillPackets - prefillMs / slot > limitPackets, `${bps}, ${limitPackets}: ${plan.prefillPackets}`);
    assert.ok(plan.settleMs > prefillMs);
    assert.equal(plan.drainMs, limitPackets * slot);
    assert.ok(planTotals(plan).durationMs < 4000, `${planTotals(plan).durationMs} ms`);
  }
});

test('a queue that takes long to drain is tried with smaller packets where it counts packets', () => {
  assert.equal(overloadPlan(link({ rateBps: 40e6, limitPackets: 1000 }))!.payloadBytes, 1472);
  const slow = overloadPlan(link({ rateBps: 500e3, limitPackets: 1000 }))!;
  assert.ok(slow.payloadBytes < 100 && slow.payloadBytes >= 24);
  assert.ok(slow.drainMs <= 1501, String(slow.drainMs));
  // a limit in bytes takes the same time for packets of any size: 1.5 MB at 500 kbit/s are 24 s
  const bytes = overloadPlan(link({ rateBps: 500e3, limitPackets: null, limitBytes: 1_500_000 }))!;
  assert.deepEqual([bytes.payloadBytes, bytes.plateauPackets], [1472, null]);
});

test('an unlimited queue gets a head start and no plateau; a link beyond the sender gets nothing', () => {
  const plan = overloadPlan(link({ limitPackets: null }))!;
  assert.deepEqual([plan.plateauPackets, plan.prefillPackets, plan.payloadBytes], [null, 20, 1472]);
  assert.equal(overloadPlan(link({ rateBps: 400e6 })), null);
});

test('as many packets for the loss as its interval needs, as far as two seconds allow', () => {
  const fast = link({ rateBps: 40e6 });
  assert.equal(lossPlan(fast, 0.03, 1).packets, Math.ceil((166 * 0.97) / 0.03));
  assert.equal(lossPlan(fast, 0.005, 1).packets, 20_000);
  assert.deepEqual([lossPlan(fast, 0.005, 2).packets, lossPlan(fast, 0.005, 2).everyUs], [10_000, 200]);
  assert.equal(lossPlan(fast, 0, 1).packets, 2000);
  const slow = lossPlan(link({ rateBps: 500e3 }), 0.02, 1);
  assert.ok(slow.packets < 1000 && (slow.packets * slow.everyUs) / 1e6 <= 2.01, JSON.stringify(slow));
  assert.equal(lossPlan(link({ rateBps: 1e3 }), 0.02, 1).packets, 1);
  assert.equal((rateBps * 1e-3) / 8, 1514);
});

test('what a plan sends, and how long it takes', () => {
  assert.deepEqual(planTotals({ payloadBytes: 24, packets: 200, everyUs: 2000 }), { packets: 200, durationMs: 400 });
  assert.deepEqual(planTotals({ payloadBytes: 1472, trainPackets: 20, trains: 5, everyMs: 106 }), {
    packets: 100,
    durationMs: 530,
  });
  assert.deepEqual(planTotals({ payloadBytes: 1472, rateBps, seconds: 2, prefillPackets: 30, overheadBytes: 14 }), {
    packets: 2030,
    durationMs: 2010,
  });
});
