import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, integer, object, rate, ratio, size } from '../../../core/schema/schema.ts';
import { fieldsOf } from '../../../harness/documents/fields.ts';
import { parameterKinds } from '../../../harness/studies/conditions/parameter-kinds.ts';
import { loadRegistries } from '../../../harness/trial/registries.ts';
import { paramsInWords } from '../../../reports/parameters.ts';

const registries = await loadRegistries();
const shippedKinds = parameterKinds(registries);

/** Expected form of a formatted number, by the form that the schema accepts. */
const looks: readonly [accepts: RegExp, words: RegExp][] = [
  [/^rate/, / [kMG]?bit\/s$/],
  [/^duration/, / (ms|s|min)$/],
  [/^percentage/, / %$/],
  [/^size/, / (bytes|kB|MB)$/],
  [/^(whole )?number/, /^\S+ 4000$/],
];

for (const which of ['services', 'aqms', 'tunnels'] as const)
  test(`every quantity of the ${which} is told with its unit`, () => {
    const wrong = [...registries[which].values()].flatMap(({ id, params }) =>
      fieldsOf(params).flatMap(({ path, accepts }) => {
        const words = paramsInWords({ [path]: 4000 }, shippedKinds[which][id]);
        const look = looks.find(([pattern]) => pattern.test(accepts))?.[1];
        return words === '' || look === undefined || look.test(words) ? [] : [`${id}: ${accepts}: ${words}`];
      }),
    );
    assert.deepEqual(wrong, []);
  });

test('a new plug-in edits no list: the unit of a number goes by its schema', () => {
  const params = object({
    pause: duration().default(1500),
    share: ratio().optional(),
    speed: rate().nullable().default(null),
    piece: size().describe('A piece.'),
    count: integer({ min: 0, max: 9 }),
  });
  const plugin = { id: 'own', title: 'Own', source: 'test', params };
  const kinds = parameterKinds({ services: new Map([['own', plugin]]), aqms: new Map(), tunnels: new Map() });
  const values = { pause: 1500, share: 0.5, speed: 2e6, piece: 64_000, count: 3 };
  assert.equal(
    paramsInWords(values, kinds.services['own']),
    'pause 1.5 s, share 50 %, speed 2 Mbit/s, piece 64 kB, count 3',
  );
  assert.equal(paramsInWords({ pause: 1500 }, kinds.services['gone']), 'pause 1500');
});

test('a list of objects is told entry by entry; a list without any is left out', () => {
  const kinds = shippedKinds.services['udp-flow'];
  const changes = [
    { after: 40e3, rate: 1.5e6 },
    { after: 60e3, rate: 0 },
  ];
  assert.equal(
    paramsInWords({ rate: 2e6, changes }, kinds),
    'rate 2 Mbit/s, changes (after 40 s, rate 1.5 Mbit/s; after 60 s, rate 0 bit/s)',
  );
  assert.equal(paramsInWords({ rate: 2e6, changes: [] }, kinds), 'rate 2 Mbit/s');
});

test('what is not set, only recorded or told elsewhere is left out', () => {
  assert.equal(
    paramsInWords(
      { clip: 'x', maxBitrate: 8e6, preset: undefined, cap: null, codec: 'h264', record: true, port: 1 },
      shippedKinds.services['live-clip'],
    ),
    'maxBitrate 8 Mbit/s, codec h264',
  );
  assert.equal(paramsInWords(undefined), '');
});
