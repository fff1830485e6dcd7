/** Errors of the browser's numbers for a delay, on records made by hand whose errors are known. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/latency-estimators/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type Change, endMs, every, presented, startMs, stats, writeRecord } from '../../support/record.ts';
import { clipLines, delayed, heardLines, heardSamples, sentLines } from '../derive/voice/spoken.ts';

const folder = temporaryFolder();
const spokenMs = startMs - 2000;
const ntpMs = (unixMs: number) => unixMs + 2_208_988_800_000;
let records = 0;

/** Delays of picture and voice in the first and the second half of the window, ms. */
const [pictureMs, voiceMs] = [
  [80, 180],
  [120, 120],
] as const;
const halfMs = (startMs + endMs) / 2;
const pictureAt = (timeMs: number) => pictureMs[timeMs <= halfMs ? 0 : 1];

type Told = { playoutMs: number; voicePlayoutMs: number; captureMs?: number };

/** A record in which the browser tells these numbers; the voice has one delay, the picture two. */
function record({ playoutMs, voicePlayoutMs, captureMs }: Told, change: Change = {}) {
  const frames = every(20, startMs - 1000, endMs - 200).map((captured, frame) => ({ captured, frame }));
  const heard = heardSamples(delayed(voiceMs[0]), 1000, endMs - startMs + 2000);
  const shown = frames.map(({ captured, frame }) => {
    const atMs = captured + pictureAt(captured + pictureMs[0]);
    const { captureTimeMs: _none, ...line } = presented(atMs, frame + 1, 7 * frame);
    return captureMs === undefined ? line : { ...line, captureTimeMs: captured + captureMs };
  });
  return writeRecord(
    join(folder, String(records++)),
    {
      'voice.clip': clipLines,
      'voice.sent': sentLines(spokenMs),
      'voice.heard': heardLines(heard, startMs - 1000),
      'frames.sent': frames.map(({ captured, frame }) => ({ frame, rtpTimestamp: 7 * frame, captureMs: captured })),
      'frames.presented': shown,
      stats: every(1000, startMs, endMs).map(timeMs => {
        const n = (timeMs - startMs) / 1000;
        return {
          ...stats(timeMs, {
            jitterBufferDelay: 50 * n * 0.03,
            jitterBufferEmittedCount: 50 * n,
            totalProcessingDelay: 50 * n * 0.05,
            framesDecoded: 50 * n,
            estimatedPlayoutTimestamp: ntpMs(timeMs - playoutMs),
          }),
          candidatePair: { currentRoundTripTime: 0.04 },
          inboundAudio: {
            jitterBufferDelay: 48_000 * n * 0.06,
            jitterBufferEmittedCount: 48_000 * n,
            estimatedPlayoutTimestamp: ntpMs(timeMs - voicePlayoutMs),
          },
        };
      }),
    },
    change,
  );
}

const isNear = (value: number | null | undefined, wantedMs: number, withinMs = 1) =>
  assert.ok(Math.abs(value! - wantedMs) <= withinMs, `${value}, not ${wantedMs}`);

test('each number has its error against the latency of frames and the delay of chirps', async () => {
  const values = await plugin.compute(record({ playoutMs: 90, voicePlayoutMs: 100, captureMs: 4 }));
  // 20 ms of RTT/2 and 30 ms in the jitter buffer, or 50 ms of processing, where a frame took 80 ms and then 180 ms
  isNear(values['jitter-buffer-error-p95'], 130);
  assert.ok(values['jitter-buffer-error-median']! <= -30 && values['jitter-buffer-error-median']! >= -130);
  isNear(values['processing-error-p95'], 110);
  isNear(values['capture-time-error-median'], -4);
  isNear(values['capture-time-error-p95'], 4);
  isNear(values['playout-error-p95'], 90);
  isNear(values['voice-jitter-buffer-error-median'], -40);
  isNear(values['voice-playout-error-median'], -20);
  isNear(values['voice-playout-error-p95'], 20);
  // the voice came 40 ms later than the picture and then 60 ms earlier; the browser says 10 ms later
  isNear(values['lip-sync-playout-error-p95'], 70);
});

test("times of the sender are converted to the harness's clock", async () => {
  const server = { offsetMs: 25, uncertaintyMs: 0.1 };
  const told = { playoutMs: 90, voicePlayoutMs: 100 };
  const clocks = { server, page: { offsetMs: 0, uncertaintyMs: 0.1 } };
  const [plain, moved] = [await plugin.compute(record(told)), await plugin.compute(record(told, { clocks }))];
  // the voice was spoken 25 ms later on the harness's clock, and the browser's number moves by as much
  isNear(moved['voice-playout-error-median'], plain['voice-playout-error-median']!);
});

test('a number that the browser does not tell has no error', async () => {
  const values = await plugin.compute(record({ playoutMs: 90, voicePlayoutMs: 100 }));
  assert.equal(values['capture-time-error-median'], null);
  assert.equal(values['capture-time-error-p95'], null);
  isNear(values['voice-playout-error-median'], -20);
});
