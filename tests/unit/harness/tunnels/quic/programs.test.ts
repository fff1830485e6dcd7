import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { tunnelCaps } from '../../../../../harness/tunnels/quic/programs.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { standIn } from '../../support/stand-in.ts';

const folder = temporaryFolder();
const caps = {
  program: 'x',
  version: '0.1.0',
  stack: 'noq',
  stackVersion: '1.4.0',
  modes: ['datagram'],
  congestionControls: ['none'],
  qlog: true,
};

test('a program says what it can', async () => {
  assert.deepEqual(
    await tunnelCaps('noq', standIn(folder, 'good', `test "$1" = caps && echo '${JSON.stringify(caps)}'`)),
    caps,
  );
});

test('one that is not built, or does not run, is missing, with the command that builds it', async () => {
  const refused = (message: string) => ({ code: 'missing-program', message, hint: /npm run setup -- quic/ });
  await assert.rejects(tunnelCaps('noq', join(folder, 'none')), refused('the QUIC tunnel on noq is not built'));
  await assert.rejects(
    tunnelCaps('quic-go', standIn(folder, 'broken', 'exit 1')),
    refused('the QUIC tunnel on quic-go does not run'),
  );
  await assert.rejects(
    tunnelCaps('noq', standIn(folder, 'other', 'echo hello')),
    refused('the QUIC tunnel on noq does not tell what it can'),
  );
});

test('what it says is checked', async () => {
  await assert.rejects(
    tunnelCaps('noq', standIn(folder, 'wrong', `echo '${JSON.stringify({ ...caps, stack: 'quinn' })}'`)),
    { message: /what the QUIC tunnel on noq tells: stack/ },
  );
});
