/**
 * A queue that grows in a few seconds to more than a second, and stays so long: the answers to consent checks (RFC
 * 7675) come late, but they come, so the media server goes on sending.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { studyHasResults } from '../e2e/support/disturbed.ts';
import { inPlace } from '../e2e/support/interrupted.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

const definition = {
  title: 'A queue that grows at once',
  question: 'Does the media server go on sending?',
  source: 'own',
  // from 4 s on the media server sends more than the link takes: a packet waits 1.7 s in the queue
  link: { rate: '1mbit', rtt: '50ms', queue: { limit: '64kB' }, schedule: [{ at: '4s', rate: '300kbit' }] },
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
  run: { window: '45s', repeats: 1, retries: 2, preflight: false },
};

test('late answers to consent checks keep a stream going', { skip: cannotRun, timeout: 400_000 }, async context => {
  await inPlace(async place => {
    if (!(await studyHasResults(context, place, definition, ['0001-one'], 360_000))) return;
    const trial = join(place.out, 'trials', '0001-one', 'applications', 'service');
    const last = <T>(name: string) =>
      readFileSync(join(trial, name), 'utf8')
        .trim()
        .split('\n')
        .slice(-6)
        .map(line => JSON.parse(line) as T);
    const received = last<{ inbound: { packetsReceived: number } }>('stats.jsonl').map(
      one => one.inbound.packetsReceived,
    );
    const rtts = last<{ rttMs: number }>('sender.jsonl').map(({ rttMs }) => rttMs);
    context.diagnostic(`packets received: ${received.join(', ')}; round trips: ${rtts.join(', ')} ms`);
    assert.ok(Math.min(...rtts) > 1000);
    assert.ok(received.at(-1)! - received[0]! > 100);
  });
});
