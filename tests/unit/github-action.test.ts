/** The GitHub action: what its script makes of its inputs and of each exit status of the study. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { run } from '../../core/system/command.ts';
import { projectRoot } from '../../core/system/paths.ts';
import { temporaryFolder } from './harness/support/folder.ts';

type Action = { inputs: object; runs: { steps: { name?: string; run?: string; env?: object }[] } };
const action = parse(readFileSync(join(projectRoot, 'action.yml'), 'utf8')) as Action;
const study = action.runs.steps.find(({ name }) => name === 'Run the study')!;

/** Runs the script with an npm that ends with one status after the other. */
async function runScript(statuses: string, inputs: Record<string, string> = {}) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'left'), statuses);
  const npm = `#!/bin/sh
cd ${folder}; echo "$*" >> calls; read -r next rest < left; echo "$rest" > left; exit "$next"
`;
  writeFileSync(join(folder, 'npm'), npm);
  chmodSync(join(folder, 'npm'), 0o755);
  writeFileSync(join(folder, 'own.json'), '{}');
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
    STUDY: 'hello',
    THRESHOLDS: '',
    REPEATS: '',
    ACTION: folder,
    OUT: join(folder, 'out'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    ...inputs,
  };
  const argv = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', study.run!];
  const { status } = await run(argv, { env, cwd: folder, allowFailure: true });
  const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n');
  return { folder, status, calls: lines('calls'), summary: lines('summary') };
}

test('void trials are tried once more, and nothing else is', async () => {
  for (const [statuses, last, resumed, verdict] of [
    ['0', 0, false, 'passed'],
    ['1', 1, false, 'did not run'],
    ['4', 4, false, 'a threshold was missed'],
    ['3 0', 0, true, 'passed'],
    ['3 3', 3, true, 'trials failed or stayed void'],
    ['3 4', 4, true, 'a threshold was missed'],
  ] as const) {
    const { folder, status, calls, summary } = await runScript(statuses);
    const out = join(folder, 'out');
    assert.deepEqual([status, calls.length], [last, resumed ? 2 : 1], statuses);
    const options = `--set run.retries=10 --out ${out}/run --json ${out}/result.json`;
    assert.equal(calls[0], `run --silent experiment -- hello ${options}`);
    if (resumed) assert.equal(calls[1], `run --silent experiment -- --resume ${out}/run --json ${out}/result.json`);
    assert.equal(summary.length, 5);
    assert.equal(summary[0], `### Coexist: ${verdict}`);
  }
});

test('inputs reach the study as single words, and a file of the repository goes before a shipped study', async () => {
  const { folder, calls } = await runScript('0', { STUDY: 'own.json', THRESHOLDS: '[1, 2]', REPEATS: '3; touch bad' });
  assert.match(calls[0]!, new RegExp(`-- ${folder}/own\\.json .* --set require=\\[1, 2\\] --repeats 3; touch bad$`));
  assert.equal(existsSync(join(folder, 'bad')), false);
});

test('each input is a variable of the script, which has no expression in its text', () => {
  assert.deepEqual(Object.keys(action.inputs), ['study', 'thresholds', 'repeats']);
  for (const input of Object.keys(action.inputs))
    assert.ok(Object.values(study.env!).includes(`\${{ inputs.${input} }}`), input);
  assert.doesNotMatch(study.run!, /\$\{\{/);
});
