import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SentPackets } from '../../../../server/transport/sent-packets.ts';

const bytes = 1000;

/** Sends packets, one per millisecond, and takes feedback on them. */
class Link {
  readonly packets = new SentPackets();
  #next: number;

  constructor(first = 0) {
    this.#next = first;
  }

  send(count: number, sizeBytes = bytes): this {
    for (let i = 0; i < count; i++, this.#next++)
      this.packets.add({ sequence: this.#next, sentMs: this.#next, sizeBytes, kind: 'media' });
    return this;
  }

  /** Takes feedback on packets from `base` on: arrival times in ms, null for missing. */
  feedback(base: number, receivedMs: (number | null)[]) {
    const packets = receivedMs.map((ms, i) => ({
      sequence: (base + i) & 0xffff,
      receivedUs: ms === null ? null : ms * 1000,
    }));
    return this.packets.resolve({ count: 0, packets }, 5000);
  }

  /** Returns the sequence numbers of the resolved feedback; missing packets have an x. */
  told(base: number, receivedMs: (number | null)[]): string {
    return (
      this.feedback(base, receivedMs)
        ?.packets.map(({ sequence, receivedMs: ms }) => `${sequence}${ms === null ? 'x' : ''}`)
        .join(' ') ?? 'nothing'
    );
  }

  get inFlight(): number {
    return this.packets.inFlightBytes / bytes;
  }
}

test('feedback gives back what was sent, with arrival times', () => {
  const link = new Link();
  const sent = link.packets.add({ sequence: 0, sentMs: 12, sizeBytes: 300, kind: 'retransmission', probe: 4 });
  assert.deepEqual(sent, {
    sequence: 0,
    sentMs: 12,
    sizeBytes: 300,
    kind: 'retransmission',
    probe: 4,
    inFlightBytes: 300,
  });
  assert.deepEqual(link.feedback(0, [77.25]), {
    arrivedMs: 5000,
    packets: [{ ...sent, receivedMs: 77.25 }],
    inFlightBytes: 0,
  });
});

test('in flight is what was sent after the newest packet reported', () => {
  const link = new Link().send(10);
  assert.equal(link.inFlight, 10);
  assert.equal(link.feedback(0, [1, 2, 3])!.inFlightBytes, 7 * bytes);
  assert.equal(link.feedback(3, [4, null, 5])!.inFlightBytes, 4 * bytes);
  link.send(2);
  assert.equal(link.inFlight, 6);
});

test('where a report is lost, the next one lands what it would have told of', () => {
  const link = new Link().send(10);
  assert.equal(link.told(6, [1, 2]), '6 7');
  assert.equal(link.inFlight, 2);
  assert.equal(link.told(0, [1, 2]), '0 1'); // late feedback takes no packet out of flight twice
  assert.equal(link.inFlight, 2);
});

test('a missing packet is told once, and again when it turns out to have arrived', () => {
  const link = new Link().send(5);
  assert.equal(link.told(0, [1, null, 2]), '0 1x 2');
  assert.equal(link.told(1, [null, 2, 3]), '3');
  assert.equal(link.told(1, [4, 2, 3, 5]), '1 4');
  assert.equal(link.told(1, [null]), 'nothing');
  assert.equal(link.inFlight, 0);
});

test('the same message again tells nothing', () => {
  const link = new Link().send(4);
  link.feedback(0, [1, null, 2]);
  assert.equal(link.told(0, [1, null, 2]), 'nothing');
  assert.equal(link.inFlight, 1);
});

test('a report of missing packets alone lands them', () => {
  const link = new Link().send(4);
  assert.equal(link.told(0, [null, null]), '0x 1x');
  assert.equal(link.inFlight, 2);
});

test('16 bits of sequence number wrap', () => {
  const link = new Link(65530).send(12); // 65530 to 65541
  assert.equal(link.told(65533, [1, 2, 3, null, 4]), '65533 65534 65535 65536x 65537');
  assert.equal(link.inFlight, 4);
  assert.equal(link.told(65530, [1]), '65530');
});

test('several wraps, with feedback all the time', () => {
  const link = new Link();
  for (let sequence = 0; sequence < 200_000; sequence += 100) {
    link.send(100);
    assert.equal(
      link.feedback(
        sequence & 0xffff,
        Array.from({ length: 100 }, (_, i) => i),
      )!.packets[0]!.sequence,
      sequence,
    );
  }
  assert.equal(link.inFlight, 0);
});

test('feedback on packets that were never sent tells nothing and confuses nothing', () => {
  const link = new Link();
  assert.equal(link.told(40_000, [1, 2]), 'nothing');
  link.send(10);
  for (const base of [30_000, 60_000, 20_000, 50_000]) assert.equal(link.told(base, [1, 2, null]), 'nothing');
  assert.equal(link.told(8, [1, 2, 3, 4]), '8 9');
  assert.equal(link.inFlight, 0);
  link.send(1);
  assert.equal(link.told(10, [5]), '10');
});

test('empty feedback', () => {
  assert.equal(new Link().send(1).told(0, []), 'nothing');
});

test('packets are remembered for a minute, then out of flight', () => {
  const link = new Link().send(4); // at 0 to 3 ms
  link.packets.add({ sequence: 4, sentMs: 60_000, sizeBytes: bytes, kind: 'media' });
  assert.equal(link.inFlight, 5);
  link.packets.add({ sequence: 5, sentMs: 60_003, sizeBytes: bytes, kind: 'media' });
  assert.equal(link.inFlight, 3);
  assert.equal(link.told(0, [1, 2, 3, 4, 5]), '3 4');
});

test('the reference time goes on where its 24 bits wrap, and back for what is late', () => {
  const link = new Link().send(6);
  const rangeMs = 2 ** 24 * 64;
  const last = rangeMs / 2 - 64; // as a signed number
  const received = (base: number, ms: number) => link.feedback(base, [ms])!.packets[0]!.receivedMs!;
  assert.equal(received(0, last), last);
  assert.equal(received(1, -rangeMs / 2 + 10), rangeMs / 2 + 10);
  assert.equal(received(2, last + 5), last + 5);
  assert.equal(received(3, -rangeMs / 2 + 20), rangeMs / 2 + 20);
  assert.equal(received(4, -rangeMs / 2 + 64_000), rangeMs / 2 + 64_000);
});
