import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { isInUserNamespace } from '../../../../core/system/user-namespace.ts';

const { inUserNamespace, userNamespaceMissing } = (await import(
  new URL('../../../../harness/setup/user-namespace.mjs', import.meta.url).href
)) as {
  inUserNamespace(line: string[]): string[];
  userNamespaceMissing(): string | undefined;
};

test("the machine's root has all user ids, a user namespace's has one", () => {
  assert.equal(isInUserNamespace('         0          0 4294967295\n'), false);
  assert.equal(isInUserNamespace('         0       1000          1\n'), true);
  assert.equal(isInUserNamespace('         0     100000      65536\n'), true);
});

const missing = userNamespaceMissing();

test("in one of our own there is root, a network of its own, and nobody else's namespaces", {
  skip: missing !== undefined && `this machine gives no user namespace: ${missing}`,
}, () => {
  const [file, ...argv] = inUserNamespace([
    'sh',
    '-c',
    'id -u; cat /proc/self/uid_map; ip netns; ip -o link; ip netns add one && ip netns',
  ]);
  const { status, stdout } = spawnSync(file!, argv, { encoding: 'utf8' });
  assert.equal(status, 0);
  const [id, map, ...rest] = stdout.trim().split('\n');
  assert.equal(id, '0');
  assert.ok(isInUserNamespace(map));
  assert.match(rest.join('\n'), /^1: lo:[^\n]*\none$/);
});
