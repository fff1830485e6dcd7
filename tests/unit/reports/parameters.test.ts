import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlugins } from '../../../core/plugins.ts';
import type { Plugin } from '../../../core/plugins.ts';
import { fieldsOf } from '../../../harness/documents/fields.ts';
import { parameterWords } from '../../../reports/parameters.ts';

const folders = { service: 'harness/services/', AQM: 'shaper/aqm/' };
const plugins = (
  await Promise.all(
    Object.entries(folders).map(async ([kind, folder]) => [
      ...(await loadPlugins<Plugin>(new URL(`../../../${folder}`, import.meta.url), kind)).values(),
    ]),
  )
).flat();

/** What the words of a number have to look like, by what the schema accepts. */
const looks: readonly [accepts: RegExp, words: RegExp][] = [
  [/^rate/, / [kMG]?bit\/s$/],
  [/^duration/, / (ms|s|min)$/],
  [/^percentage/, / %$/],
  [/^size/, / (bytes|kB|MB)$/],
  [/^whole number/, /^\S+ [\d.]+( bytes| kB)?$/],
];

test('every quantity of a service or an AQM is told with its unit', () => {
  const wrong = plugins.flatMap(({ id, params }) =>
    fieldsOf(params).flatMap(({ path, accepts }) => {
      const words = parameterWords({ [path]: 4000 });
      const look = looks.find(([pattern]) => pattern.test(accepts))?.[1];
      return words === '' || look === undefined || look.test(words) ? [] : [`${id}: ${accepts}: ${words}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('what is not set, only recorded or told elsewhere is left out', () => {
  assert.equal(
    parameterWords({ clip: 'x', maxBitrate: 8e6, preset: undefined, cap: null, codec: 'h264', record: true, port: 1 }),
    'maxBitrate 8 Mbit/s, codec h264',
  );
  assert.equal(parameterWords(undefined), '');
});
