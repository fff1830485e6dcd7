import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bottleneckName, firstHopOf, hopCount, hopsOf, ownRowOf } from '../../../../core/vocabulary/hops.ts';
import {
  describeLink,
  describePath,
  type Link,
  plainLink,
  plainPath,
  withoutChance,
} from '../../../../core/vocabulary/link.ts';

const { paths: _, bytes: __, ...hop } = plainLink(8e6, { unit: 'bdp', value: 2 });
const link: Link = {
  ...plainLink(20e6, { unit: 'packets', value: 100 }, ['server']),
  further: [{ ...hop, backend: 'tc', loss: { kind: 'independent', ratio: 0.01, where: 'before' } }],
};
const delayed: Link = { ...link, paths: { server: { ...link.paths['server']!, rttMs: 40 } } };

test('a further bottleneck has no delay, and a limit in BDP is that of the whole path', () => {
  const [first, second] = hopsOf(delayed);
  assert.equal(first, delayed);
  // 2 times 8 Mbit/s times 40 ms
  assert.deepEqual(second!.queue, { unit: 'bytes', value: 80_000 });
  assert.deepEqual([second!.rateBps, second!.backend, second!.paths['server']!.rttMs], [8e6, 'tc', null]);
  assert.equal(second!.further, undefined, 'it is the last');
  assert.deepEqual([hopCount([link, plainLink(1e6, link.queue)]), hopCount([])], [2, 1]);
});

test('words say what is behind the first bottleneck', () => {
  assert.match(
    describeLink({ ...link, further: [{ ...link.further![0]!, queue: { unit: 'packets', value: 50 } }] }),
    /^20 Mbit\/s, FIFO .* no random loss \(then: 8 Mbit\/s, FIFO 50 packets .*, random loss 1 %, formed by tc, .*\)$/,
  );
  assert.deepEqual(
    [{}, { direction: 'up' as const }, { hop: 2 }, { hop: 2, direction: 'up' as const }].map(bottleneckName),
    ['the link', 'the link from the clients', 'bottleneck 2', 'bottleneck 2 from the clients'],
  );
});

test('no bottleneck of a link without chance loses packets', () => {
  assert.equal(withoutChance(link).further![0]!.loss, null);
});

test('a path that crosses some of the bottlenecks has its delays at the first of them, and is at no other', () => {
  const queue = { unit: 'bdp', value: 1 } as const;
  const own = { ...plainPath, rttMs: 40 };
  const row: Link = {
    ...link,
    queue,
    further: [hop, hop].map(one => ({ ...one, backend: 'tc' as const })),
    paths: {
      all: { ...own, rttMs: 80 },
      first: { ...own, crosses: { from: 1, to: 1 } },
      rest: { ...own, crosses: { from: 2, to: 3 } },
    },
  };
  const links = hopsOf(row);
  assert.deepEqual(
    links.map(({ paths }) => Object.entries(paths).map(([name, { rttMs, crosses }]) => [name, rttMs, crosses])),
    [
      [
        ['all', 80, undefined],
        ['first', 40, undefined],
      ],
      [
        ['all', null, undefined],
        ['rest', 40, undefined],
      ],
      [
        ['all', null, undefined],
        ['rest', null, undefined],
      ],
    ],
  );
  // of the longest path of the whole link: 20 Mbit/s times 80 ms
  assert.deepEqual(links[0]!.queue, { unit: 'bytes', value: 200_000 });
  assert.deepEqual(
    ['all', 'first', 'rest'].map(name => [
      firstHopOf(row, name),
      ownRowOf(row, { name, direction: 'down' }).map(place => place.hop),
    ]),
    [
      [1, [1, 2, 3]],
      [1, [1]],
      [2, [2, 3]],
    ],
  );
  assert.deepEqual(ownRowOf(row, { name: 'all', direction: 'up' }), []);
  assert.deepEqual(Object.values(row.paths).map(describePath), [
    'base RTT 80 ms',
    'base RTT 40 ms, crosses bottleneck 1 only',
    'base RTT 40 ms, crosses bottlenecks 2 to 3 only',
  ]);
});
