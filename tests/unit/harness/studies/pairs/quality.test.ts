import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ServiceRecord } from '../../../../../harness/record/series/service.ts';
import { audioQuality, callQuality, toldQuality, trialQuality } from '../../../../../harness/studies/pairs/quality.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { every, presentationTimes, presented, presentedAt, stats } from '../../support/record.ts';
import { contestant, plan, trial } from './support/study.ts';

const window = { startMs: 10_000, endMs: 70_000 };

test('a call: frames a second, freezes a minute, the height it had most of the time', () => {
  const frames = presentedAt([...every(40, 9000, 30_000), ...every(40, 31_000, 71_000)]).map(frame => ({
    ...frame,
    height: frame.presentationMs < 60_000 ? 360 : 180,
  }));
  const { freezes, resolution, 'frame-rate': rate } = callQuality(presentationTimes(frames), frames, window);
  assert.deepEqual([freezes, resolution], [1, 360]);
  assert.ok(Math.abs(rate! - ((60 - 0.96) * 25) / 60) < 0.05, String(rate));
});

test('nothing was shown: there is no quality of it', () =>
  assert.deepEqual(callQuality([], [], window), { 'frame-rate': null, freezes: null, resolution: null }));

const video = (timeMs: number, rungBps: number | null, stalledMs: number): ServiceRecord => ({
  timeMs,
  kind: 'video',
  receivedBytes: 0,
  positionS: 0,
  bufferS: 0,
  rung: 0,
  rungBps,
  stalls: 0,
  stalledMs,
  presentedFrames: 0,
  droppedFrames: 0,
});
/** Returns a load with this start and length. It has the times of the page's look only if it loaded. */
function load(startMs: number, lastedMs: number, outcome: 'loaded' | 'failed' | 'cut-off' = 'loaded'): ServiceRecord {
  const took = outcome === 'loaded' ? lastedMs : null;
  return {
    timeMs: startMs + lastedMs,
    startMs,
    kind: 'load',
    number: 1,
    loadMs: took,
    firstContentMs: took,
    aboveTheFoldMs: took,
    speedIndexMs: null,
    bytes: 1,
    ...(outcome === 'cut-off' ? { isCutOff: true } : {}),
  };
}

test('a video: the rung shown and the time stalled, in the window alone', () => {
  const told = toldQuality(
    [
      video(9000, 9e6, 5000),
      video(20_000, 1e6, 5000),
      video(40_000, null, 6000),
      video(60_000, 3e6, 7000),
      video(80_000, 9e6, 9000),
    ],
    window,
  );
  assert.deepEqual(told, {
    resolution: null,
    rung: 2e6,
    stalled: 0.05,
    'load-event': null,
    'page-load': null,
    'failed-loads': null,
  });
});

test('a page: the median of the loads that began in the window, one that ended behind it among them', () => {
  assert.equal(
    toldQuality([load(5000, 9000), load(20_000, 1000), load(40_000, 3000), load(69_000, 5000)], window)['page-load'],
    3000,
  );
  const older: ServiceRecord = {
    timeMs: 21_000,
    kind: 'load',
    number: 1,
    loadMs: 900,
    firstContentMs: 800,
    aboveTheFoldMs: 700,
    speedIndexMs: null,
    bytes: 1,
  };
  assert.equal(toldQuality([older], window)['page-load'], 700, 'a record of an older version has no start');
});

test('a page: loads that failed or were cut off took longer than that, and the failed ones are counted', () => {
  const told = toldQuality(
    [load(11_000, 1000), load(20_000, 60_000, 'failed'), load(60_000, 12_000, 'cut-off')],
    window,
  );
  assert.deepEqual([told['page-load'], told['load-event'], told['failed-loads']], [60_000, 60_000, 1 / 3]);
  const most = toldQuality([load(11_000, 1000), load(15_000, 2000), load(20_000, 60_000, 'failed')], window);
  assert.deepEqual([most['page-load'], most['failed-loads']], [2000, 1 / 3]);
  assert.equal(toldQuality([load(11_000, 1000)], window)['failed-loads'], 0);
  const refused = toldQuality(
    [load(11_000, 1000), load(15_000, 5, 'failed'), load(20_000, 5, 'failed'), load(30_000, 2000), load(40_000, 3000)],
    window,
  );
  assert.equal(refused['page-load'], 3000, 'one that fails at once did not load fast');
});

