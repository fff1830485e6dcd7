/** Tests the causes that gaps in hand-made records get. tests/sim/attribution.test.ts has faults of every kind. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { attributedStalls, attributeGaps } from '../../../../../../harness/analysis/derive/attribution/attribute.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { every, presented, presentedAt, sender, startMs, writeRecord } from '../../../support/record.ts';

const folder = temporaryFolder();
const shown = [...every(20, startMs, 13_000), ...every(20, 13_400, 15_000)];
const sentFrame = (frame: number, captureMs: number, change: object = {}) => ({
  frame,
  rtpTimestamp: frame,
  captureMs,
  encodedMs: captureMs + 5,
  firstPacketMs: captureMs + 6,
  lastPacketMs: captureMs + 7,
  key: false,
  encoderBps: 1e6,
  ...change,
});

test('a sender that tells nothing of its frames', async () => {
  const [stall] = await attributedStalls(
    writeRecord(join(folder, 'browser'), { 'frames.presented': presentedAt(shown) }),
  );
  assert.deepEqual(
    [stall!.lengthMs, stall!.cause, stall!.evidence],
    [400, 'unknown', 'the sender does not report single frames'],
  );
});

test('a frame shown that the sender does not tell of', async () => {
  const [stall] = await attributedStalls(
    writeRecord(join(folder, 'other'), {
      'frames.presented': presentedAt(shown),
      'frames.sent': [sentFrame(1, 12_000)],
    }),
  );
  assert.equal(stall!.evidence, 'the sender did not report the last frame that was presented');
});

test('an encoder that gave nothing for frames, its sender being in time', async () => {
  const times = shown.map((time, i) => presented(time, i + 1, time));
  const record = writeRecord(join(folder, 'dropped'), {
    'frames.presented': times.map(frame => ({ ...frame, presentedFrames: frame.presentedFrames })),
    'frames.sent': shown.map(time => sentFrame((time - startMs) / 20, time - 30, { rtpTimestamp: time })),
    sender: every(1000, startMs, 16_000).map(time => sender(time)),
  });
  const [stall] = await attributedStalls(record);
  assert.deepEqual(
    [stall!.cause, stall!.evidence],
    ['rate-decision', 'the encoder produced nothing for 19 frames before frame 170, at 1.0 Mbit/s'],
  );
  const leavingOut = async (name: string, why: (i: number) => string) =>
    (
      await attributedStalls(
        writeRecord(join(folder, name), {
          'frames.presented': times,
          sender: every(1000, startMs, 16_000).map(time => sender(time)),
          'frames.sent': [
            ...shown.map(time => sentFrame((time - startMs) / 20, time - 30, { rtpTimestamp: time })),
            ...Array.from({ length: 19 }, (_, i) => ({
              frame: 151 + i,
              captureMs: 13_000 - 30 + 20 * (i + 1),
              skipped: why(i),
              count: 1,
            })),
          ],
        }),
      )
    )[0];
  const slower = await leavingOut('slower', () => 'ladder');
  assert.deepEqual(
    [slower!.cause, slower!.evidence],
    ['rate-decision', 'the sender skipped 19 frames because it had lowered its frame rate, at 1.0 Mbit/s'],
  );
  const pushed = await leavingOut('pushed', i => (i < 12 ? 'pushback' : 'pacer'));
  assert.deepEqual(
    [pushed!.cause, pushed!.evidence],
    [
      'rate-decision',
      'the sender skipped 12 frames because its congestion window was full, and 7 frames because its pacer was full, at 1.0 Mbit/s',
    ],
  );
  const [shorter] = await attributeGaps(record, [{ lengthMs: 20, startMs: 12_000, endMs: 12_020 }]);
  assert.equal(typeof shorter!.evidence, 'string');
});
