/** Causes of interruptions of a voice, on records made by hand whose cause is known. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { InterruptionCause } from '../../../../../../core/vocabulary/interruption.ts';
import { mapPaths } from '../../../../../../core/vocabulary/link.ts';
import { interruptionsOf } from '../../../../../../harness/analysis/derive/voice/interruptions.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import {
  type Change,
  condition,
  endMs,
  every,
  sender,
  startMs,
  trialFile,
  writeRecord,
} from '../../../support/record.ts';
import { tunnelReport } from '../../../support/tunnel.ts';
import { clipLines, delayed, heardLines, heardSamples, type Listening, sentLines } from './spoken.ts';
import { packetsOf, type Way } from './way.ts';

const folder = temporaryFolder();
/** The voice begins 2 s before the window, and is heard 100 ms later. */
const spokenMs = startMs - 2000;
const delayMs = 100;
/** Interruption of all records: 400 ms of what is spoken between 4 s and 4.4 s are not heard. */
const [fromMs, toMs] = [4000, 4400];
const isMissing = (ms: number) => ms >= fromMs && ms < toMs;
let records = 0;

type Made = {
  wayOf: (ms: number) => Way;
  listening?: Listening;
  series?: Record<string, object[]>;
  change?: Change;
};

function record({ wayOf, listening, series = {}, change = {} }: Made) {
  const heardFromMs = startMs - 1000;
  const isHeard: Listening = ms => (isMissing(ms - delayMs) ? null : ms - delayMs);
  const samples = heardSamples(listening ?? isHeard, heardFromMs - spokenMs, endMs - startMs + 2000);
  return writeRecord(
    join(folder, String(records++)),
    {
      'voice.clip': clipLines,
      'voice.sent': sentLines(spokenMs),
      'voice.heard': heardLines(samples, heardFromMs),
      ...packetsOf(spokenMs, endMs - spokenMs, wayOf),
      ...series,
    },
    change,
  );
}

async function judged(made: Made) {
  const found = (await interruptionsOf(record(made)))!;
  assert.equal(found.length, 1, JSON.stringify(found));
  return found[0]!;
}

/** Checks the cause of the one interruption and that the evidence has these words. */
async function isJudged(made: Made, cause: InterruptionCause, words: RegExp) {
  const found = await judged(made);
  assert.equal(found.cause, cause, found.evidence);
  assert.match(found.evidence, words);
  return found;
}

const lost =
  (drop: NonNullable<Way['drop']>) =>
  (ms: number): Way =>
    isMissing(ms) ? { drop } : {};
/** Every frame of the time waits until a moment, somewhere on its way. */
const heldUntil =
  (part: 'sendMs' | 'toQueueMs' | 'sojournMs' | 'behindMs', untilMs = toMs + delayMs) =>
  (ms: number): Way =>
    isMissing(ms) ? { [part]: Math.max(1, untilMs - ms - 40) } : {};
/** Times of readings. */
const seconds = every(1000, startMs - 1000, endMs + 1000);
/** Readings of a series of which one, at a ms of the voice, says that something was held up for 400 ms. */
const heldUpAt = (atMs: number, line: (timeMs: number, heldMs: number) => object) =>
  [...seconds.map(timeMs => line(timeMs, 1)), line(spokenMs + atMs, 400)].sort(
    (a, b) => (a as { timeMs: number }).timeMs - (b as { timeMs: number }).timeMs,
  );
const page = (timeMs: number, mainThreadDelayMaxMs: number) => ({ timeMs, mainThreadDelayMaxMs, visible: true });
/** Bytes that leave the bottleneck in each tenth of a second; `share` of the rate while the voice is missing. */
const carried = (share: number) =>
  every(100, startMs + 50, endMs).map(timeMs => ({
    timeMs,
    application: 'flood',
    protocol: 6,
    sentPackets: 300,
    sentBytes: (isMissing(timeMs - spokenMs) ? share : 1) * 500_000,
    markedPackets: 0,
    droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 },
    delayMedianMs: 5,
    delayMaxMs: 9,
  }));

