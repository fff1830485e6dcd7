import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';

test('no path of a file is made of the text of an address: a space would be "%20" in it', () => {
  const places = ['core', 'harness', 'reports', 'server', 'shaper', 'tests'];
  const wrong = globSync(
    places.map(place => `${place}/**/*.{ts,mjs}`),
    { cwd: projectRoot },
  )
    .filter(
      file => !/(^|\/)(node_modules|target|build)\//.test(file) && file !== 'tests/unit/core/system/paths.test.ts',
    )
    .flatMap(file =>
      readFileSync(join(projectRoot, file), 'utf8')
        .split('\n')
        .flatMap((line, k) =>
          // only names of files: `url` and `request.url` belong to pages
          /import\.meta\.url\)\.pathname|\b(file|module|folder|directory|place|path)\.pathname|`file:\/\/\$\{/.test(
            line,
          )
            ? [`${file}:${k + 1}`]
            : [],
        ),
    );
  assert.deepEqual(wrong, []);
});
