import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nowMs } from '../../../../core/system/clock.ts';
import { DemoMeter } from '../../../../harness/demo/demo-meter.ts';
import { presentedSeries } from '../../../../harness/record/series/frames.presented.ts';
import { hostSeries } from '../../../../harness/record/series/host.ts';
import { queueSeries } from '../../../../harness/record/series/queue.ts';
import { statsSeries } from '../../../../harness/record/series/stats.ts';
import type { LiveTrial } from '../../../../harness/trial/live-trial.ts';
import { presented, stats } from '../support/record.ts';

const first = { frameRate: 60 };
const settings = { rateBps: 10e6, lossRatio: 0 };

const live = (change: Partial<LiveTrial> = {}): LiveTrial => ({
  framesPerSecond: 60,
  sinceLastMs: 10,
  longestGapMs: 20,
  stalls: { count: 0, totalMs: 0 },
  interruptions: null,
  goodputBps: 5e6,
  othersBps: null,
  subjectWireBps: 5.2e6,
  otherWireBps: 4e6,
  bitsPerPixel: 0.1,
  rttMs: 30,
  elapsedMs: 1000,
  byApplication: [null, null],
  ...change,
});
const watched = (lost: boolean) => ({ framesPerSecond: 60, goodputBps: 5e6, lost });

/** Returns a meter whose viewer past the link has seen 60 frames in a second. */
function meter(): DemoMeter {
  const own = new DemoMeter(first);
  const beside = own.listenersOf('beside')!;
  const endMs = nowMs();
  for (let k = 0; k <= 60; k++) beside.tell(presentedSeries, presented(endMs - 1000 + (k * 1000) / 60, 1 + k));
  return own;
}

test('the numbers are those of the trial, of its queue and of the stream past the link', () => {
  const own = meter();
  const queue = { timeMs: 0, sentBytes: 0, sentPackets: 0, droppedPackets: 0, lostPackets: 0 };
  own.listenersOf(null)!.tell(queueSeries, { ...queue, backlogBytes: 125_000, backlogPackets: 83 });
  own
    .listenersOf('service')!
    .tell(statsSeries, stats(nowMs(), { freezeCount: 2, totalFreezesDuration: 1.5, bytesReceived: 1 }));
  const values = own.values(live(), settings, true);
  assert.deepEqual(
    [values.framesPerSecond, values.subjectBps, values.othersBps, values.rttMs, values.stallMs],
    [60, 5.2e6, 4e6, 30, 200],
  );
  assert.deepEqual([values.queuePackets, values.queueMs], [83, 100]);
  assert.deepEqual(values.freezes, { count: 2, totalMs: 1500 });
  assert.ok(Math.abs(values.unharmedFramesPerSecond - 60) < 1, `${values.unharmedFramesPerSecond}`);
  assert.deepEqual([values.sentence, values.rating], ['60.0 frames per second, 30.0 ms round trip', 'good']);
  assert.equal(own.values(live(), settings, false).othersBps, null);
});

test('a connection that failed stays so, and a stall is remembered for a while', () => {
  const own = meter();
  assert.match(own.values(live({ longestGapMs: 400 }), settings, false).sentence, /^It just stalled/);
  assert.match(own.values(live(), settings, false).sentence, /^It just stalled/);
  assert.equal(own.values(live({ byApplication: [watched(true), watched(false)] }), settings, false).rating, 'bad');
  const { sentence, unharmedSentence } = own.values(
    live({ byApplication: [watched(false), watched(false)] }),
    settings,
    false,
  );
  assert.equal(sentence, 'The connection has failed');
  assert.match(unharmedSentence, /frames per second$/);
});

test('interruptions of the voice are counted and told as stalls are, while it runs and at the end', () => {
  const own = meter();
  assert.equal(own.endWords(), null);
  const told = (interruptions: LiveTrial['interruptions'], stalls = 0) =>
    own.values(live({ interruptions, stalls: { count: stalls, totalMs: 450 * stalls } }), settings, false);
  assert.equal(told(null).interruptions, null);
  assert.equal(own.endWords(), 'no stall');
  assert.deepEqual(told({ count: 0, totalMs: 0 }).rating, 'good');
  assert.equal(own.endWords(), 'no stall; the voice never broke off');
  const values = told({ count: 1, totalMs: 240 });
  assert.match(values.sentence, /^The voice just broke off: 60/);
  assert.deepEqual([values.rating, values.interruptions], ['bad', { count: 1, totalMs: 240 }]);
  assert.match(told({ count: 1, totalMs: 240 }, 2).sentence, /^The voice just broke off/);
  assert.equal(own.endWords(), '2 stalls, 900 ms in all; the voice broke off once, 240 ms in all');
  told({ count: 3, totalMs: 1900 }, 2);
  assert.equal(own.endWords(), '2 stalls, 900 ms in all; the voice broke off 3 times, 1.9 s in all');
});

test('a busy machine is named, and nothing listens to the flood', () => {
  const own = meter();
  assert.equal(own.listenersOf('flood'), undefined);
  assert.equal(own.values(live(), settings, false).hostNotice, null);
  own.listenersOf(null)!.tell(hostSeries, {
    timeMs: nowMs(),
    cores: 2,
    busyRatio: 2,
    stealRatio: 2,
    wakeUpDelayMaxMs: 0,
    harnessDelayMaxMs: 0,
  });
  assert.match(own.values(live(), settings, false).hostNotice!, /the hypervisor takes the processor away/);
});
