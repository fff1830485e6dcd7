import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages, readPageFile } from '../../../../server/pages/page-file.ts';

/** Returns the modules that a page script imports at run time, without type imports. */
const importsOf = (script: string) => [...script.matchAll(/^import\b[^;]*?from '(\.[^']+)'/gm)].map(match => match[1]!);

test('every module that the scripts of a page import is served with the page', async () => {
  const missing: string[] = [];
  let imports = 0;
  for (const [name, files] of Object.entries<Record<string, string>>(pages)) {
    for (const [url, file] of Object.entries(files).filter(([, path]) => path.endsWith('.ts'))) {
      for (const wanted of importsOf((await readPageFile(file)).body)) {
        imports++;
        const { pathname } = new URL(wanted, `http://page${url}`);
        if (files[pathname] === undefined) missing.push(`page "${name}": ${url} imports ${pathname}`);
      }
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(imports > 20, `${imports} imports were found`);
});
