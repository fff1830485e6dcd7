/**
 * The media server's consent checks (RFC 7675) on paths of both kinds: where a queue grows in a few seconds to more than
 * a second and stays so long, the answers come late, but they come, so it goes on sending. Where none comes for 30 s, it
 * sends nothing any more.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { mediaQueueSeries } from '../../harness/record/series/queue.media.ts';
import { senderSeries } from '../../harness/record/series/sender.ts';
import { statsSeries } from '../../harness/record/series/stats.ts';
import { studyHasResults } from '../e2e/support/disturbed.ts';
import { inPlace } from '../e2e/support/interrupted.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

const of = (link: object, window: string) => ({
  title: 'Consent checks',
  question: 'Does the media server go on sending?',
  source: 'own',
  link: { rtt: '50ms', ...link },
  service: {
    id: 'live-clip',
    clipLength: '1s',
    width: 320,
    height: 180,
    frameRate: 30,
    startBitrate: '500kbit',
    maxBitrate: '500kbit',
    controller: { id: 'fixed' },
  },
  flood: { id: 'none' },
  conditions: { one: {} },
  // consent expires 30 s after the last answer that counted
  run: { window, repeats: 1, retries: 2, preflight: false },
});

/** From 4 s on the media server sends more than the link takes: a packet waits 1.7 s in the queue. */
const late = of({ rate: '1mbit', queue: { limit: '64kB' }, schedule: [{ at: '4s', rate: '300kbit' }] }, '45s');
/**
 * From one packet on, none comes through: with this seed, in the first half of the window. Consent expires 30 s later,
 * before the window ends.
 */
const nothing = of(
  { rate: '2mbit', queue: { limit: '50ms' }, loss: { toBad: '0.2%', toGood: '0.0001%', bad: '100%' } },
  '80s',
);

test('late answers to consent checks keep a stream going', { skip: cannotRun, timeout: 400_000 }, async context => {
  await inPlace(async place => {
    if (!(await studyHasResults(context, place, late, ['0001-one'], 360_000))) return;
    const trial = RunFolder.open(place.out).record('0001-one');
    const received = (await trial.read(statsSeries))
      .slice(-6)
      .map(({ inbound }) => Number(inbound!['packetsReceived']));
    const rtts = (await trial.read(senderSeries)).slice(-6).map(({ rttMs }) => rttMs!);
    context.diagnostic(`packets received: ${received.join(', ')}; round trips: ${rtts.join(', ')} ms`);
    assert.ok(Math.min(...rtts) > 1000);
    assert.ok(received.at(-1)! - received[0]! > 100);
  });
});

test('without any answer the media server stops, and the trial counts: the network did it', {
  skip: cannotRun,
  timeout: 400_000,
}, async context => {
  await inPlace(async place => {
    if (!(await studyHasResults(context, place, nothing, ['0001-one'], 360_000))) return;
    const trial = RunFolder.open(place.out).record('0001-one');
    const messages = trial.file.verdict.findings.map(({ message }) => message);
    assert.ok(messages.includes("the viewer's connection failed in the window"), messages.join('; '));
    const lines = await trial.read(mediaQueueSeries);
    const lastSentMs = Math.max(...lines.map(({ timeMs, offeredMs }) => timeMs + offeredMs.at(-1)!));
    const received = (await trial.read(statsSeries)).map(({ timeMs, inbound }) => ({
      timeMs,
      packets: Number(inbound?.['packetsReceived'] ?? 0),
    }));
    const all = Math.max(...received.map(({ packets }) => packets));
    const lastThroughMs = received.find(({ packets }) => packets === all)!.timeMs;
    const goneMs = lastSentMs - lastThroughMs;
    context.diagnostic(
      `${all} packets came through, the last at ${((lastThroughMs - trial.originMs) / 1000).toFixed(1)} s; ` +
        `the last was sent ${(goneMs / 1000).toFixed(1)} s later`,
    );
    // a check every 5 s or so, the last answered one before the last packet that came through
    assert.ok(
      goneMs > 20_000 && goneMs < 36_000,
      `the last packet was sent ${goneMs} ms after the last that came through`,
    );
    assert.ok(lastSentMs < trial.window.endMs - 5000, 'packets were sent up to the end of the window');
  });
});
