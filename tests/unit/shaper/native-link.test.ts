/**
 * The core of coexist-link in virtual time, and its parsers under random input: the C tests, built with the address and
 * undefined-behaviour sanitizers.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../core/command.ts';
import { nowMs } from '../../../core/clock.ts';

const source = fileURLToPath(new URL('../../../shaper/native/link/', import.meta.url));
const missing = await missingTool();
const skip = missing === undefined ? false : `needs ${missing}, to build the tests`;
const make = (...words: string[]) =>
  run(['make', '--silent', '--no-print-directory', '-C', source, ...words], { timeoutMs: 240_000 });

async function missingTool(): Promise<string | undefined> {
  for (const tool of ['make', 'cc'])
    if ((await run(['sh', '-c', `command -v ${tool}`], { allowFailure: true })).status !== 0) return tool;
  return existsSync('/usr/include/json-c/json.h') ? undefined : 'the headers of json-c';
}

test('they build without a warning', { skip }, async () => {
  const { stdout, stderr } = await make('-j2', 'tests');
  assert.deepEqual([stdout, stderr], ['', '']);
});

test('the core does what its sources say', { skip }, async () => {
  const files = globSync('tests/test-*.c', { cwd: source })
    .map(file => basename(file, '.c').slice('test-'.length))
    .sort();
  assert.ok(files.length >= 13);
  const { stdout, stderr } = await make('test');
  const passed = [...stdout.matchAll(/^ok ([\w-]+): (\d+)$/gm)];
  assert.deepEqual(passed.map(([, name]) => name).sort(), files, stdout + stderr);
  for (const [line, , count] of passed) assert.ok(Number(count) >= 4, line);
});

test('random lines, traces and packets are all answered, the same way each time', { skip }, async () => {
  const begunMs = nowMs();
  const outputs = [await make('fuzz', 'RUNS=50000'), await make('fuzz', 'RUNS=50000')].map(({ stdout }) => stdout);
  assert.match(outputs[0]!, /^ok fuzz: 50000 lines \(\d+ refused\), 50000 traces, 50000 packets\n$/);
  assert.equal(outputs[1], outputs[0]);
  assert.ok(nowMs() - begunMs < 120_000);
});
