import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLightOf } from '../../../../shaper/calibrate/judge.ts';
import { slotMs } from '../../../../shaper/calibrate/packets.ts';
import { serialisationPlan } from '../../../../shaper/calibrate/plan.ts';
import { planTotals } from '../../../../shaper/calibrate/probe.ts';
import {
  gapsMs,
  type SerialisationObservation,
  serialisationReadings,
} from '../../../../shaper/calibrate/serialisation.ts';
import { arrival, down, link } from './hand-made.ts';

const serialising = link({ bucketBytes: 0 });
const plan = serialisationPlan(serialising)!;
const hostsMs = 0.08;

type Spoil = {
  /** Error of a single packet's delay, by its IP length, ms. */
  alone?: (ipBytes: number, k: number) => number;
  /** Lateness of packet k of a train, ms. */
  late?: (k: number, train: number) => number;
};

/** Arrivals of a link that serialises, with the errors of `Spoil`. */
function observed({ alone = () => 0, late = () => 0 }: Spoil = {}): SerialisationObservation {
  return {
    delayMs: down.delayMs,
    idle: plan.idle.map(({ payloadBytes, packets, everyUs }) =>
      Array.from({ length: packets }, (_, k) => {
        const sentMs = (k * everyUs) / 1e3;
        return arrival(
          k,
          sentMs,
          sentMs + down.delayMs + hostsMs + slotMs(serialising, payloadBytes) + alone(payloadBytes + 28, k),
        );
      }),
    ),
    trains: plan.trains.map(({ trainPackets, trains, everyMs }) =>
      Array.from({ length: trains * trainPackets }, (_, sequence) => {
        const [train, k] = [Math.floor(sequence / trainPackets), sequence % trainPackets];
        const sentMs = train * everyMs + k * 0.01;
        // a full packet takes 1 ms
        return arrival(sequence, sentMs, train * everyMs + down.delayMs + hostsMs + (k + 1) + late(k, train));
      }),
    ),
  };
}
const read = (spoil?: Spoil, of = serialising) => serialisationReadings(of, plan, observed(spoil));
const verdictsOf = (spoil?: Spoil, of?: typeof serialising) => read(spoil, of).map(({ verdict }) => verdict);
const six = (...changed: [number, string][]) =>
  Array.from({ length: 6 }, (_, i) => changed.find(([at]) => at === i)?.[1] ?? 'ok');
/** A token bucket passes every single packet at once. */
const bucket: Spoil = { alone: ipBytes => -slotMs(serialising, ipBytes - 28), late: k => -Math.min(2, k + 1) };

test('sizes one after another, and a hundred gaps of each length, each in 400 ms or the fewest that tell something', () => {
  for (const bps of [40e6, 8e6, 1e6, 100e3]) {
    const asked = link({ rateBps: bps });
    const { idle, trains } = serialisationPlan(asked)!;
    assert.deepEqual(
      idle.map(({ payloadBytes }) => payloadBytes),
      [1472, 572, 72],
    );
    assert.deepEqual(
      trains.map(({ trainPackets }) => trainPackets),
      [2, 3, 10],
    );
    for (const one of idle)
      assert.ok(
        one.everyUs / 1e3 >= 2.99 * slotMs(asked, 1472) && (planTotals(one).durationMs <= 401 || one.packets === 10),
      );
    for (const one of trains)
      assert.ok(
        one.everyMs >= one.trainPackets * slotMs(asked, 1472) + 2 &&
          (planTotals(one).durationMs <= 401 || one.trains === 3),
      );
  }
  const fast = serialisationPlan(link({ rateBps: 40e6 }))!;
  assert.deepEqual(
    fast.trains.map(({ trains, trainPackets }) => trains * (trainPackets - 1)),
    [100, 100, 108],
  );
  assert.deepEqual(
    fast.idle.map(({ packets }) => packets),
    [200, 200, 200],
  );
  assert.deepEqual(
    serialisationPlan(link({ limitPackets: 5 }))!.trains.map(({ trainPackets }) => trainPackets),
    [2, 3, 5],
  );
  assert.equal(serialisationPlan(link({ rateBps: 400e6 })), null);
});

