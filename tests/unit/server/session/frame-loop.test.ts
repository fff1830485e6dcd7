import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep, until, within } from '../../../../core/system/deadline.ts';
import { FrameLoop, type LoopFrame, type SkipReason } from '../../../../server/session/frame-loop.ts';
import { FakeEncoder, numberedClip } from './fakes.ts';

const deadlineMs = 20_000;
type Skip = { number: number; captureMs: number; reason: SkipReason; count: number };

function setUp({
  frameRate = 200,
  clip = numberedClip(7, 200),
  clipZeroMs,
  exact = false,
}: {
  frameRate?: number;
  clip?: ReturnType<typeof numberedClip>;
  clipZeroMs?: number;
  exact?: boolean;
} = {}) {
  const encoder = new FakeEncoder();
  if (exact) encoder.exactAt = frameRate;
  const frames: LoopFrame[] = [];
  const skips: Skip[] = [];
  const state = { full: false, period: 1 };
  const loop = new FrameLoop(
    clip,
    encoder.asEncoder,
    frameRate,
    {
      onFrame: frame => frames.push(frame),
      onSkip: skip => skips.push(skip),
      pacerIsFull: () => state.full,
      period: () => state.period,
    },
    clipZeroMs,
  );
  const ended = loop.run();
  ended.catch(() => {});
  return {
    loop,
    encoder,
    frames,
    skips,
    state,
    ended,
    periodMs: 1000 / frameRate,
    encoded: (count: number) =>
      until(() => frames.length >= count || undefined, deadlineMs, `${count} frames`, { everyMs: 2 }),
    stop: () => {
      loop.stop();
      return within(ended, deadlineMs, 'the loop to end');
    },
  };
}

/** Asserts that every period was either encoded or skipped, once and in order. */
function assertComplete({ frames, skips, loop, periodMs }: ReturnType<typeof setUp>): void {
  for (const { number, captureMs, count } of skips) {
    assert.ok(count > 0);
    const startMs = captureMs - number * periodMs; // a skipped frame has its scheduled time
    assert.ok(Math.abs(startMs - (skips[0]!.captureMs - skips[0]!.number * periodMs)) < 1e-3);
    assert.ok(startMs <= frames[0]!.captureMs + 1 && frames[0]!.captureMs - startMs < deadlineMs);
  }
  const numbers = [
    ...frames.map(({ number }) => number),
    ...skips.flatMap(({ number, count }) => Array.from({ length: count }, (_, i) => number + i)),
  ].sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    Array.from({ length: numbers.length }, (_, i) => i),
  );
  const count = (wanted: string) =>
    skips.filter(({ reason }) => reason === wanted).reduce((sum, skip) => sum + skip.count, 0);
  assert.deepEqual(
    [loop.counters.encoded, loop.counters.skippedLate, loop.counters.skippedPacer, loop.counters.skippedPushback],
    [frames.length, count('late'), count('pacer'), count('pushback')],
  );
}

test('a clip that runs by the clock is met where it is, and goes on in turn', async () => {
  const run = setUp({ clipZeroMs: 0 });
  await run.encoded(10);
  await run.stop();
  const [first] = run.frames;
  const periodsSince = Math.round(first!.captureMs / run.periodMs);
  const distance = (((periodsSince - first!.number - first!.clipFrame) % 7) + 7) % 7;
  assert.ok([0, 1, 6].includes(distance), `the clip is at ${first!.clipFrame}, ${distance} frames from the clock`);
  for (const { number, clipFrame } of run.frames)
    assert.equal(clipFrame, (first!.clipFrame + number - first!.number) % 7);
});

test('frames are taken from the clip in turn, the first as a key frame', async () => {
  const run = setUp();
  await run.encoded(20);
  await run.stop();
  assertComplete(run);
  assert.ok(run.frames.every(({ number, clipFrame }) => clipFrame === number % 7));
  assert.deepEqual(
    run.encoder.encoded.map(({ raw }) => raw).slice(0, run.frames.length),
    run.frames.map(({ clipFrame }) => clipFrame),
  );
  assert.deepEqual(
    run.encoder.encoded.map(({ key }) => key),
    run.encoder.encoded.map((_, i) => i === 0),
  );
  assert.ok(run.frames.every(({ captureMs, encodedMs }) => encodedMs >= captureMs));
});

test('a clip of another frame rate keeps its speed', async () => {
  const run = setUp({ clip: numberedClip(1000, 50) });
  await run.encoded(20);
  await run.stop();
  assert.ok(run.frames.every(({ number, clipFrame }) => clipFrame === Math.floor(number / 4)));
});

test('a key frame that is asked for is the next frame, and only that', async () => {
  const run = setUp();
  await run.encoded(3);
  const before = run.encoder.encoded.length;
  run.loop.requestKeyFrame();
  await run.encoded(before + 4);
  await run.stop();
  const keys = run.encoder.encoded.flatMap(({ key }, i) => (key && i > 0 ? [i] : []));
  assert.equal(keys.length, 1);
  // a frame may have been in the encoder
  assert.ok(keys[0]! === before || keys[0]! === before + 1, `${keys[0]} after ${before}`);
  assert.equal(run.loop.counters.keyFrames, 2);
});