const element = (timeMs: number, height: number, stalledMs: number): ServiceRecord => ({
  timeMs,
  kind: 'element',
  receivedBytes: 0,
  positionS: 0,
  bufferS: 0,
  width: 2 * height,
  height,
  stalls: 0,
  stalledMs,
  presentedFrames: 0,
  droppedFrames: 0,
});

test('a live URL: when its page had loaded, and the video element where it has one', () => {
  const told = toldQuality(
    [
      { ...load(20_000, 812), aboveTheFoldMs: null } as ServiceRecord,
      element(20_000, 360, 0),
      element(30_000, 720, 500),
      element(40_000, 720, 1000),
    ],
    window,
  );
  assert.deepEqual(told, {
    resolution: 720,
    rung: null,
    stalled: 0.05,
    'load-event': 812,
    'page-load': null,
    'failed-loads': 0,
  });
});

test('the audio of a page, or the voice of a call, by what the browser counts', () => {
  const seconds = Array.from({ length: 21 }, (_, k) => k);
  const counters = (k: number) => ({
    packetsReceived: 50 * k,
    totalSamplesReceived: 48_000 * k,
    concealedSamples: k < 10 ? 0 : 19_200,
    concealmentEvents: k < 10 ? 0 : 1,
  });
  const page = seconds.map(
    (k): ServiceRecord => ({ timeMs: 20_000 + 1000 * k, kind: 'audio', stream: 3, ...counters(k) }),
  );
  const call = seconds.map(k => ({ ...stats(20_000 + 1000 * k, {}), inboundAudio: counters(k) }));
  const wanted = { 'voice-concealed': 0.02, 'voice-interruption-rate': 3 };
  assert.deepEqual(audioQuality(page, [], window), wanted);
  assert.deepEqual(audioQuality([], call, window), wanted);
  const none = { 'voice-concealed': null, 'voice-interruption-rate': null };
  assert.deepEqual(audioQuality([], [stats(20_000, {}), stats(30_000, {})], window), none);
});

test('from the folders of the sides; a trial without a window has none', async () => {
  const folder = temporaryFolder();
  const of = plan([contestant('a'), contestant('b')]);
  const { file } = trial(of, '8mbit-a-and-b', 1, [1, 1]);
  for (const side of ['first', 'second']) mkdirSync(join(folder, 'applications', side), { recursive: true });
  writeFileSync(
    join(folder, 'applications', 'first', 'frames.presented.jsonl'),
    presentedAt(every(20, 2000, 14_000))
      .map(frame => `${JSON.stringify(frame)}\n`)
      .join(''),
  );
  const [a, b] = await trialQuality(file, folder);
  assert.equal(a!['frame-rate'], 50);
  assert.equal(b!['frame-rate'], null);
  assert.deepEqual(
    (await trialQuality({ ...file, phases: null }, folder)).map(quality => quality['frame-rate']),
    [null, null],
  );
});

