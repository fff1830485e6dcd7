/**
 * ECN from end to end, with real browsers over DualPI2: ECT(1) on all packets of the media, and marks that are the same
 * at the bottleneck, in the feedback and in getStats.
 */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Summary } from '../../harness/analysis/summary/summary.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { mediaQueueSeries } from '../../harness/record/series/queue.media.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { cannotRun, Place } from '../e2e/support/run-command.ts';

const common = ['width=640', 'height=360', 'frameRate=30', 'maxBitrate=6mbit'];
const senders = {
  'chromium-call': ['id=chromium-call', 'controller=scream-v2', ...common],
  'live-clip': ['controller={"id":"scream-v2","ecn":"l4s"}', 'feedback=ccfb', 'ecn=true', ...common],
};
const link = ['rate=3mbit', 'rtt=20ms', 'queue={"limit":"200ms","aqm":"dualpi2","ecn":true}'];
const run = ['window=20s', 'preflight=false', 'retries=6'];
const set = (prefix: string, values: readonly string[]) => values.flatMap(value => ['--set', `${prefix}.${value}`]);

/** Largest difference of two shares, as a share of the first. */
const within = 0.01;

describe('ECN from end to end', { skip: cannotRun }, () => {
  const place = new Place();
  after(() => place.remove());

  for (const [name, service] of Object.entries(senders)) {
    test(`${name}: SCReAMv2 over DualPI2`, async context => {
      const out = `${place.out}-${name}`;
      const ended = await place.run([
        'experiment',
        'hello',
        ...set('link', link),
        ...set('service', service),
        ...set('run', run),
        '--set',
        'conditions={"baseline":{"title":"Alone","flood":{"id":"none"}}}',
        '--out',
        out,
        '--json',
      ]);
      assert.ok(ended.status === 0 || ended.status === 3, ended.stderr);
      const disturbed = disturbedBy(out, ['0001-baseline']);
      if (disturbed !== undefined) return context.skip(disturbed);
      const folder = RunFolder.open(out);
      const record = new TrialRecord(folder.trialFile('0001-baseline'), folder.trialFolder('0001-baseline'));
      const fields = (await record.read(mediaQueueSeries)).flatMap(({ ecn }) => ecn!);
      assert.ok(fields.length > 500 && fields.every(field => field === 1), 'a packet of the media without ECT(1)');
      const { metrics } = (JSON.parse(ended.stdout) as Summary).conditions[0]!;
      const value = (id: string) => metrics[id]!.value!;
      const marked = value('marked-share');
      assert.ok(marked > 0.01, `${marked}`);
      for (const id of ['reported-marked-share', 'received-marked-share'])
        assert.ok(Math.abs(value(id) - marked) < within * marked, `${id} ${value(id)}, at the bottleneck ${marked}`);
      assert.equal(value('bleached-marks'), 0);
      const targetBps = value('target-rate-mean');
      assert.ok(targetBps > 300e3 && targetBps < 3e6, `${targetBps} bit/s: the rate follows`);
    });
  }
});
