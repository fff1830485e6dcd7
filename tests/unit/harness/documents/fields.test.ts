import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlugins, type Plugin } from '../../../../core/plugins.ts';
import {
  choice,
  duration,
  integer,
  object,
  queueLimit,
  rate,
  ratio,
  schemaFacts,
  size,
  text,
  z,
} from '../../../../core/schema/schema.ts';
import { applicationSchema } from '../../../../harness/definition/applications.ts';
import { definitionSchema, measureSchema, runSchema } from '../../../../harness/definition/define.ts';
import { linkSchema } from '../../../../harness/definition/link.ts';
import { lossSchema } from '../../../../harness/definition/loss.ts';
import { parseSetValue } from '../../../../harness/definition/set.ts';
import { asWritten, fieldsOf } from '../../../../harness/documents/fields.ts';
import { runSchema as pairsRunSchema } from '../../../../harness/studies/pairs/define.ts';

const folders = { service: 'harness/services/', controller: 'server/congestion/', AQM: 'shaper/aqm/' };
const plugins = (
  await Promise.all(
    Object.entries(folders).map(async ([kind, folder]) => [
      ...(await loadPlugins<Plugin>(new URL(`../../../../${folder}`, import.meta.url), kind)).values(),
    ]),
  )
).flat();

test('every kind of field says what it accepts and its default', () => {
  const schema = object({
    rate: rate({ min: 64e3, max: 10e9 }).default(40e6).describe('A.'),
    wait: duration({ moreThan: 0, max: 5e3 }).optional().describe('B.'),
    share: ratio().describe('C.'),
    count: integer({ min: 1, max: 64 }).default(2).describe('D.'),
    factor: z.number().positive().max(3).default(1.5).describe('E.'),
    kind: choice(['none', 'some']).default('none').describe('F.'),
    is: z.boolean().default(false).describe('G.'),
    limit: queueLimit().describe('H.'),
    size: size({ min: 1000 }).optional().describe('I.'),
    name: text().describe('J.'),
    plugin: z
      .looseObject({ id: text() })
      .register(schemaFacts, { accepts: 'a plug-in' })
      .default({ id: 'x' })
      .describe('K.'),
  });
  assert.deepEqual(
    fieldsOf(schema).map(({ path, accepts, standard, isRequired, description }) => [
      path,
      accepts,
      standard,
      isRequired,
      description,
    ]),
    [
      ['rate', 'rate, 64 kbit/s to 10 Gbit/s', '40mbit', false, 'A.'],
      ['wait', 'duration, more than 0 ms to 5 s', null, false, 'B.'],
      ['share', 'percentage, 0 % to 100 %', null, true, 'C.'],
      ['count', 'whole number, 1 to 64', '2', false, 'D.'],
      ['factor', 'number, more than 0 to 3', '1.5', false, 'E.'],
      ['kind', '`none` or `some`', 'none', false, 'F.'],
      ['is', '`true` or `false`', 'false', false, 'G.'],
      ['limit', 'queue limit: `1000packets`, `1500kB`, `300ms`, `1s` or `2bdp`', null, true, 'H.'],
      ['size', 'size, at least 1 kB', null, false, 'I.'],
      ['name', 'text', null, true, 'J.'],
      ['plugin', 'a plug-in', "{ id: 'x' }", false, 'K.'],
    ],
  );
});

test('objects, lists, names and the forms of a value are taken apart', () => {
  const schema = object({
    group: object({ inner: integer({ min: 0, max: 9 }).describe('A.') }).optional(),
    list: z
      .array(object({ at: duration().describe('B.') }))
      .default([])
      .describe('C.'),
    named: z.record(text(), object({ x: text().describe('D.') })).describe('E.'),
    loss: lossSchema.default(null).describe('F.'),
  });
  const fields = fieldsOf(schema);
  assert.deepEqual(
    fields.map(({ path }) => path),
    [
      'group.inner',
      'list',
      'list[].at',
      'named',
      'named.NAME.x',
      'loss',
      'loss.ratio',
      'loss.where',
      'loss.toBad',
      'loss.toGood',
      'loss.bad',
      'loss.good',
    ],
  );
  assert.equal(fields.find(({ path }) => path === 'loss')!.accepts, 'percentage, 0 % to 90 %, or object');
  assert.deepEqual(
    fields.filter(({ path }) => path === 'list' || path === 'loss').map(({ standard }) => standard),
    ['', ''],
  );
});

test('quantities are written as a definition has them', () => {
  assert.deepEqual(
    [
      asWritten('rate', 1.5e6),
      asWritten('rate', 300),
      asWritten('duration', 150e3),
      asWritten('percentage', 0.005),
      asWritten('size', 64e3),
    ],
    ['1.5mbit', '300bit', '2.5min', '0.5%', '64kB'],
  );
});

test('everything that can be set has a description that is a sentence', () => {
  const shared: [string, z.ZodType][] = [
    ['definition', definitionSchema],
    ['link', linkSchema],
    ['application', applicationSchema],
    ['run', runSchema],
    ['measure', measureSchema],
    ['pairs', pairsRunSchema],
  ];
  const all = [...shared, ...plugins.map(({ id, params }): [string, z.ZodType] => [id, params])];
  const poor = all.flatMap(([name, schema]) =>
    fieldsOf(schema)
      .filter(({ description }) => !/^[A-Z`].*[.]$/s.test(description))
      .map(({ path }) => `${name} ${path}`),
  );
  assert.deepEqual(poor, []);
});

for (const { id, params } of plugins) {
  test(`${id}: defaults as documents have them mean what the schema's do`, () => {
    for (const { path, standard } of fieldsOf(params)) {
      if (standard === null || standard === '' || standard.startsWith('{')) continue;
      const [name, outer] = path.split('.').reverse() as [string, string?];
      // a field of an inner object, whose other fields have their defaults
      const written = (fields: object) => params.parse(outer === undefined ? fields : { [outer]: fields });
      assert.deepEqual(written({ [name]: parseSetValue(standard) }), written({}), `${path} = ${standard}`);
    }
  });
}