const lines = (records: readonly object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');

test("why a call stalled: by the log of the queue, the other side's bytes included", async () => {
  const folder = temporaryFolder();
  const of = plan([contestant('a'), contestant('b')]);
  const { file } = trial(of, '8mbit-a-and-b', 1, [1, 1]);
  const { windowStartMs } = file.phases!;
  for (const side of ['first', 'second']) mkdirSync(join(folder, 'applications', side), { recursive: true });
  // Ten frames a second. Frame 31 is 400 ms late, all of which it spent in the queue.
  const frames = Array.from({ length: 100 }, (_, frame) => ({
    frame,
    captureMs: windowStartMs + 100 * frame,
    lateMs: frame === 31 ? 400 : 0,
  }));
  const shownMs = ({ captureMs, lateMs }: (typeof frames)[number]) => captureMs + 30 + lateMs;
  const shown = frames.filter(({ frame }) => frame < 32 || frame > 35);
  writeFileSync(
    join(folder, 'applications', 'first', 'frames.presented.jsonl'),
    lines(
      shown.map((one, k) => ({
        ...presented(shownMs(one), k + 1, one.frame),
        receiveMs: shownMs(one) - 5,
      })),
    ),
  );
  writeFileSync(
    join(folder, 'applications', 'first', 'frames.sent.jsonl'),
    lines(
      frames.map(({ frame, captureMs }) => ({
        frame,
        rtpTimestamp: frame,
        captureMs,
        encodedMs: captureMs + 5,
        firstPacketMs: captureMs + 6,
        lastPacketMs: captureMs + 6,
        key: frame === 0,
        encoderBps: 1e6,
      })),
    ),
  );
  writeFileSync(
    join(folder, 'applications', 'first', 'packets.jsonl'),
    lines(
      frames.map(({ frame, captureMs, lateMs }) => ({
        kind: 'media',
        rtpSequence: frame,
        rtpTimestamp: frame,
        frame,
        bytes: 1000,
        sentMs: captureMs + 6,
        receivedMs: captureMs + 25 + lateMs,
        feedbackMs: captureMs + 60 + lateMs,
      })),
    ),
  );
  const queued = { payloadTypes: [96], offeredMs: [0], queuePackets: [40], dropped: [] };
  writeFileSync(
    join(folder, 'applications', 'first', 'queue.media.jsonl'),
    lines(
      frames.map(({ frame, captureMs, lateMs }) => ({
        ...queued,
        timeMs: captureMs + 7,
        sequences: [frame],
        sojournMs: [15 + lateMs],
      })),
    ),
  );
  writeFileSync(
    join(folder, 'queue-delay.jsonl'),
    lines(
      every(100, windowStartMs + 50, windowStartMs + 9950).flatMap(timeMs =>
        [0, 1].map(side => ({ timeMs, application: ['first', 'second'][side]!, protocol: 6, sentBytes: 50_000 })),
      ),
    ),
  );
  const [a, b] = await trialQuality(file, folder);
  assert.deepEqual(
    [a!['stalled'], a!['stalled-by-queue'], a!['stalled-by-outage'], a!['stalled-by-unknown']],
    [0.05, 1, 0, 0],
  );
  assert.deepEqual([b!['stalled'], b!['stalled-by-queue']], [null, null]);
  // If the link had carried a tenth of its rate meanwhile, the link would be the cause.
  writeFileSync(
    join(folder, 'queue-delay.jsonl'),
    lines(
      every(100, windowStartMs + 50, windowStartMs + 9950).map(timeMs => ({
        timeMs,
        application: 'first',
        protocol: 6,
        sentBytes: 10_000,
      })),
    ),
  );
  const [outage] = await trialQuality(file, folder);
  assert.deepEqual([outage!['stalled-by-queue'], outage!['stalled-by-outage']], [0, 1]);
});

test('a call that never stalled has no causes; one whose sender tells nothing has none that is known', async () => {
  const folder = temporaryFolder();
  const of = plan([contestant('a'), contestant('b')]);
  const { file } = trial(of, '8mbit-a-and-b', 1, [1, 1]);
  const times = every(100, 2900, 14_000);
  for (const [side, shown] of [
    ['first', times],
    ['second', times.filter(time => time < 6000 || time > 7000)],
  ] as const) {
    mkdirSync(join(folder, 'applications', side), { recursive: true });
    writeFileSync(join(folder, 'applications', side, 'frames.presented.jsonl'), lines(presentedAt(shown)));
  }
  const [a, b] = await trialQuality(file, folder);
  assert.deepEqual(
    [a!['stalled'], a!['stalled-by-unknown'], b!['stalled'], b!['stalled-by-unknown']],
    [0, null, 0.12, 1],
  );
});
