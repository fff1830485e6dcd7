import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { commandSteps } = (await import(new URL('../../../../harness/setup/setup.mjs', import.meta.url).href)) as {
  commandSteps(command: string, argv: string[]): unknown[];
};

test('npm test -- --help prints its usage and does nothing else', () => {
  for (const words of [['--help'], ['-h'], ['lint', '--help'], ['long', '--help']]) {
    const { status, stdout } = spawnSync(process.execPath, ['tests/run.ts', ...words], {
      cwd: root,
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.equal(status, 0);
    assert.match(stdout, /^npm test {2,}all but long and kernels/);
    assert.match(stdout, /lint, types, unit, sim, contract/);
    assert.match(stdout, /--test-name-pattern=/);
    assert.doesNotMatch(stdout, /^==|Usage: node/m);
  }
});

test('the usage of a command needs no browser, no native programs and no clip', () => {
  for (const command of ['experiment', 'test', 'test:long', 'test:kernels', 'test:soak', 'bench:shaper']) {
    for (const word of ['--help', '-h']) assert.equal(commandSteps(command, [word]).length, 1);
    assert.ok(commandSteps(command, []).length > 1);
  }
});

test('npm run setup -- --help prints its words, and one that it does not know is refused, before anything is done', () => {
  const setup = (word: string) =>
    spawnSync(process.execPath, ['harness/setup/run.mjs', 'setup', word], {
      cwd: root,
      encoding: 'utf8',
      timeout: 20_000,
    });
  for (const word of ['--help', '-h']) {
    const { status, stdout } = setup(word);
    assert.equal(status, 0);
    for (const known of ['quic', 'http3', 'verify', 'vmaf']) assert.match(stdout, new RegExp(`^ +${known} `, 'm'));
    assert.doesNotMatch(stdout, /\[setup\]/);
  }
  const { status, stdout, stderr } = setup('qic');
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^setup: "qic" is unknown\n {2}-> known here: quic, /);
});
