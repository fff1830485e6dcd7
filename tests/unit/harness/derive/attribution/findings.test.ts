/** Single findings on hand-made evidence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence } from '../../../../../harness/derive/attribution/evidence.ts';
import { wireFinding } from '../../../../../harness/derive/attribution/network.ts';
import { holdFinding } from '../../../../../harness/derive/attribution/receiving.ts';

type Delays = { senderMs?: number; pageMs?: number };

function evidence(blocking: object, { senderMs = 0, pageMs = 0 }: Delays = {}): Evidence {
  const surroundings = {
    senderDelayMs: () => senderMs,
    pageDelayMs: () => pageMs,
    machineDelayMs: () => 0,
    tunnel: () => null,
  };
  return {
    blocking,
    gap: { fromMs: 0, toMs: 1000 },
    addedMs: 300,
    surroundings,
    skipped: [],
    hasQueueLog: true,
  } as unknown as Evidence;
}

/** A frame whose last packet took so long before the bottleneck and behind it, ms. */
const line = (frame: number, beforeMs: number, behindMs: number) => ({
  frame,
  last: {
    sentMs: 100,
    queue: { offeredMs: 100 + beforeMs, sojournMs: 1, packets: 0 },
    arrivedMs: 101 + beforeMs + behindMs,
  },
});

test("the path's own delay does not count: behind a path of 200 ms, a browser that takes a frame 150 ms late is found", () => {
  const { cause, evidence: words } = wireFinding(evidence({ before: line(1, 200, 0.1), next: line(2, 200, 150) }));
  assert.equal(cause, 'browser');
  assert.match(
    words,
    /the browser received frame 2 150 ms after it had left the bottleneck, the previous frame 0\.1 ms/,
  );
  assert.equal(
    wireFinding(evidence({ before: line(1, 200, 0.1), next: line(2, 200, 150) }, { pageMs: 200 })).cause,
    'receiver-host',
  );
  assert.equal(
    wireFinding(evidence({ before: line(1, 0.1, 200), next: line(2, 150, 200) }, { senderMs: 200 })).cause,
    'sender-host',
  );
});

test('a key frame that ended the gap is the cause, though the page was held up in that second', () => {
  const next = { frame: 2, completeMs: 500, captureMs: 100 };
  const after = { frame: 9, key: true, captureMs: 700 };
  assert.equal(holdFinding(evidence({ before: { frame: 1 }, next, after }, { pageMs: 400 })).cause, 'key-frame');
  assert.equal(
    holdFinding(evidence({ before: { frame: 1 }, next, after: { ...after, key: false } }, { pageMs: 400 })).cause,
    'receiver-host',
  );
});
