/**
 * Whatever stands in the folder of a run, the second program recomputes what it can and says of the rest what is wrong.
 * The damage is done in Python (recompute_fuzz.py), where a run takes some hundredths of a second.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { pythonEnvironment, pythonProgram } from '../../harness/analysis/verify/recompute.ts';
import { capture, type Summary, writeRun } from '../unit/harness/analysis/verify/hand-made.ts';
import { writePairs } from '../unit/harness/analysis/verify/hand-made-pairs.ts';
import { skip } from '../unit/harness/analysis/verify/verifier.ts';
import { effort } from './effort.ts';

/** Of one run on a busy machine; a long one takes seconds. */
const longestS = 60;
const folder = mkdtempSync(join(tmpdir(), 'coexist-fuzz-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A run whose folder has two trials of its twelve, so that it is read quickly. */
function writeSmallRun(path: string): void {
  writeRun(path, { pcap: capture() });
  const file = join(path, 'summary.json');
  const summary = JSON.parse(readFileSync(file, 'utf8')) as Summary;
  for (const { name } of summary.trials.splice(2)) rmSync(join(path, 'trials', name), { recursive: true });
  writeFileSync(file, JSON.stringify(summary));
}

for (const [what, write] of [
  ['a study', writeSmallRun],
  ['a pairwise study', writePairs],
] as const) {
  test(`the folder of ${what}, damaged`, { skip, timeout: 600_000 }, async () => {
    const path = join(folder, what.replaceAll(' ', '-'));
    write(path);
    const { seed, numRuns } = effort(20261127, 40);
    const { status, stdout, stderr } = await run(
      [
        pythonProgram()!,
        ...['-B', '-s', '-W', 'ignore', join(import.meta.dirname, 'recompute_fuzz.py')],
        ...[path, String(seed), String(numRuns), String(longestS)],
      ],
      { allowFailure: true, timeoutMs: 600_000, env: pythonEnvironment() },
    );
    assert.equal(status, 0, stderr);
    const seen = JSON.parse(stdout) as { runs: number; refused: number; differing: number };
    assert.ok(seen.runs === numRuns && seen.refused > 0 && seen.differing > numRuns / 5, stdout);
  });
}
