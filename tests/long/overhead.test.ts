/** What a trial with two applications takes beside its window. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { studyHasResults } from '../e2e/support/disturbed.ts';
import { cannotRun, Place } from '../e2e/support/run-command.ts';

describe('overhead of a trial', { skip: cannotRun }, () => {
  test('a stream beside a flood costs little more than its window and its start-up', async context => {
    const place = new Place();
    try {
      const clip = { id: 'live-clip', width: 320, height: 180, frameRate: 30, clipLength: '1s', maxBitrate: '1mbit' };
      const definition = {
        title: 'A stream beside a flood',
        question: 'How long does a trial take?',
        source: 'own',
        link: { rate: '20mbit', rtt: '10ms', queue: { limit: '100packets' } },
        applications: { call: { service: clip }, flood: { service: { id: 'iperf', congestionControl: 'cubic' } } },
        run: { window: '3s', startUp: '3s', retries: 4, preflight: false },
      };
      if (!(await studyHasResults(context, place, definition, ['0001-all'], 240_000))) return;
      const { phases, applications } = RunFolder.open(place.out).trialFile('0001-all');
      const { preparedMs, readyMs, windowStartMs, windowEndMs, endMs } = phases!;
      const begunMs = Math.min(...applications.map(({ startMs }) => startMs!));
      const startUpMs = readyMs - begunMs;
      const settleMs = 3000;
      const besideMs = endMs - preparedMs - (windowEndMs - windowStartMs) - settleMs - startUpMs;
      context.diagnostic(
        `${besideMs.toFixed(0)} ms beside the window; start-up ${startUpMs.toFixed(0)} ms to the first frame and ` +
          `${settleMs} ms to settle; before it ${(begunMs - preparedMs).toFixed(0)} ms, ` +
          `after the window ${(endMs - windowEndMs).toFixed(0)} ms`,
      );
      assert.ok(besideMs < 4500, `${besideMs} ms beside the window and the start-up`);
    } finally {
      await place.run(['clean']);
      place.remove();
    }
  });
});
