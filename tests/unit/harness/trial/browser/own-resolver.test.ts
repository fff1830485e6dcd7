import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../../../../core/system/command.ts';
import { withResolver } from '../../../../../harness/trial/browser/own-resolver.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();
const skip = process.getuid?.() === 0 ? false : 'needs root, to make a mount namespace';

test('the program asks another name server, with its own words, and nobody else does', { skip }, async () => {
  const machine = readFileSync('/etc/resolv.conf', 'utf8');
  const [program, path] = [
    '#!/bin/sh\ncat /etc/resolv.conf\nfor word in "$@"; do echo "$word"; done\n',
    join(folder, 'the "program" it\'s'),
  ];
  writeFileSync(path, program, { mode: 0o700 });
  const { stdout } = await run([withResolver(path, '198.18.0.1', folder), 'a  b', '$HOME', "'"]);
  assert.equal(stdout, "nameserver 198.18.0.1\na  b\n$HOME\n'\n");
  assert.equal(readFileSync('/etc/resolv.conf', 'utf8'), machine);
});
