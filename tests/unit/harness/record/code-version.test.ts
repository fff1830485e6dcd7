import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { codeVersion } from '../../../../harness/record/code-version.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = temporaryFolder();
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

test('a change of any source is another version; what is built, tested or written for people is not', () => {
  write('package.json', '{"version":"1.2.3"}');
  write('package-lock.json', '{}');
  write('shaper/native/link.c', 'int main;');
  const first = codeVersion(root);
  assert.match(first, /^1\.2\.3\/[0-9a-f]{12}$/);
  for (const path of [
    'shaper/native/build/link.c',
    'tests/unit/x.test.ts',
    'docs/x.md',
    'harness/services/http3-server/target/x.rs',
  ])
    write(path, 'x');
  assert.equal(codeVersion(root), first);
  const seen = new Set([first]);
  for (const path of [
    'harness/new.ts',
    'client/page.html',
    'shaper/native/link.c',
    'shaper/native/Makefile',
    'package-lock.json',
    'server/x.ts',
    'harness/tunnels/quic/quic-go/flows.go',
    'harness/tunnels/quic/quic-go/go.sum',
    'harness/tunnels/quic/quic-go/go.mod',
    'shaper/native/hardening.mk',
  ]) {
    write(path, 'changed');
    assert.ok(seen.size < seen.add(codeVersion(root)).size, path);
  }
});
