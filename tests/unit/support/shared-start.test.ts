import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../core/system/command.ts';
import { temporaryFolder } from '../harness/support/folder.ts';
import { machineLock } from './machine-lock.ts';

const folder = temporaryFolder();
const helper = fileURLToPath(new URL('shared-start.ts', import.meta.url));

/** What a file of two tests does, in order; `words` are options of `node --test`. */
async function told(start: string, ...words: string[]): Promise<string[]> {
  const [file, log] = [join(folder, 'two.test.ts'), join(folder, 'log')];
  writeFileSync(log, '');
  writeFileSync(
    file,
    `import { appendFileSync } from 'node:fs';
    import { setImmediate } from 'node:timers/promises';
    import { test } from 'node:test';
    import { sharedStart } from ${JSON.stringify(helper)};
    const tell = word => appendFileSync(${JSON.stringify(log)}, word + ' ');
    sharedStart(async () => { tell('start'); await setImmediate(); ${start} }, () => tell('stop'));
    test('skipped', { skip: true }, () => tell('skipped'));
    test('one', () => tell('one'));
    test('two', () => tell('two'));`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // else Node takes it for a file of the tests that run here
  await run([process.execPath, '--disable-warning=ExperimentalWarning', '--test', ...words, file], {
    allowFailure: true,
    env,
    timeoutMs: 60_000,
  });
  return readFileSync(log, 'utf8').trim().split(' ');
}

test('what is shared is started once, before the first test, and stopped behind the last', async () => {
  for (const isolation of ['none', 'process'])
    assert.deepEqual(await told("tell('started');", `--test-isolation=${isolation}`), [
      ...['start', 'started', 'one', 'two', 'stop'],
    ]);
});

test('where no test has the name that is asked for, nothing is started', async () => {
  for (const isolation of ['none', 'process'])
    assert.deepEqual(await told('', `--test-isolation=${isolation}`, '--test-name-pattern=three'), ['']);
  assert.deepEqual(await told('', '--test-name-pattern=two'), ['start', 'two', 'stop']);
});

test('what was half started is stopped', async () => {
  assert.deepEqual(await told("throw new Error('half');"), ['start', 'stop']);
});

test('a lock of the machine is had by one, and by the next when it is given back', async () => {
  const name = `of-this-test-${process.pid}`;
  const release = await machineLock(name);
  await assert.rejects(machineLock(name, 100), { message: /waiting for another test with "of-this-test-\d+" to end/ });
  release();
  (await machineLock(name))();
});
