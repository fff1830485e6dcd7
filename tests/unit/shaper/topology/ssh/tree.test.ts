import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { treeOf } from '../../../../../shaper/topology/ssh/tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'coexist-tree-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const writePackage = (path: string, needs: object) => write(join(path, 'package.json'), JSON.stringify(needs));

test('folders come with the packages that they import, and with what those need', () => {
  write('own/package.json', '{}');
  write(
    'own/core/a.ts',
    "import { z } from 'zod';\nimport fs from 'node:fs';\nimport { b } from './b.ts';\nawait import('@scope/late/part');\n",
  );
  write('own/other/c.ts', "import { x } from 'unwanted';\n");
  writePackage('own/node_modules/zod', { dependencies: { inner: '1', shared: '1' } });
  writePackage('own/node_modules/zod/node_modules/inner', { dependencies: { shared: '1' } });
  writePackage('own/node_modules/shared', {});
  writePackage('own/node_modules/unwanted', {});
  writePackage('own/node_modules/@scope/late', { optionalDependencies: { shared: '1', 'for-another-machine': '1' } });
  const { base, paths, pathOf } = treeOf(['core'], join(folder, 'own/'));
  assert.equal(base, join(folder, 'own'));
  assert.deepEqual(paths, [
    'core',
    'node_modules/@scope/late',
    'node_modules/shared',
    'node_modules/zod',
    'package.json',
  ]);
  assert.equal(pathOf(join(folder, 'own/core/a.ts')), 'core/a.ts');
});

test('where ours is a package itself, those beside it are found', () => {
  write('place/node_modules/coexist/package.json', '{}');
  write('place/node_modules/coexist/core/a.ts', "import { z } from 'zod';\n");
  writePackage('place/node_modules/zod', {});
  const { base, paths, pathOf } = treeOf(['core'], join(folder, 'place/node_modules/coexist'));
  assert.equal(base, join(folder, 'place'));
  assert.deepEqual(
    paths,
    ['coexist/core', 'coexist/package.json', 'zod'].map(path => `node_modules/${path}`),
  );
  assert.equal(pathOf(join(folder, 'place/node_modules/coexist/core/a.ts')), 'node_modules/coexist/core/a.ts');
});
