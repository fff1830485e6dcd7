import assert from 'node:assert/strict';
import { test } from 'node:test';
import { burstMs, every, packetBytes, paddingBytes, Wire } from './wire.ts';

/** A wire whose queue is never empty. */
function busy(pacingBps: number, packets = 8): Wire {
  const wire = new Wire(pacingBps);
  wire.enqueue(packets);
  wire.onLeft = () => wire.enqueue(1);
  return wire;
}

const times = (wire: Wire) => wire.left.map(({ timeMs }) => timeMs);
const kinds = (wire: Wire) => wire.left.map(({ kind }) => kind).join(' ');

for (const pacingBps of [100e3, 1e6, 8e6, 50e6]) {
  /** 40 ms of the rate, at most 63 kB. */
  const burstBytes = Math.min((pacingBps / 8000) * burstMs, 63_000);

  test(`${pacingBps / 1e6} Mbit/s over 20 s, after the burst at the start`, () => {
    const wire = busy(pacingBps).run(20_000);
    const expected = (pacingBps / 8000) * 20_000 + burstBytes;
    assert.ok(
      Math.abs(wire.bytes() - expected) <= 5 * packetBytes + 0.001 * expected,
      `${wire.bytes()}, expected ${expected}`,
    );
  });

  test(`${pacingBps / 1e6} Mbit/s: no window of time holds more than the rate and the burst`, () => {
    const { left } = busy(pacingBps).run(5000);
    const most = (spanMs: number) => (pacingBps / 8000) * spanMs + burstBytes + packetBytes + 1e-6;
    for (const spanMs of [0, 1, 10, 100, 1000]) {
      for (let from = 0, to = 0, bytes = 0; to < left.length; to++) {
        bytes += left[to]!.sizeBytes;
        while (left[to]!.timeMs - left[from]!.timeMs > spanMs) bytes -= left[from++]!.sizeBytes;
        assert.ok(bytes <= most(spanMs), `${bytes} bytes in ${spanMs} ms`);
      }
    }
  });

  test(`${pacingBps / 1e6} Mbit/s: it asks to be called once a burst`, () => {
    const wire = busy(pacingBps).run(5000);
    assert.ok(wire.calls <= (5000 * pacingBps) / 8000 / burstBytes + 2, `${wire.calls} calls`);
  });
}

test('the burst: packets leave while the debt is worth less than 40 ms, then when it is paid', () => {
  const wire = new Wire(1e6); // 40 ms are 5000 bytes: debts 0, 1200, 2400, 3600, 4800, but not 6000
  wire.enqueue(7);
  wire.run(1000);
  // 6000 bytes drain in 48 ms
  assert.deepEqual(
    times(wire).map(ms => Math.round(10 * ms) / 10),
    [0, 0, 0, 0, 0, 48, 48],
  );
});

test('something new sends what there is room for before the debt is paid', () => {
  const wire = new Wire(1e6);
  wire.enqueue(6);
  wire.run(1000, { events: [{ atMs: 20, do: () => wire.enqueue(1) }] });
  // at 20 ms the debt is 6000 - 2500: packets leave at 3500 and 4700, and the last one only after 5900 is paid
  assert.deepEqual(
    times(wire).map(ms => Math.round(10 * ms) / 10),
    [0, 0, 0, 0, 0, 20, 20],
  );
});

test('after a pause there is one burst, not the rate of the pause', () => {
  const wire = new Wire(1e6);
  wire.run(1000, {
    events: [
      { atMs: 60, do: () => wire.enqueue(3) },
      { atMs: 900, do: () => wire.enqueue(100) },
    ],
  });
  assert.equal(
    wire.bytes(({ timeMs }) => timeMs === 900),
    5 * packetBytes,
  );
});

test('retransmissions go first, each kind in its order', () => {
  const wire = new Wire(1e6);
  wire.enqueue(2, 'media', 100);
  wire.enqueue(1, 'retransmission', 200);
  wire.enqueue(1, 'media', 101);
  wire.enqueue(1, 'retransmission', 201);
  wire.run(0);
  assert.deepEqual(
    wire.left.map(({ sizeBytes }) => sizeBytes),
    [200, 201, 100, 100, 101],
  );
});

