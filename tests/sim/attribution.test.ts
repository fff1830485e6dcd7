/**
 * Faults put into simulated viewings, each at many moments and of many lengths: every stall is put down to what was put
 * in.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../core/random.ts';
import type { Cause } from '../../core/vocabulary/stalls.ts';
import { type AttributedGap, attributedStalls } from '../../harness/analysis/derive/attribution/attribute.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { endMs, startMs } from '../unit/harness/support/record.ts';
import type { Span } from './viewing/bottleneck.ts';
import { type Faults, simulateViewing, type ViewingOptions } from './viewing.ts';

const folder = temporaryFolder();
let made = 0;

const stallsOf = (options: ViewingOptions): Promise<AttributedGap[]> =>
  attributedStalls(simulateViewing(options).write(join(folder, String(made++))));

type Case = {
  what: string;
  cause: Cause;
  faults(span: Span): Faults;
  evidence: RegExp;
  more?: Partial<ViewingOptions>;
};

const cases: readonly Case[] = [
  {
    what: "the sender's process stopped",
    cause: 'sender-host',
    faults: span => ({ sender: span }),
    evidence: /the sender's process was held up for \d+ ms/,
  },
  {
    what: 'the encoder paused',
    cause: 'encoder',
    faults: span => ({ encoder: span }),
    evidence: /^frame \d+ was \d+ ms in the encoder, .* timers were in time$/,
  },
  {
    what: 'the pacer holding back',
    cause: 'rate-decision',
    faults: span => ({ pacer: span }),
    evidence: /waited \d+ ms in the sender's pacer/,
  },
  {
    what: 'frames skipped for a full pacer',
    cause: 'rate-decision',
    faults: span => ({ pacerFull: span }),
    evidence: /skipped \d+ frames because its pacer was full, at 2\.4 Mbit\/s/,
  },
  {
    what: 'an outage',
    cause: 'outage',
    faults: span => ({ outage: span }),
    evidence: /in the bottleneck queue .* \d+ % of its rate, with packets waiting/,
  },
  {
    what: 'an outage with a queue that overflows',
    cause: 'outage',
    faults: span => ({ outage: span }),
    evidence: /% of its rate, with packets waiting/,
    more: { queueBytes: 12_000 },
  },
  {
    what: 'a queue filled at once',
    cause: 'queue',
    faults: ({ fromMs, toMs }) => ({ blast: { atMs: fromMs, bytes: ((toMs - fromMs) * 20e6) / 8000 } }),
    evidence:
      /behind \d+ packets, the previous frame 0\.\d ms; the link carried \d\d\.\d Mbit\/s, (9\d|10\d) % of its rate$/,
  },
  {
    what: 'a burst of random loss',
    cause: 'random-loss',
    faults: span => ({ loss: span }),
    evidence:
      /^5 packets of frame \d+ were lost, by random loss; repair added \d+ ms \(5 retransmissions\)$|^\d packets? of frame/,
  },
  {
    what: 'random loss behind the queue',
    cause: 'random-loss',
    faults: span => ({ lossBehind: span }),
    evidence: /packets? of frame \d+ (was|were) lost, by random loss; repair added/,
  },
  {
    what: 'a flood that keeps the queue full',
    cause: 'overflow-loss',
    faults: span => ({ flood: span }),
    evidence: /lost, by the full queue; repair added \d+ ms/,
    more: { queueBytes: 15_140 },
  },
  {
    what: 'an AQM that drops what a flood sends',
    cause: 'aqm-loss',
    faults: span => ({ flood: span }),
    evidence: /lost, by the AQM; repair added \d+ ms/,
    more: { queueBytes: 15_140, fullReason: 'aqm' },
  },
  {
    what: 'repair that comes late',
    cause: 'repair',
    faults: ({ fromMs, toMs }) => ({ loss: { fromMs, toMs: fromMs + 21 }, repairDelayMs: toMs - fromMs }),
    evidence: /the first left \d+ ms after the browser could detect the loss, at a round-trip time of 12 ms$/,
  },
  {
    what: 'repair that never comes',
    cause: 'key-frame',
    faults: ({ fromMs }) => ({ loss: { fromMs, toMs: fromMs + 150 }, repairDelayMs: Infinity }),
    evidence: /never repaired; key frame \d+ was captured \d+ ms after it$/,
  },
  {
    what: 'the browser stopped',
    cause: 'receiver-host',
    faults: span => ({ receiver: span }),
    evidence: /the browser's page was held up for \d+ ms/,
  },
  {
    what: 'the browser showing nothing',
    cause: 'browser',
    faults: span => ({ browser: span }),
    evidence: /was complete \d+ ms before the next frame was presented, .* timers were in time$/,
  },
  {
    what: 'a hog that starves the sender',
    cause: 'sender-host',
    faults: span => ({ encoder: span, machine: span }),
    evidence: /a thread that only sleeps was held up for \d+ ms/,
  },
  {
    what: 'a hog that starves the receiver',
    cause: 'receiver-host',
    faults: span => ({ browser: span, machine: span }),
    evidence: /a thread that only sleeps was held up for \d+ ms/,
  },
  {
    what: 'a hog that starves the bottleneck',
    cause: 'link-host',
    faults: span => ({ outage: span, machine: span }),
    evidence: /a thread that only sleeps was held up for \d+ ms/,
  },
];

/** Spans of 250 to 900 ms somewhere in the window. */
function spans(count: number, seed: number): Span[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const fromMs = 11_000 + random.next() * 6000;
    return { fromMs, toMs: fromMs + 250 + random.next() * 650 };
  });
}