test('losses have the cause for which the bottleneck dropped the packets', async () => {
  const words = /^20 of the 2[01] frames that were due then were lost by the full queue, up to 20 in a row$/;
  const { startMs: at, endMs: until } = await isJudged({ wayOf: lost('overflow') }, 'overflow-loss', words);
  assert.ok(Math.abs(at - spokenMs - fromMs - delayMs) < 30 && Math.abs(until - at - 400) < 30);
  await isJudged({ wayOf: lost('aqm') }, 'aqm-loss', /lost by the AQM/);
  await isJudged({ wayOf: lost('other') }, 'other-loss', /lost at the bottleneck for another reason/);
  await isJudged({ wayOf: lost('behind') }, 'other-loss', /lost, up to 20 in a row, behind the bottleneck$/);
});

test('random losses of three frames in a row and more are a burst, others are not', async () => {
  await isJudged({ wayOf: lost('random-loss') }, 'burst-loss', /lost by random loss, up to 20 in a row/);
  const twoOfThree = (ms: number): Way => (isMissing(ms) && (ms / 20) % 3 !== 2 ? { drop: 'random-loss' } : {});
  await isJudged({ wayOf: twoOfThree }, 'random-loss', /lost by random loss, up to 2 in a row/);
});

test('losses behind the queue are random where the link loses packets there', async () => {
  const loss = { kind: 'independent', ratio: 0.1, where: 'after' } as const;
  const change = { condition: { ...condition, link: { ...condition.link, loss } } };
  await isJudged({ wayOf: lost('behind'), change }, 'burst-loss', /lost by random loss/);
});

test('losses while the link carried less than half of its rate are an outage', async () => {
  const series = { 'queue-delay': carried(0.1) };
  await isJudged({ wayOf: lost('overflow'), series }, 'outage', /the link carried .*, \d+ % of its rate/);
  await isJudged({ wayOf: lost('overflow'), series: { 'queue-delay': carried(1) } }, 'overflow-loss', /full queue/);
});

test('losses by a lowered rate of the schedule have the schedule as their cause', async () => {
  const schedule = [{ atMs: fromMs - 2000, rateBps: 4e6, rampMs: 0 }];
  const change = { condition: { ...condition, link: { ...condition.link, schedule } } };
  const series = { 'queue-delay': carried(0.1) };
  await isJudged(
    { wayOf: lost('overflow'), series, change },
    'rate-change',
    /since 100 ms before the last frame heard before was sent/,
  );
});

test('copies of lost frames that came too late are a repair not in time, others leave it to the jitter buffer', async () => {
  const redundant = sentLines(spokenMs).map(line => ({ ...line, redundantFrames: 1 }));
  // of two frames one is lost, and the next, which has its copy, is late
  const late = (ms: number): Way =>
    !isMissing(ms) ? {} : (ms / 20) % 2 === 0 ? { drop: 'random-loss' } : { behindMs: 55 };
  await isJudged(
    { wayOf: late, series: { 'voice.sent': redundant } },
    'repair',
    /their copies in the next 1 packet came too late/,
  );
  const inTime = (ms: number): Way => (isMissing(ms) && (ms / 20) % 2 === 0 ? { drop: 'random-loss' } : {});
  await isJudged(
    { wayOf: inTime, series: { 'voice.sent': redundant } },
    'jitter-buffer',
    /had arrived in time and were not played/,
  );
  await isJudged({ wayOf: inTime, series: {} }, 'random-loss', /up to 1 in a row/);
});

