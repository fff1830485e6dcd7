/** A run with a capture, recomputed by the second program: it agrees; and what is falsified in it is found. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pythonProgram, recomputeMend } from '../../harness/analysis/verify/recompute.ts';
import type { TrialFile } from '../../harness/record/trial-file.ts';
import { cannotRun, Place, short } from '../e2e/support/run-command.ts';

type Row = { metric: string; place: string; ours: number | null; low: number | null; source: string; differs: boolean };
type Summary = { trials: { name: string; metrics: Record<string, number> | null }[] };

const skip =
  cannotRun ?? (pythonProgram() === undefined ? `Python with numpy and scipy is not there: ${recomputeMend}` : false);

/** What must have been recomputed of a trial beside a flood, and from which file. */
const wanted: Record<string, readonly string[]> = {
  'frames.presented, page': [
    'frame-gap-max',
    'frame-gap-max-least',
    'stall-count',
    'stall-time',
    'freeze-count',
    'freeze-time',
  ],
  'stats, tcp, service': ['goodput', 'goodput of the others', 'jain-index'],
  'frames.presented, frames.sent': ['frame-latency-median', 'frame-latency-p95'],
  ping: ['rtt-mean', 'rtt-p95'],
  packets: ['loss'],
  'trial.json': ['queue-drops', 'link-utilisation'],
  'bottleneck.pcap': [
    'goodput',
    'goodput of the others',
    'loss',
    'media packets that left the bottleneck',
    'bytes that left the bottleneck',
  ],
};

/**
 * Has a trial of each condition count that a busy machine has voided: what it recorded adds up all the same, and of
 * that alone is this test.
 */
function countDisturbed(trials: string): void {
  for (const name of readdirSync(trials)
    .filter(folder => folder.includes('.void'))
    .sort()
    .reverse()) {
    const path = join(trials, name);
    const counted = join(trials, name.replace(/\.void\d+$/, ''));
    const file = JSON.parse(readFileSync(join(path, 'trial.json'), 'utf8')) as TrialFile;
    const isDisturbed =
      file.phases !== null &&
      file.verdict.findings.every(({ kind, status }) => kind === 'host' || status !== 'invalid');
    if (existsSync(counted) || !isDisturbed) continue;
    writeFileSync(
      join(path, 'trial.json'),
      JSON.stringify({ ...file, verdict: { ...file.verdict, status: 'degraded' } }),
    );
    renameSync(path, counted);
  }
}

describe('a real run, recomputed', { skip }, () => {
  const place = new Place();
  after(() => place.remove());

  test('every headline number is the same by the second program, from the series and from the capture', async () => {
    const settings = ['window=4s', 'pcap=true', 'preflight=false', 'retries=1'].flatMap(words => [
      '--set',
      `run.${words}`,
    ]);
    const ran = await place.start(['experiment', ...short, ...settings, '--out', place.out]).finish(240_000);
    assert.ok(ran.status === 0 || ran.status === 3, ran.stderr);
    countDisturbed(join(place.out, 'trials'));
    assert.equal((await place.run(['report', place.out])).status, 0);
    const { status, stdout, stderr } = await place.run(['verify', place.out, '--json']);
    const { rows } = JSON.parse(stdout) as { rows: Row[] };
    assert.deepEqual(
      rows.filter(({ differs }) => differs),
      [],
      stderr,
    );
    assert.equal(status, 0);
    const flooded = rows.filter(row => row.place === '0002-flood' && row.ours !== null && row.low !== null);
    for (const [source, metrics] of Object.entries(wanted)) {
      for (const metric of metrics)
        assert.ok(
          flooded.some(row => row.metric === metric && row.source === source),
          `${metric} from ${source} was not recomputed`,
        );
    }
  });

  test('a summary that was changed afterwards is found out', async () => {
    const file = join(place.out, 'summary.json');
    const summary = JSON.parse(readFileSync(file, 'utf8')) as Summary;
    const { metrics } = summary.trials.find(({ name }) => name === '0002-flood')!;
    metrics!['goodput']! *= 1.001;
    writeFileSync(file, JSON.stringify(summary));
    const { status, stdout } = await place.run(['verify', place.out]);
    assert.equal(status, 4);
    assert.match(stdout, /\ngoodput +0002-flood +[\d.e+]+ +[\d.e+]+ +[\d.e+]+ +bit\/s +stats, tcp, service +DIFFERS\n/);
  });
});
