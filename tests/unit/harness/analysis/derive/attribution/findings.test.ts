/** Tests the findings on single parts of the path, on hand-made evidence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence } from '../../../../../../harness/analysis/derive/attribution/evidence.ts';
import { queueFinding, wireFinding } from '../../../../../../harness/analysis/derive/attribution/network.ts';
import { holdFinding } from '../../../../../../harness/analysis/derive/attribution/receiving.ts';

type Delays = {
  senderMs?: number;
  pageMs?: number;
  stoppedMs?: number;
  carried?: object | null;
  logged?: object | null;
};

function evidence(
  blocking: { before?: object; next: object; after?: object },
  { senderMs = 0, pageMs = 0, stoppedMs = 0, carried = null, logged = blocking.before ?? null }: Delays = {},
): Evidence {
  const surroundings = {
    senderDelayMs: () => senderMs,
    pageDelayMs: () => pageMs,
    machineDelayMs: () => 0,
    linkStoppedMs: () => stoppedMs,
    tunnel: () => null,
    carried: () => carried,
    bottleneck: () => 'the link',
  };
  return {
    blocking,
    logged,
    gap: { fromMs: 0, toMs: 1000 },
    addedMs: 300,
    surroundings,
    skipped: [],
    hasQueueLog: true,
  } as unknown as Evidence;
}

/** Returns a frame whose last packet spent these times before and behind the bottleneck, ms. */
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

test("where the log does not have the previous frame, an earlier one tells the path's own delay", () => {
  const unlogged = { frame: 3, last: { sentMs: 100, queue: null, arrivedMs: 300 } };
  const next = line(4, 200, 150);
  const { cause, evidence: words } = wireFinding(evidence({ before: unlogged, next }, { logged: line(2, 200, 0.1) }));
  assert.equal(cause, 'browser');
  assert.match(words, /the browser received frame 4 150 ms after it had left the bottleneck, frame 2 0\.1 ms/);
  const alone = wireFinding(evidence({ before: unlogged, next }, { logged: null, senderMs: 400, pageMs: 400 }));
  assert.equal(alone.cause, 'unknown');
  assert.match(alone.evidence, /the queue log has no earlier frame to say where/);
});

test('a trace that lets few packets pass changed the rate: the link did not fail', () => {
  const waited = {
    ...line(2, 0, 0),
    last: { sentMs: 100, queue: { offeredMs: 100, sojournMs: 500, packets: 3 }, arrivedMs: 601 },
  };
  const found = (carried: object) => queueFinding(evidence({ before: line(1, 0, 0), next: waited }, { carried }));
  const { cause, evidence: words } = found({ bps: 1e6, ratio: 0.1, scheduledBps: null });
  assert.equal(cause, 'rate-change');
  assert.match(
    words,
    /the link carried 1\.0 Mbit\/s of all traffic, 10 % of the most that it carried in any tenth of a second of the trial; its trace sets when packets pass/,
  );
  assert.equal(found({ bps: 1e6, ratio: 0.1, scheduledBps: 10e6 }).cause, 'outage');
  assert.equal(found({ bps: 1e6, ratio: 0.1, scheduledBps: 1e6 }).cause, 'rate-change');
  assert.equal(found({ bps: 9e6, ratio: 0.9, scheduledBps: null }).cause, 'queue');
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

test('a frame that waits in the queue while the link stands still waits for the machine', () => {
  const at = (sojournMs: number) => ({
    ...line(2, 0.1, 0.1),
    last: { queue: { offeredMs: 100, sojournMs, packets: 9 } },
  });
  const found = (stoppedMs: number) =>
    queueFinding(evidence({ before: line(1, 0.1, 0.1), next: at(300) }, { stoppedMs }));
  assert.equal(found(149).cause, 'queue');
  assert.equal(found(150).cause, 'link-host');
  assert.match(found(250).evidence, /; the link was held up for 250 ms in that second$/);
});

test('behind several bottlenecks the evidence names the one at which the frame waited longest', () => {
  const waited = { ...line(2, 0, 0), last: { queue: { offeredMs: 100, sojournMs: 500, packets: 3, hop: 2 } } };
  const load = { bps: 1e6, ratio: 0.9, scheduledBps: 1e6 };
  const judged = evidence({ before: line(1, 0, 0), next: waited }, { carried: load });
  Object.assign(judged.surroundings, {
    bottleneck: (hop: number) => `bottleneck ${hop}`,
    carried: (...[, , , hop]: number[]) => (hop === 2 ? load : { ...load, ratio: 0.1 }),
  });
  assert.deepEqual(queueFinding(judged), {
    cause: 'queue',
    evidence:
      'frame 2 waited 500 ms at the bottlenecks, longest in the queue of bottleneck 2 behind 3 packets, the previous ' +
      'frame 1.0 ms; bottleneck 2 carried 1.0 Mbit/s, 90 % of its rate',
  });
});