test('retransmissions are paced too', () => {
  const wire = new Wire(1e6);
  wire.enqueue(50, 'retransmission');
  wire.run(100);
  assert.ok(wire.bytes() <= (1e6 / 8000) * 140 + packetBytes, `${wire.bytes()}`);
});

test('queued bytes and the time they need', () => {
  const wire = new Wire(1e6);
  assert.deepEqual([wire.pacer.queuedBytes, wire.pacer.drainMs], [0, 0]);
  wire.enqueue(10);
  assert.deepEqual([wire.pacer.queuedBytes, wire.pacer.drainMs], [12_000, 96]);
  wire.run(1000);
  assert.equal(wire.pacer.queuedBytes, 0);
});

test('a queue that would grow older than 2 s is sent faster', () => {
  const wire = new Wire(100e3);
  wire.enqueue(100); // 9.6 s at the rate
  wire.run(20_000);
  const last = times(wire).at(-1)!;
  assert.equal(wire.left.length, 100);
  assert.ok(last > 1800 && last <= 2000, `${last} ms`);
});

test('debt counts for half a second at most', () => {
  const wire = new Wire(100e3);
  wire.pacer.addProbe({ id: 1, rateBps: 5e6, minPackets: 5, minBytes: 100e3 }, 0);
  wire.enqueue(1);
  wire.run(200); // the probe: 100 kB of debt, 8 s at the pacing rate
  const before = wire.left.length;
  const probedMs = wire.left.at(-1)!.timeMs;
  wire.enqueue(1);
  wire.run(3000);
  assert.equal(wire.left.length, before + 1);
  assert.ok(wire.left.at(-1)!.timeMs <= probedMs + 500, `${wire.left.at(-1)!.timeMs}`);
});

test('a new rate counts at once', () => {
  const wire = busy(1e6);
  wire.run(5000, { events: [{ atMs: 2000, do: () => wire.pacer.setRates({ pacingBps: 4e6 }) }] });
  const late = wire.bytes(({ timeMs }) => timeMs > 3000);
  assert.ok(Math.abs(late - (4e6 / 8) * 2) < 6 * packetBytes, `${late}`);
});

test('a new longest burst counts at once', () => {
  const wire = busy(1e6);
  wire.run(2000, { events: [{ atMs: 1000, do: () => wire.pacer.setRates({ burstMs: 1 }) }] });
  const gapsMs = times(wire)
    .filter(timeMs => timeMs > 1100)
    .map((timeMs, i, all) => timeMs - (all[i - 1] ?? timeMs - 9.6));
  assert.ok(
    gapsMs.every(ms => Math.abs(ms - 9.6) < 0.001),
    `${gapsMs} ms`,
  ); // a packet at a time: 1200 bytes at 1 Mbit/s
});

test('without padding an idle pacer sleeps', () => {
  const wire = new Wire(1e6);
  assert.equal(wire.pacer.process(0), Infinity);
  wire.enqueue(1);
  wire.run(1000);
  assert.equal(wire.calls, 1);
});

test('padding fills what the media leaves, up to its rate', () => {
  const wire = new Wire(2e6);
  wire.pacer.setRates({ paddingBps: 400e3 });
  wire.run(10_000, { events: every(100, 0, 10_000, () => wire.enqueue(2)) }); // media: 192 kbit/s
  const media = wire.bytes(({ kind }) => kind === 'media');
  assert.equal(media, 100 * 2 * packetBytes);
  assert.ok(Math.abs(wire.bytes() - (400e3 / 8) * 10) < 0.02 * 500e3, `${wire.bytes()}`);
});

test('media above the padding rate leaves no room for padding', () => {
  const wire = new Wire(2e6);
  wire.pacer.setRates({ paddingBps: 100e3 });
  wire.enqueue(1);
  wire.run(10_000, { events: every(20, 20, 10_000, () => wire.enqueue(1)) }); // 480 kbit/s
  assert.equal(
    wire.bytes(({ kind }) => kind === 'padding'),
    0,
  );
});

