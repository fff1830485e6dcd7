/** A study as a gate: thresholds that are kept and missed, and what a machine reads of it. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { cannotRun, Place, short } from '../e2e/support/run-command.ts';

describe('a study with thresholds', { skip: cannotRun }, () => {
  const place = new Place();
  after(() => place.remove());

  test('one that is missed ends it with 4 and a line; the JSON says the same', async () => {
    const require = [
      { metric: 'frame-rate', atLeast: '1000fps' },
      { metric: 'stall-time', condition: 'baseline', atMost: '1min' },
    ];
    const { status, stdout, stderr } = await place.run([
      'experiment',
      ...short,
      '--set',
      'run.preflight=false',
      '--set',
      'run.retries=6',
      '--set',
      `require=${JSON.stringify(require)}`,
      '--out',
      place.out,
      '--json',
    ]);
    assert.equal(status, 4, stderr);
    const { thresholds } = JSON.parse(stdout) as { thresholds: { metric: string; condition: string; kept: boolean }[] };
    assert.deepEqual(
      thresholds.map(({ metric, condition, kept }) => [metric, condition, kept]),
      [
        ['frame-rate', 'baseline', false],
        ['frame-rate', 'flood', false],
        ['stall-time', 'baseline', true],
      ],
    );
    const missed = stderr.split('\n').filter(line => line.startsWith('missed: '));
    assert.equal(missed.length, 2);
    assert.match(missed[0]!, /^missed: Frame rate of Alone: [\d.]+ fps, n = 1, must be at least 1000 fps$/);
    assert.match(stderr, /2 of 3 thresholds were missed\n {2}-> the report shows them: .*report\.html/);
  });

  test('the report of that run can be made again, and the run exported', async () => {
    const again = await place.run(['report', place.out, '--json']);
    assert.equal(again.status, 0, again.stderr);
    assert.equal((JSON.parse(again.stdout) as { thresholds: unknown[] }).thresholds.length, 3);
    const exported = await place.run([
      'export',
      place.out,
      '--format',
      'csv,parquet',
      '--format',
      'webrtc-internals',
      '--json',
    ]);
    assert.equal(exported.status, 0, exported.stderr);
    assert.deepEqual((JSON.parse(exported.stdout) as { formats: string[] }).formats, [
      'csv',
      'parquet',
      'webrtc-internals',
    ]);
  });
});
