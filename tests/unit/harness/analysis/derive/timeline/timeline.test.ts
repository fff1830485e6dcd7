import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { latencyParts } from '../../../../../../harness/analysis/derive/timeline/latency-parts.ts';
import { timelineOf } from '../../../../../../harness/analysis/derive/timeline/timeline.ts';
import { simulateViewing, type ViewingOptions } from '../../../../../sim/viewing.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { endMs, presented, startMs, writeRecord } from '../../../support/record.ts';

const folder = temporaryFolder();
let made = 0;
const record = (options: ViewingOptions) => simulateViewing(options).write(join(folder, String(made++)));
const near = (actual: number | null, expected: number, what: string) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-3, `${what}: ${actual}, not ${expected}`);

test('every moment of an undisturbed frame, on one clock', async () => {
  const { frames, receiverClock, hasQueueLog } = await timelineOf(record({ faults: {} }));
  near(receiverClock!.offsetMs, 777_777.25, "the origin of the feedback's clock");
  assert.ok(hasQueueLog && receiverClock!.frames > 400);
  const frame = frames.find(({ captureMs }) => captureMs === 12_000)!;
  const serviceMs = (1200 * 8000) / 20e6;
  near(frame.encodedMs, 12_005, 'encoded');
  near(frame.firstSentMs, 12_005, 'first packet');
  near(frame.lastSentMs, 12_007, 'last packet');
  near(frame.offeredMs, 12_005.1, 'at the bottleneck');
  near(frame.leftMs, 12_007 + serviceMs, 'left the bottleneck');
  near(frame.last!.arrivedMs, 12_008 + serviceMs, 'arrived');
  near(frame.completeMs, 12_008 + serviceMs, 'whole');
  near(frame.presentedMs, 12_023 + serviceMs, 'presented');
  assert.deepEqual([frame.lost, frame.repairs, frame.loss], [0, null, null]);
});

test('a frame with losses: what was lost, when that could be seen, when it was whole again', async () => {
  const { frames } = await timelineOf(record({ faults: { loss: { fromMs: 12_006, toMs: 12_006.9 } } }));
  const frame = frames.find(({ captureMs }) => captureMs === 12_000)!;
  assert.deepEqual(
    [frame.lost, frame.dropped['random-loss'], frame.repairs!.packets, frame.repairs!.lost],
    [2, 2, 2, 0],
  );
  near(frame.loss!.sentMs, 12_006, 'the first that was lost');
  near(frame.loss!.seenMs, 12_008.48, 'the next that arrived');
  near(frame.repairs!.firstSentMs, 12_014.48, 'sent again');
  near(frame.completeMs, 12_014.48 + 2 * 0.48 + 1, 'whole');
});

test('what was never presented is whole when as many came again as were lost; what was not sent again is never', async () => {
  const lost = await timelineOf(
    record({ faults: { loss: { fromMs: 12_000, toMs: 12_100 }, repairDelayMs: Infinity } }),
  );
  const broken = lost.frames.filter(frame => frame.lost > 0);
  assert.ok(broken.length === 5 && broken.every(frame => frame.completeMs === null && frame.presentedMs === null));
  const late = await timelineOf(record({ faults: { loss: { fromMs: 12_000, toMs: 12_100 }, repairDelayMs: 100 } }));
  const repaired = late.frames.filter(frame => frame.lost > 0);
  assert.ok(
    repaired.some(frame => frame.presentedMs === null) &&
      repaired.every(frame => frame.completeMs! > frame.repairs!.firstSentMs),
  );
});

test("without a log of the queue arrivals are the feedback's, without feedback's clock the bottleneck's", async () => {
  const { frames, hasQueueLog } = await timelineOf(record({ faults: {}, withQueueLog: false }));
  const frame = frames.find(({ captureMs }) => captureMs === 12_000)!;
  assert.deepEqual([hasQueueLog, frame.offeredMs, frame.last!.queue], [false, null, null]);
  near(frame.last!.arrivedMs, 12_008.48, 'arrived');
  const blind = writeRecord(join(folder, 'blind'), {
    'frames.sent': [
      {
        frame: 3,
        rtpTimestamp: 9,
        captureMs: 12_000,
        encodedMs: 12_005,
        firstPacketMs: 12_005,
        lastPacketMs: 12_006,
        key: true,
        encoderBps: 1e6,
      },
    ],
    packets: [
      {
        sequence: 0,
        kind: 'media',
        rtpSequence: 5,
        rtpTimestamp: 9,
        frame: 3,
        sentMs: 12_006,
        bytes: 1200,
        receivedMs: 4,
        feedbackMs: 12_050,
      },
    ],
    'queue.media': [
      {
        timeMs: 12_007,
        payloadTypes: [96],
        sequences: [5],
        offeredMs: [0],
        sojournMs: [8],
        queuePackets: [2],
        dropped: [],
      },
    ],
  });
  const timeline = await timelineOf(blind);
  assert.deepEqual(
    [timeline.receiverClock, timeline.frames[0]!.last],
    [null, { sentMs: 12_006, queue: { offeredMs: 12_007, sojournMs: 8, packets: 2 }, arrivedMs: 12_015 }],
  );
});

test('median parts over the frames of the window', async () => {
  const parts = (await latencyParts(record({ faults: {} })))!;
  assert.equal(parts.frames, (endMs - startMs) / 20);
  for (const [part, value] of Object.entries({
    encoder: 5,
    pacer: 2,
    queue: 0.38,
    wire: 1.1,
    repair: 0,
    'jitter-buffer': 12,
    decode: 3,
  }))
    near(parts.medianMs[part as keyof typeof parts.medianMs], value, part);
  assert.equal(
    await latencyParts(writeRecord(join(folder, 'none'), { 'frames.presented': [presented(12_000, 1, 5)] })),
    undefined,
  );
});