test('padding alone: its rate, in few calls, and none while anything is queued', () => {
  for (const paddingBps of [20e3, 333_333, 2e6]) {
    const wire = new Wire(2.5e6);
    wire.pacer.setRates({ paddingBps });
    wire.onLeft = ({ kind }) => assert.ok(kind !== 'padding' || wire.pacer.queuedBytes === 0);
    wire.run(10_000);
    const expected = (paddingBps / 8) * 10;
    assert.ok(
      Math.abs(wire.bytes() - expected) < 0.02 * expected + paddingBytes,
      `${wire.bytes()}, expected ${expected}`,
    );
    assert.ok(wire.calls <= 10_000 / 5 + 2, `${wire.calls} calls at ${paddingBps}`);
  }
});

test('where nothing can be padded it asks no more than once in 5 ms', () => {
  const wire = new Wire(1e6);
  wire.canPad = false;
  wire.pacer.setRates({ paddingBps: 100e3 });
  wire.run(1000);
  assert.ok(wire.calls <= 1000 / 5 + 2, `${wire.calls} calls`);
});

test('a full congestion window holds back media and padding, not repair', () => {
  const wire = new Wire(1e6);
  wire.pacer.setRates({ congestionWindowBytes: 3000, paddingBps: 100e3 });
  wire.enqueue(1, 'media', 10);
  wire.run(0);
  wire.pacer.setInFlight(3000);
  wire.enqueue(5);
  wire.run(200);
  assert.equal(kinds(wire), 'media');
  wire.enqueue(2, 'retransmission');
  wire.run(400);
  assert.equal(kinds(wire), 'media retransmission retransmission');
  wire.pacer.setInFlight(2999);
  wire.run(401);
  assert.equal(kinds(wire), 'media retransmission retransmission media'); // and fills it again
});

test('an empty queue before a full window: no padding, and no calls', () => {
  const wire = new Wire(1e6);
  wire.pacer.setRates({ congestionWindowBytes: 3000, paddingBps: 100e3 });
  wire.pacer.setInFlight(3000);
  assert.equal(wire.pacer.process(0), Infinity);
  assert.equal(wire.left.length, 0);
});

test('the window counts what leaves; lifted, it holds nothing back', () => {
  const wire = new Wire(100e6);
  wire.pacer.setRates({ congestionWindowBytes: 3000 });
  wire.enqueue(10);
  wire.run(100);
  assert.equal(wire.left.length, 3); // 0, 1200 and 2400 bytes are less than 3000
  wire.pacer.setRates({ congestionWindowBytes: Infinity });
  wire.run(101);
  assert.equal(wire.left.length, 10);
});

test('while no feedback opens a full window, a packet leaves every 500 ms', () => {
  const wire = new Wire(10e6);
  wire.pacer.setRates({ congestionWindowBytes: 2000 });
  wire.enqueue(6);
  wire.run(1600);
  assert.deepEqual(times(wire), [0, 0, 500, 1000, 1500]);
  assert.ok(wire.calls <= 5, `${wire.calls} calls`);
});

test('the call at the time that was asked for sends it, whatever that time rounds to', () => {
  for (let i = 1; i <= 1000; i++) {
    const wire = new Wire(1e6);
    wire.pacer.setRates({ congestionWindowBytes: 1000 });
    wire.nowMs = (100 * i) / 7;
    wire.enqueue(2);
    wire.pacer.process(wire.pacer.process(wire.nowMs));
    assert.equal(wire.left.length, 2);
  }
});

test('paused, it sends what it holds and no padding, and takes no probes', () => {
  const wire = new Wire(2e6);
  wire.pacer.setRates({ paddingBps: 400e3 });
  wire.enqueue(20);
  const probe = { id: 1, rateBps: 5e6, minPackets: 5, minBytes: 1 };
  wire.pacer.addProbe(probe, 0);
  wire.pacer.setPaused(true);
  wire.pacer.addProbe(probe, 0);
  wire.run(5000);
  assert.equal(kinds(wire), Array.from({ length: 20 }, () => 'media').join(' '));
  assert.deepEqual(
    wire.left.filter(left => left.probe !== undefined),
    [],
  );
  wire.pacer.setPaused(false);
  wire.run(6000);
  assert.ok(wire.bytes(({ kind }) => kind === 'padding') > 0.5 * 50e3, 'the padding rate is as before');
});
