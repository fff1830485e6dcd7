import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/g1072/index.ts';
import { gamingScore } from '../../../../../harness/analysis/metrics/g1072/model.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, every, presented, startMs, stats, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const captured = every(20, startMs - 1000, endMs);

type Change = { mbps?: number; rttMs?: number; shown?: (number: number) => boolean; decoded?: number };

/**
 * Fifty frames a second, shown 40 ms after capture. `shown`: selects the frames that are shown. `decoded`: number of
 * frames decoded in the window.
 */
async function scores(name: string, { mbps = 5, rttMs = 50, shown = () => true, decoded = 500 }: Change = {}) {
  const visible = captured.map((captureMs, i) => ({ captureMs, i })).filter(({ i }) => shown(i));
  const record = writeRecord(join(folder, name), {
    'frames.sent': captured.map((captureMs, i) => ({ frame: i, rtpTimestamp: i, captureMs })),
    'frames.presented': visible.map(({ captureMs, i }, count) => presented(captureMs + 40, count + 1, i)),
    stats: [
      stats(startMs, { bytesReceived: 0, framesDecoded: 0 }),
      stats(endMs, { bytesReceived: mbps * 1.25e6, framesDecoded: decoded }),
    ],
    rtt: every(1000, startMs, endMs - 1).map(timeMs => ({ timeMs, rttMs, from: 'report' })),
    ping: every(200, startMs, endMs - 200).map((timeMs, i) => ({ timeMs, sequence: i, rttMs: 999 })),
  });
  return plugin.compute(record);
}

const score = async (name: string, change?: Change) => (await scores(name, change))['g1072-score'];

const expected = (change: object) =>
  gamingScore({
    bitrateMbps: 5,
    frameRate: 50,
    pixels: 1280 * 720,
    frameLossPercent: 0,
    slicingLossPercent: 0,
    delayMs: 50,
    ...change,
  });

test('the model is given what was measured', async () => {
  assert.equal(await score('usual'), expected({}));
  assert.equal(await score('slow', { rttMs: 300 }), expected({ delayMs: 300 }));
  assert.equal(await score('thin', { mbps: 1 }), expected({ bitrateMbps: 1 }));
});

const near = (found: number | null | undefined, change: object) =>
  assert.ok(Math.abs(found! - expected(change)) < 1e-9, `${found}, not ${expected(change)}`);

test('frames that the browser decoded and left out one by one are not lost', async () => {
  near(await score('skipping', { shown: number => number % 10 !== 0 }), {});
});

test('frames that were sent and never decoded are lost', async () => {
  near(await score('losing', { shown: number => number % 10 !== 0, decoded: 450 }), { frameLossPercent: 10 });
});

test('frames that a gap passed over are lost, whether they were decoded or not', async () => {
  // 25 frames are missing, half a second: the previous frame stays for 520 ms
  const shown = (number: number) => number < 200 || number >= 225;
  near(await score('gap', { shown }), { frameLossPercent: 5 });
  near(await score('gap-undecoded', { shown, decoded: 475 }), { frameLossPercent: 5 });
});

test('frames that a display shows a refresh late are not passed over, however few there are', async () => {
  // ten frames a second, captured every 100 ms and shown at intervals of 100 or 117 ms, so that a gap of two periods
  // has 0.2 s
  const taken = every(100, startMs - 1000, endMs);
  const shown = taken.map((time, i) => time + (i % 2 === 0 ? 40 : 57));
  const record = writeRecord(
    join(folder, 'ten'),
    {
      'frames.sent': taken.map((captureMs, i) => ({ frame: i, rtpTimestamp: i, captureMs })),
      'frames.presented': shown.map((time, i) => presented(time, i + 1, i)),
      stats: [
        stats(startMs, { bytesReceived: 0, framesDecoded: 0 }),
        stats(endMs, { bytesReceived: 6.25e6, framesDecoded: 100 }),
      ],
      ping: [{ timeMs: startMs + 1, sequence: 1, rttMs: 50 }],
    },
    {
      condition: {
        ...condition,
        applications: condition.applications.map(one =>
          one.name === condition.subject ? { ...one, frameRate: 10 } : one,
        ),
      },
    },
  );
  near((await plugin.compute(record))['g1072-score'], { frameRate: 10 });
});

test("beyond the model's range there is no score, and the bounded one is that of the edge", async () => {
  for (const [name, change, edge] of [
    ['too-thin', { mbps: 0.2 }, { bitrateMbps: 0.3 }],
    ['too-slow', { rttMs: 450 }, { delayMs: 400 }],
    ['inside', {}, {}],
  ] as const) {
    const { 'g1072-score': inside, 'g1072-score-bounded': bounded } = await scores(name, change);
    assert.equal(inside, name === 'inside' ? bounded : null);
    assert.equal(bounded, expected(edge), name);
  }
});

test('where frames are sent and none is shown in the window, the bounded score is the lowest', async () => {
  const beforeWindow = (number: number) => captured[number]! < startMs - 100;
  const nothing = await scores('nothing', { shown: beforeWindow, decoded: 0 });
  assert.deepEqual(nothing, { 'g1072-score': null, 'g1072-score-bounded': 1.3 });
  const untold = await scores('untold', { shown: () => false });
  assert.equal(untold['g1072-score-bounded'], null, 'a page that tells of no frame may have shown all');
});

test('without reports the probes tell the round trip, and without a list of frames sent there is no score', async () => {
  const presentedFrames = captured.map((time, i) => presented(time + 40, i + 1, i));
  const bytes = [
    stats(startMs, { bytesReceived: 0, framesDecoded: 0 }),
    stats(endMs, { bytesReceived: 6.25e6, framesDecoded: 500 }),
  ];
  const ping = [{ timeMs: startMs + 1, sequence: 1, rttMs: 80 }];
  const sent = captured.map((captureMs, i) => ({ frame: i, rtpTimestamp: i, captureMs }));
  const of = async (name: string, series: Record<string, object[]>) =>
    (
      await plugin.compute(
        writeRecord(join(folder, name), { 'frames.presented': presentedFrames, stats: bytes, ping, ...series }),
      )
    )['g1072-score'];
  assert.equal(await of('probes', { 'frames.sent': sent }), expected({ delayMs: 80 }));
  assert.equal(await of('call', {}), null);
});
