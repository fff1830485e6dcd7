import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';

const { requireOwnPackages } = (await import(new URL('../../../../harness/setup/setup.mjs', import.meta.url).href)) as {
  requireOwnPackages(folder: string): void;
};

test('packages are not installed through a link into the folder of another checkout', () => {
  const folder = temporaryFolder();
  const [own, link, missing] = ['own', 'link', 'missing'].map(name => join(folder, name)) as [string, string, string];
  mkdirSync(own);
  symlinkSync(own, link);
  assert.throws(() => requireOwnPackages(link), { message: /link is a link, and npm .*\n {2}-> remove the link/ });
  requireOwnPackages(own);
  requireOwnPackages(missing);
});
