/** The example of a workflow: what its script makes of each exit status of the study. */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { run } from '../../core/command.ts';
import { projectRoot } from '../../core/paths.ts';
import { temporaryFolder } from './harness/support/folder.ts';

type Workflow = { jobs: { study: { steps: { name?: string; run?: string }[] } } };

test('void trials are tried once more, and nothing else is', async () => {
  const { jobs } = parse(readFileSync(join(projectRoot, 'docs/github-action.yml'), 'utf8')) as Workflow;
  const script = jobs.study.steps.find(({ name }) => name === 'Run the study')!.run!;
  for (const [statuses, last, resumed] of [
    ['0', 0, false],
    ['1', 1, false],
    ['4', 4, false],
    ['3 0', 0, true],
    ['3 3', 3, true],
    ['3 4', 4, true],
  ] as const) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'left'), statuses);
    // an npm that ends with one status after the other
    const npm = `#!/bin/sh
cd ${folder}; echo "$*" >> calls; read -r next rest < left; echo "$rest" > left; exit "$next"
`;
    writeFileSync(join(folder, 'npm'), npm);
    chmodSync(join(folder, 'npm'), 0o755);
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    const { status } = await run(['bash', '-e', '-c', script], { env, allowFailure: true });
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
    assert.deepEqual([status, calls.length], [last, resumed ? 2 : 1], statuses);
    assert.match(calls[0]!, /^run experiment -- \.\.\/study\.json .*--json \.\.\/result\.json$/);
    if (resumed) assert.equal(calls[1], 'run experiment -- --resume ../run --json ../result.json');
  }
});
