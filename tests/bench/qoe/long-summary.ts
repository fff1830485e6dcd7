/**
 * What it takes to summarise ten minutes at 50 Mbit/s: a made-up record of three million packets, by the product's own
 * code in a process of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../../core/errors.ts';
import { writeLongRun } from './long-run.ts';

const limitS = 5;
const limitBytes = 2 ** 30;

/** Prints time and memory; whether both limits were kept. */
export function runLongSummary(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'coexist-bench-'));
  try {
    const { run, packets } = writeLongRun(directory);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('summarise-run.ts', import.meta.url)), run.path],
      { encoding: 'utf8', maxBuffer: 2 ** 26 },
    );
    if (status !== 0)
      throw new CoexistError('trials-failed', `the run could not be summarised: ${stderr.trim().split('\n').at(-1)}`);
    const { seconds, processorSeconds, peakBytes, stalls } = JSON.parse(stdout) as {
      seconds: number;
      processorSeconds: number;
      peakBytes: number;
      stalls: number;
    };
    const trial = run.trialFolder(run.trialNames()[0]!);
    const megabytes = (name: string) => `${Math.round(statSync(join(trial, name)).size / 1e6)} MB`;
    process.stdout.write(
      `summary of ten minutes at 50 Mbit/s (${(packets / 1e6).toFixed(2)} million packets, ` +
        `packets.jsonl ${megabytes('packets.jsonl')}, queue.media.jsonl ${megabytes('queue.media.jsonl')}; ` +
        `${stalls} stalls): ` +
        `${seconds.toFixed(2)} s (limit ${limitS} s; ${processorSeconds.toFixed(2)} s of processor time), ` +
        `${(peakBytes / 2 ** 30).toFixed(2)} GiB at most (limit ${limitBytes / 2 ** 30} GiB)\n`,
    );
    return seconds < limitS && peakBytes < limitBytes;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
