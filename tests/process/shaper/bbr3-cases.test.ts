/** The state machine of BBRv3 as ordinary C, through the test cases of its draft: tests/bbr3, built with sanitizers. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../core/system/command.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';

const source = fileURLToPath(new URL('../../bbr3/', import.meta.url));
const build = join(temporaryFolder(), 'build');
const has = async (tool: string) =>
  (await run(['sh', '-c', `command -v ${tool}`], { allowFailure: true })).status === 0;
const missing = !(await has('cc')) ? 'a C compiler' : !(await has('make')) ? 'make' : undefined;

test('BBRv3 does what the test cases of its draft want', {
  skip: missing === undefined ? false : `needs ${missing}`,
}, async context => {
  await run(['make', '-C', source, `BUILD=${build}`], { timeoutMs: 120_000 });
  const { status, stdout, stderr } = await run([join(build, 'bbr3-cases')], { allowFailure: true, timeoutMs: 120_000 });
  const lines = stdout.split('\n').filter(line => /^(not )?ok /.test(line));
  assert.ok(lines.length >= 50, `only ${lines.length} cases ran: ${stderr}`);
  for (const line of lines) {
    await context.test(line.replace(/^(not )?ok /, ''), () => assert.match(line, /^ok /));
  }
  assert.deepEqual([status, stderr], [0, '']);
});
