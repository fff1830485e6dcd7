/** RFC 8888 feedback resolved against sent packets, by the numbers of each stream. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CongestionFeedback, PacketArrival } from '../../../../server/rtp/congestion-feedback.ts';
import { SentPackets } from '../../../../server/transport/sent-packets.ts';

const [media, repair] = [0x1111, 0x2222];
const bytes = 1000;

/** Sends packets of two streams, one per millisecond, and takes feedback on them. */
class Link {
  readonly packets = new SentPackets();
  readonly #next = new Map<number, number>();
  #transport = 0;

  constructor(firstMedia = 0) {
    this.#next.set(media, firstMedia);
    this.#next.set(repair, 500);
  }

  send(ssrc: number, count: number): this {
    for (let i = 0; i < count; i++, this.#transport++) {
      const sequence = this.#next.get(ssrc)!;
      this.#next.set(ssrc, (sequence + 1) & 0xffff);
      this.packets.add(
        { sequence: this.#transport, sentMs: this.#transport, sizeBytes: bytes, kind: 'media' },
        { ssrc, sequence },
      );
    }
    return this;
  }

  /** Takes reports on streams from a first number on: offsets in 1/1024 s, or complete arrivals; null for missing. */
  feedback(
    timestamp: number,
    ...streams: [ssrc: number, begin: number, arrivals: (number | PacketArrival | null)[]][]
  ) {
    const feedback: CongestionFeedback = {
      timestamp,
      streams: streams.map(([ssrc, begin, arrivals]) => ({
        ssrc,
        packets: arrivals.map((arrival, i) => ({
          sequence: (begin + i) & 0xffff,
          arrival: typeof arrival === 'number' ? { offset: arrival, ecn: 'not-ect' } : arrival,
        })),
      })),
    };
    return this.packets.resolveStreams(feedback, 5000);
  }

  /** Returns the transport-wide numbers of the resolved feedback; missing packets have an x. */
  told(...streams: Parameters<Link['feedback']> extends [number, ...infer Rest] ? Rest : never): string {
    return (
      this.feedback(0, ...streams)
        ?.packets.map(({ sequence, receivedMs }) => `${sequence}${receivedMs === null ? 'x' : ''}`)
        .join(' ') ?? 'nothing'
    );
  }

  get inFlight(): number {
    return this.packets.inFlightBytes / bytes;
  }
}

test('arrivals are so long before the report, in 1/1024 s, and carry their ECN field', () => {
  const link = new Link().send(media, 3);
  // 2 s of NTP time is 131072; 512 / 1024 s before it
  const feedback = link.feedback(131_072, [media, 0, [512, null, { offset: 256, ecn: 'ce' }]])!;
  assert.deepEqual(
    feedback.packets.map(({ sequence, receivedMs, ecn }) => [sequence, receivedMs, ecn]),
    [
      [0, 1500, 'not-ect'],
      [1, null, undefined],
      [2, 1750, 'ce'],
    ],
  );
  assert.deepEqual([feedback.arrivedMs, feedback.inFlightBytes], [5000, 0]);
});

test('an arrival known by a bound is put there: 8190/1024 s before, or at the report', () => {
  const link = new Link().send(media, 2);
  const { packets } = link.feedback(65_536 * 10, [
    media,
    0,
    [
      { offset: 'earlier', ecn: 'not-ect' },
      { offset: 'unknown', ecn: 'not-ect' },
    ],
  ])!;
  assert.deepEqual(
    packets.map(({ receivedMs }) => receivedMs),
    [10_000 - 8190 / 1.024, 10_000],
  );
});

test("the streams' packets come in the order in which they were sent", () => {
  const link = new Link().send(media, 2).send(repair, 2).send(media, 2);
  assert.equal(link.told([repair, 500, [5, 4]], [media, 0, [9, null, 3, 2]]), '0 1x 2 3 4 5');
  assert.equal(link.inFlight, 0);
});

test('in flight is what was sent after the newest packet reported, of either stream', () => {
  const link = new Link().send(media, 3).send(repair, 1).send(media, 4);
  assert.equal(link.told([repair, 500, [5]]), '3');
  assert.equal(link.inFlight, 4);
});

test('reports may overlap: only what is new is told, and what was received stays so', () => {
  const link = new Link().send(media, 5);
  assert.equal(link.told([media, 0, [9, null, 8]]), '0 1x 2');
  assert.equal(link.told([media, 0, [9, null, 8, 7]]), '3');
  assert.equal(link.told([media, 0, [null, 6, null, null, 5]]), '1 4');
  assert.equal(link.told([media, 0, [9, 9, 9, 9, 9]]), 'nothing');
});

test('sequence numbers wrap; the newest packet with a number is meant', () => {
  const link = new Link(65_534).send(media, 4);
  assert.equal(link.told([media, 65_534, [4, 3, 2, 1]]), '0 1 2 3');
  link.send(media, 65_536);
  assert.equal(link.told([media, 65_534, [1]]), '65536');
});

test("the report's timestamp goes on where its 32 bits wrap, and back for what is late", () => {
  const link = new Link().send(media, 4);
  const rangeMs = 2 ** 32 / 65.536;
  const received = (timestamp: number, sequence: number) =>
    link.feedback(timestamp, [media, sequence, [0]])!.packets[0]!.receivedMs!;
  const last = 2 ** 32 - 65_536;
  assert.equal(received(last, 0), rangeMs - 1000);
  assert.equal(received(65_536, 1), rangeMs + 1000);
  assert.equal(received(last, 2), rangeMs - 1000);
  assert.equal(received(131_072, 3), rangeMs + 2000);
});

test('numbers and streams that were never sent tell nothing', () => {
  const link = new Link().send(media, 2);
  assert.equal(link.told([0x3333, 0, [1, 2]], [media, 2, [1]], [repair, 500, [1]]), 'nothing');
  assert.equal(link.inFlight, 2);
  assert.equal(link.told(), 'nothing');
});

test('packets are remembered for a minute', () => {
  const link = new Link().send(media, 2);
  link.packets.add({ sequence: 2, sentMs: 60_001, sizeBytes: bytes, kind: 'media' }, { ssrc: media, sequence: 2 });
  assert.equal(link.told([media, 0, [3, 2, 1]]), '1 2');
});