test("a new target is the encoder's rate from the next frame on", async () => {
  const run = setUp({ exact: true });
  await run.encoded(2);
  run.loop.setTarget(2.5e6);
  const before = run.encoder.encoded.length;
  await run.encoded(before + 3);
  await run.stop();
  assert.ok(run.encoder.encoded.slice(0, before).every(({ rateBps }) => rateBps === 1e6));
  assert.equal(run.encoder.encoded.at(-1)!.rateBps, 2.5e6);
  assert.equal(run.loop.counters.rateChanges, 1);
});

test('an encoder that gives too little is asked for more than the target, by a tenth at most', async () => {
  const run = setUp();
  run.encoder.frameBytes = 300; // half of a megabit a second
  await run.encoded(300);
  await run.stop();
  const rates = run.encoder.encoded.map(({ rateBps }) => rateBps);
  assert.deepEqual(
    rates,
    rates.toSorted((a, b) => a - b),
  );
  assert.ok(rates.at(-1)! > 1.09e6 && rates.at(-1)! <= 1.1e6, String(rates.at(-1)));
});

test('while the pacer is full, periods pass without a frame', async () => {
  const run = setUp();
  await run.encoded(2);
  run.state.full = true;
  await until(
    () => run.skips.filter(({ reason }) => reason === 'pacer').length >= 5 || undefined,
    deadlineMs,
    'skips',
    { everyMs: 2 },
  );
  const whileFull = run.frames.length;
  run.state.full = false;
  await run.encoded(whileFull + 2);
  await run.stop();
  assertComplete(run);
});

test('where the controller wants fewer frames, one of every so many is left out', async () => {
  const run = setUp();
  await run.encoded(2);
  run.loop.setDropRatio(0.34);
  const before = run.frames.length;
  await run.encoded(before + 6);
  await run.stop();
  assertComplete(run);
  const numbers = run.frames.slice(before + 1).map(({ number }) => number); // a frame may have been taken before
  assert.ok(
    numbers.slice(1).every((number, i) => number - numbers[i]! >= 2),
    numbers.join(' '),
  );
  assert.ok(run.loop.counters.skippedPushback >= 5);
});

test('on a lower rung, every so many periods have a frame', async () => {
  const run = setUp();
  await run.encoded(2);
  run.state.period = 3;
  const before = run.frames.length;
  await run.encoded(before + 6);
  await run.stop();
  assertComplete(run);
  const numbers = run.frames.slice(before).map(({ number }) => number);
  assert.ok(
    numbers.slice(2).every((number, i) => number - numbers[i + 1]! >= 3),
    numbers.join(' '),
  ); // a frame may have been taken before; on a busy machine a late period may be skipped
  assert.ok(run.skips.some(({ reason }) => reason === 'ladder'));
  assert.ok(run.skips.reduce((sum, { count }) => sum + count, 0) >= 8, JSON.stringify(run.skips));
});

test('an encoder slower than the frame rate: periods are skipped, none is made up for', async () => {
  const run = setUp();
  run.encoder.tookMs = 18;
  await run.encoded(8);
  await run.stop();
  assertComplete(run);
  assert.ok(run.loop.counters.skippedLate >= 8, `${run.loop.counters.skippedLate}`); // 18 ms hold three periods of 5 ms
  const { latenessMaxMs, encodeMaxMs } = run.loop.takePeaks();
  assert.ok(latenessMaxMs >= 5 && encodeMaxMs >= 16 && encodeMaxMs < deadlineMs, `${latenessMaxMs} ${encodeMaxMs}`);
  assert.deepEqual(run.loop.takePeaks(), { latenessMaxMs: 0, encodeMaxMs: 0 });
});

test('a frame under way when the loop is stopped is not handed on', async () => {
  const run = setUp();
  await run.encoded(1);
  run.encoder.tookMs = 30;
  const before = run.encoder.encoded.length;
  await until(() => run.encoder.encoded.length > before || undefined, deadlineMs, 'a slow frame', { everyMs: 2 });
  const stopped = run.stop();
  const handedOn = run.frames.length;
  await stopped;
  assert.equal(run.frames.length, handedOn);
});

test('a fault of the encoder ends the loop with it', async () => {
  const run = setUp();
  await run.encoded(2);
  run.encoder.fault = new Error('the encoder broke');
  await assert.rejects(within(run.ended, deadlineMs, 'the loop to end'), /the encoder broke/);
});

test('paused, it takes no frames; it goes on with a key frame, and the pause is one skip', async () => {
  const run = setUp();
  await run.encoded(5);
  run.loop.setPaused(true);
  await sleep(10 * run.periodMs); // a frame may have been in the encoder
  const before = run.frames.length;
  await sleep(20 * run.periodMs);
  assert.equal(run.frames.length, before);
  run.loop.setPaused(false);
  await run.encoded(before + 5);
  await run.stop();
  assertComplete(run);
  const [pause, ...others] = run.skips.filter(({ reason }) => reason === 'paused');
  assert.deepEqual(others, []);
  assert.ok(pause!.count >= 20, `${pause!.count}`);
  const keys = run.encoder.encoded.flatMap(({ key }, i) => (key ? [i] : []));
  assert.deepEqual(keys, [0, before]);
});