test('frames that waited in the queue have the queue as their cause, or what stopped it', async () => {
  const wayOf = heldUntil('sojournMs');
  await isJudged(
    { wayOf },
    'queue',
    /^the frame spoken at 2\.\d\d s waited 4\d\d ms in the bottleneck queue behind \d+ packets, the last frame heard before 1\.0 ms/,
  );
  const stops = [{ timeMs: spokenMs + fromMs + 50, lengthMs: 300 }];
  await isJudged({ wayOf, series: { 'link-stops': stops } }, 'link-host', /the link was held up for 300 ms/);
  await isJudged({ wayOf, series: { 'queue-delay': carried(0.1) } }, 'outage', /of its rate, with packets waiting/);
});

test('voice that goes on at a longer delay was late for the same reasons', async () => {
  const wayOf = (ms: number): Way => (ms < fromMs ? {} : { sojournMs: 401 });
  const listening: Listening = ms => (ms - delayMs < fromMs ? ms - delayMs : ms - delayMs < toMs ? null : ms - 500);
  const { startMs: at, endMs: until } = await isJudged({ wayOf, listening }, 'queue', /waited 401 ms/);
  assert.ok(Math.abs(until - at - 400) < 30);
});

test('frames that the sender sent late have its host, or its encoder, as their cause', async () => {
  const wayOf = heldUntil('sendMs');
  await isJudged(
    { wayOf },
    'encoder',
    /was sent 4\d\d ms after it, the last frame heard before 20 ms; the sender's timers were in time/,
  );
  const series = {
    sender: heldUpAt(toMs + 60, (timeMs, eventLoopDelayMaxMs) => sender(timeMs, { eventLoopDelayMaxMs })),
  };
  await isJudged({ wayOf, series }, 'sender-host', /the sender's process was held up for/);
});

test('frames that were never sent have the sender as their cause only if it was held up', async () => {
  const wayOf = (ms: number): Way => (isMissing(ms) ? { isUnsent: true } : {});
  await isJudged(
    { wayOf },
    'unknown',
    /the sender sent nothing of \d+ ms of what was spoken, and the record does not show why/,
  );
  const series = {
    sender: heldUpAt(toMs + 60, (timeMs, eventLoopDelayMaxMs) => sender(timeMs, { eventLoopDelayMaxMs })),
  };
  await isJudged({ wayOf, series }, 'sender-host', /the sender's process was held up for/);
});

test('the wait for the first frame after a pause has the pause as its cause', async () => {
  const [own, ...others] = trialFile().applications;
  const pauses = [{ startMs: spokenMs + 3000, endMs: spokenMs + 4000 }];
  const change = { applications: [{ ...own!, pauses }, ...others] };
  const listening: Listening = ms => (ms - 300 >= 3000 && ms - 300 < 4000 ? null : ms - 300);
  const wayOf = (ms: number): Way => (ms >= 3000 && ms < 4000 ? { isUnsent: true } : {});
  const { startMs: at } = await isJudged({ wayOf, listening, change }, 'sender-pause', /the sender had paused/);
  assert.equal(at, spokenMs + 4000);
});

test('frames that waited between sender and bottleneck have the host as their cause, or none', async () => {
  const wayOf = heldUntil('toQueueMs');
  await isJudged({ wayOf }, 'unknown', /from the sender to the bottleneck, .* and the record does not show why/);
  const host = (timeMs: number, wakeUpDelayMaxMs: number) => ({
    timeMs,
    cores: 2,
    busyRatio: 1,
    stealRatio: 0,
    wakeUpDelayMaxMs,
    harnessDelayMaxMs: 1,
  });
  await isJudged(
    { wayOf, series: { host: heldUpAt(toMs + 60, host) } },
    'sender-host',
    /a thread that only sleeps was held up/,
  );
});

test('frames that the browser took late, or had and did not play, have its host as their cause if it was held up', async () => {
  const wayOf = heldUntil('behindMs');
  const series = { page: heldUpAt(toMs + delayMs, page) };
  await isJudged(
    { wayOf, series: { page: seconds.map(timeMs => page(timeMs, 1)) } },
    'browser',
    /after it had left the bottleneck/,
  );
  await isJudged({ wayOf, series }, 'receiver-host', /the browser's page was held up for/);
  await isJudged(
    { wayOf: () => ({}), series },
    'receiver-host',
    /had arrived in time and were not played; the browser's page/,
  );
  await isJudged(
    { wayOf: () => ({}) },
    'jitter-buffer',
    /^2[01] of the 2[01] frames that were due then had arrived in time/,
  );
});

test('without a queue log losses and delays are known, and their places are not', async () => {
  const paths = mapPaths(condition.link.paths, path => ({ ...path, downMs: 20 }));
  const change = { condition: { ...condition, link: { ...condition.link, paths } } };
  const series = { 'queue.media': [] };
  await isJudged({ wayOf: lost('overflow'), series, change }, 'other-loss', /without a queue log it is unknown where$/);
  await isJudged(
    { wayOf: heldUntil('sojournMs'), series, change },
    'unknown',
    /took 4\d\d ms from sender to browser, the last frame heard before 20 ms; without a queue log/,
  );
});

test('frames that were as late as the one heard before tell no part', async () => {
  await isJudged({ wayOf: () => ({ sojournMs: 90 }) }, 'unknown', /no part of their way took 20 ms longer/);
});

test('in a tunnel the reports of its sending end tell the cause', async () => {
  const reports = (of: (isBusy: boolean, timeMs: number) => object) =>
    every(200, startMs, endMs).map(timeMs => ({
      ...tunnelReport(timeMs, { sentBytes: 100 * (timeMs - startMs) }),
      ...of(isMissing(timeMs - spokenMs), timeMs),
    }));
  const wayOf = heldUntil('sojournMs');
  const full = reports(isBusy => (isBusy ? { queuedBytes: 40_000, bytesInFlight: 12_000 } : {}));
  await isJudged(
    { wayOf, series: { 'queue.media': [], tunnel: full } },
    'tunnel-window',
    /congestion window of 12\.0 kB was full/,
  );
  const roomy = reports(isBusy => (isBusy ? { queuedBytes: 40_000 } : {}));
  await isJudged(
    { wayOf, series: { 'queue.media': [], tunnel: roomy } },
    'tunnel-queue',
    /with room in its congestion window/,
  );
  const losing = reports((_, timeMs) => ({
    streamFramesSent: 9,
    lostPackets: timeMs - spokenMs > fromMs + 100 ? 5 : 0,
  }));
  await isJudged(
    { wayOf, series: { 'queue.media': [], tunnel: losing } },
    'tunnel-recovery',
    /took 5 packets to be lost/,
  );
  const dropping = reports((_, timeMs) => ({ droppedPackets: timeMs - spokenMs > fromMs + 100 ? 20 : 0 }));
  await isJudged(
    { wayOf: lost('behind'), series: { 'queue.media': [], tunnel: dropping } },
    'tunnel-queue',
    /dropped 20 packets/,
  );
});

test('a record without packets, or without a chirp, cannot tell a cause', async () => {
  const series = { packets: [], 'queue.media': [] };
  await isJudged({ wayOf: () => ({}), series }, 'unknown', /does not have the packets of the voice/);
  await isJudged({ wayOf: () => ({}), listening: () => null }, 'unknown', /no chirp was heard/);
});

test('feedback that is missing leaves the cause open', async () => {
  const { packets } = packetsOf(spokenMs, endMs - spokenMs, () => ({}));
  const silent = packets.map(packet =>
    isMissing(packet.sentMs - 20 - spokenMs) ? { ...packet, receivedMs: null, feedbackMs: null } : packet,
  );
  const series = { packets: silent, 'queue.media': [] };
  await isJudged({ wayOf: () => ({}), series }, 'unknown', /does not show whether the packets of the voice arrived/);
});

test('a voice without an interruption has no cause, an application without a voice none either', async () => {
  assert.deepEqual(await interruptionsOf(record({ wayOf: () => ({}), listening: delayed(delayMs) })), []);
  assert.equal(await interruptionsOf(writeRecord(join(folder, 'none'), {})), undefined);
});