for (const [i, { what, cause, faults, evidence, more }] of cases.entries()) {
  test(`${what}: ${cause}`, async () => {
    for (const span of spans(12, i)) {
      const stalls = await stallsOf({ faults: faults(span), ...more });
      assert.ok(stalls.length > 0, `${JSON.stringify(span)} made no stall`);
      for (const stall of stalls) {
        assert.equal(stall.cause, cause, `${JSON.stringify(span)}: ${stall.cause}, ${stall.evidence}`);
        assert.match(stall.evidence, evidence);
      }
    }
  });
}

test('a step of the schedule long before is no loss of capacity; one in the meantime is a rate change', async () => {
  for (const span of spans(6, 99)) {
    const viewing = simulateViewing({ faults: { blast: { atMs: span.fromMs, bytes: (600 * 20e6) / 8000 } } });
    const stepAt = async (atMs: number) => {
      const told = { rateBps: 80e6, schedule: [{ atMs: atMs - startMs, rateBps: 20e6, rampMs: 0 }] };
      return (await attributedStalls(viewing.write(join(folder, String(made++)), told)))
        .map(({ cause, evidence }) => `${cause}: ${evidence}`)
        .join('\n');
    };
    assert.match(await stepAt(span.fromMs - 500), /^queue: .* (9\d|10\d) % of its rate$/);
    assert.match(
      await stepAt(span.fromMs + 5),
      /^rate-change: .* (9\d|10\d) % of the 20\.\d Mbit\/s that its schedule set and 2\d % of the highest rate since the capture of frame \d+$/,
    );
  }
});

test('without a fault there is no stall', async () => {
  assert.deepEqual(await stallsOf({ faults: {} }), []);
});

test("a gap that is not over at the window's end is put down to what it waits for", async () => {
  const span = { fromMs: endMs - 400, toMs: endMs + 600 };
  for (const [faults, cause] of [
    [{ outage: span }, 'outage'],
    [{ encoder: span }, 'encoder'],
    [{ loss: span }, 'random-loss'],
    [{ browser: span }, 'browser'],
    [{ pacer: span }, 'rate-decision'],
  ] as const) {
    const stalls = await stallsOf({ faults });
    assert.deepEqual(
      stalls.map(stall => [stall.cause, stall.endMs]),
      [[cause, endMs]],
      stalls[0]?.evidence,
    );
  }
});

test('without a log of the queue the sentence says what was missing', async () => {
  const span = { fromMs: 13_003, toMs: 13_403 };
  const [waited] = await stallsOf({ faults: { outage: span }, withQueueLog: false });
  assert.deepEqual(
    [waited!.cause, /without a queue log it is unknown whether it waited in the queue$/.test(waited!.evidence)],
    ['unknown', true],
    waited!.evidence,
  );
  const [lost] = await stallsOf({ faults: { loss: span }, withQueueLog: false });
  assert.deepEqual(
    [lost!.cause, /without a queue log it is unknown where$/.test(lost!.evidence)],
    ['repair', true],
    lost!.evidence,
  );
});
