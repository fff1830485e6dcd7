import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../core/system/command.ts';

const main = fileURLToPath(new URL('../../../harness/main.ts', import.meta.url));
const command = (...argv: string[]) =>
  run([process.execPath, '--disable-warning=ExperimentalWarning', main, ...argv], { allowFailure: true });

test('a command that there is not is refused with the one that was meant', async () => {
  const { status, stderr } = await command('experimnt');
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^there is no command "experimnt"; did you mean "experiment"\?\n {2}-> known: .*\bexperiment\b.*\n$/,
  );
});

test('words that every object knows are no commands', async () => {
  for (const word of ['constructor', '']) {
    const { status, stderr } = await command(word);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`^there is no command "${word}"\n`));
  }
});

test('verify without a folder, or with two, says how it is called', async () => {
  for (const argv of [[], ['a', 'b']]) {
    const { status, stderr } = await command('verify', ...argv);
    assert.equal(status, 1);
    assert.match(stderr, /^verify needs the folder of a run\n {2}-> npm run verify -- DIR/);
  }
});

test('the doctor refuses a file of hosts that is none, before it connects to anybody', async () => {
  const { status, stderr } = await command('doctor', '--hosts', 'no-such-hosts.json');
  assert.equal(status, 1);
  assert.match(stderr, /^no-such-hosts\.json: ENOENT.*\n {2}-> docs\/lab\.md has an example of the file\n$/);
});
