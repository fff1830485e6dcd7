/** Tests the command that continues a study. It contains the options that the user would have to repeat. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { againCommand } from '../../../../harness/cli/again.ts';

test('what the folder does not say is said again, and no password', () => {
  assert.equal(againCommand({ id: 'game' }, 'runs/x', {}), 'npm run game -- --resume runs/x');
  assert.equal(
    againCommand({ id: 'experiment' }, 'runs/x', { hosts: 'lab.json', 'trust-scripts': false }),
    'npm run experiment -- --resume runs/x --hosts lab.json',
  );
  const values = { queue: 'postgres://a:secret@host/q', 'trust-scripts': true, 'private-networks': true };
  assert.equal(
    againCommand({ id: 'pairs', allows: ['trust-scripts', 'private-networks'] }, 'runs/x', values),
    'npm run pairs -- --resume runs/x --trust-scripts --private-networks --queue postgres://a@host/q',
  );
});

test('a folder is written as a shell takes it for one word', () => {
  assert.equal(
    againCommand({ id: 'experiment' }, "/tmp/co ex #1 50% ü/it's", {}),
    "npm run experiment -- --resume '/tmp/co ex #1 50% ü/it'\\''s'",
  );
});