test('a link that serialises passes, whatever the hosts need for a packet', () => {
  assert.deepEqual(verdictsOf(), six());
  assert.deepEqual(verdictsOf({ alone: () => 0.7, late: () => 0.7 }), six());
  const [full, , small] = read();
  assert.equal(full!.title, 'time that a packet of 1500 bytes takes on the idle link');
  assert.ok(Math.abs(full!.measured! - 1) < 1e-9 && full!.asked === 1);
  assert.ok(Math.abs(small!.measured! - 114 / 1514) < 1e-9);
  assert.match(full!.note!, /^median of \d+ packets, p99 1\.000 ms; the hosts need 0\.080 ms more$/);
});

test('one size that is wrong is the one that is refused, by all of its error', () => {
  for (const [i, wrong] of [1500, 600, 100].entries()) {
    const readings = read({ alone: ipBytes => (ipBytes === wrong ? 0.06 : 0) });
    assert.deepEqual(
      readings.map(({ verdict }) => verdict),
      six([i, 'refused']),
      String(wrong),
    );
    assert.ok(Math.abs(readings[i]!.measured! - readings[i]!.asked - 0.06) < 1e-9);
  }
});

test('a token bucket is refused where the link should serialise, and told where it is the link', () => {
  assert.deepEqual(verdictsOf(bucket), ['refused', 'ok', 'refused', 'refused', 'refused', 'refused']);
  const told = read(bucket, link({ bucketBytes: 1600 }));
  assert.ok(told.every(({ verdict, measured }) => verdict === 'skipped' && measured !== null));
  assert.ok(told.every(({ note }) => note!.endsWith('; a token bucket of 1600 bytes (tc), not serialising')));
});

test('packets that the machine let wait mark the link and do not refuse it', () => {
  // two of three packets are late, and the one after a late packet is on time
  const readings = read({
    alone: (ipBytes, k) => (ipBytes === 1500 && k % 3 > 0 ? 0.5 : 0),
    late: k => (k % 2 === 0 ? 0.4 : 0),
  });
  assert.deepEqual(
    readings.map(({ verdict }) => verdict),
    six([0, 'late'], [3, 'late'], [4, 'late'], [5, 'late']),
  );
  assert.match(readings[0]!.note!, /the fastest tenth took 1\.000 ms: packets were late$/);
  assert.match(readings[5]!.note!, /0 packets came before their time: packets were late$/);
  assert.deepEqual(inLightOf('the machine was held up', readings), readings, 'this was allowed for');
});

test('one gap in a hundred may be short', () => {
  const [of10] = read({ late: (k, train) => (train === 0 && k === 4 ? 0.5 : 0) }).slice(-1);
  assert.equal(of10!.verdict, 'ok');
  assert.ok(of10!.measured! < 1);
  assert.deepEqual(gapsMs([arrival(0, 0, 1), arrival(1, 0, 3), arrival(2, 0, 3.5)]), [2, 0.5]);
});

test('trains that were torn, or nothing that arrived, prove nothing', () => {
  const seen = observed();
  const torn = {
    ...seen,
    trains: seen.trains.map((arrivals, i) =>
      arrivals.map(one => ({ ...one, sentMs: one.sentMs + (one.sequence % plan.trains[i]!.trainPackets) * 5 })),
    ),
  };
  assert.deepEqual(
    serialisationReadings(serialising, plan, torn)
      .slice(3)
      .map(({ verdict }) => verdict),
    ['repeat', 'repeat', 'repeat'],
  );
  const none = serialisationReadings(serialising, plan, { ...seen, idle: [[], [], []] });
  assert.deepEqual(
    none.slice(0, 3).map(({ measured, verdict }) => [measured, verdict]),
    [
      [null, 'refused'],
      [null, 'refused'],
      [null, 'refused'],
    ],
  );
});

test('a link whose packets leave at ticks of a clock is told, not judged', () => {
  const told = read(bucket, link({ bucketBytes: 1600, stepMs: 1 }));
  assert.ok(told.every(({ verdict }) => verdict === 'skipped'));
  assert.ok(
    told.every(({ note }) => note!.endsWith('; packets leave at the ticks of a clock of 1 ms, not serialising')),
  );
});
