/** A call between two real browsers through a real bottleneck. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import type { Summary } from '../../harness/analysis/summary/summary.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { callerSeries } from '../../harness/record/series/caller.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { allNamespaces, cannotRun, Place } from '../e2e/support/run-command.ts';

const call = [
  'hello',
  '--set',
  'service.id=chromium-call',
  '--set',
  'service.width=320',
  '--set',
  'service.height=180',
  '--set',
  'service.clipLength=1s',
  '--set',
  'service.maxBitrate=1mbit',
  '--set',
  'run.window=3s',
  '--set',
  'run.preflight=false',
  '--set',
  'run.retries=6',
];

describe('a call from Chromium to Chromium', { skip: cannotRun }, () => {
  const place = new Place();
  after(() => place.remove());

  test("moving frames, the sender's own account, and nothing left behind", async context => {
    const before = await allNamespaces();
    const ended = await place.run(['experiment', ...call, '--out', place.out, '--json']);
    assert.ok(ended.status === 0 || ended.status === 3, ended.stderr);
    const [alone] = (JSON.parse(ended.stdout) as Summary).conditions;
    const disturbed = disturbedBy(place.out, ['0001-baseline']);
    if (disturbed !== undefined) return context.skip(disturbed);
    const value = (id: string) => alone!.metrics[id]!.value;
    assert.ok(value('frame-rate')! > 25, `${value('frame-rate')} frames a second`);
    assert.equal(value('stall-count'), 0);
    assert.ok(
      value('target-rate-mean')! > 300e3 && value('target-rate-mean')! <= 1.05e6,
      `${value('target-rate-mean')} bit/s`,
    );
    assert.equal(value('frames-skipped-late'), null, 'what a browser leaves out is not known');

    const folder = RunFolder.open(place.out);
    const file = folder.trialFile('0001-baseline');
    const record = new TrialRecord(file, folder.trialFolder('0001-baseline'));
    const callers = await record.read(callerSeries);
    assert.ok(callers.length >= 3);
    for (const { timeMs, outbound, candidatePair, visible } of callers) {
      assert.ok(timeMs > record.own!.readyMs! && timeMs < file.phases!.endMs, "on the harness's clock");
      assert.ok(
        visible && Number(outbound!['bytesSent']) > 0 && Number(candidatePair!['availableOutgoingBitrate']) > 0,
      );
    }
    assert.deepEqual(
      (record.own!.facts as { controller: { id: string }; encoder: { codec: string } }).controller.id,
      'browser',
    );
    assert.deepEqual(await allNamespaces(), before);
    assert.deepEqual(existsSync(place.state) ? readdirSync(place.state) : [], []);
  });

  test('field trials that are none are refused before anything starts', async () => {
    const { status, stderr } = await place.run([
      'experiment',
      ...call,
      '--set',
      'service.fieldTrials=nonsense',
      '--out',
      `${place.out}2`,
    ]);
    assert.equal(status, 1);
    assert.match(stderr, /fieldTrials/);
    assert.ok(!existsSync(`${place.out}2`));
  });
});
