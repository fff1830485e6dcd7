import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from '../../../../core/system/host.ts';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import { loadAqms } from '../../../../shaper/aqm/bound-aqm.ts';
import { LinkChain, logAt, seedAt } from '../../../../shaper/backend/link-chain.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';
import { canAll } from '../support/capabilities.ts';
import { topologyOf } from '../support/topology.ts';

const aqms = await loadAqms();

function network(hops: number) {
  const inputs: string[][] = Array.from({ length: hops }, () => []);
  const routers = inputs.map((given, k): Host => {
    const host = fakeHost('true', '', `router-${k + 1}`);
    return {
      ...host,
      run: (argv, options) => {
        given.push(String(options?.input ?? argv.join(' ')));
        return host.run(argv, options);
      },
    };
  });
  const [left, right] = [fakeHost('true', '', 'left-1'), fakeHost('true', '', 'right-1')];
  return { inputs, hops: routers.map(router => topologyOf(router, left, right)) };
}

const { paths: _, bytes: __, ...hop } = plainLink(5e6, { unit: 'packets', value: 50 }, ['left-1']);
const first = { ...plainLink(10e6, { unit: 'packets', value: 100 }, ['left-1']), backend: 'tc' as const };
const link = { ...first, further: [{ ...hop, backend: 'tc' as const }] };

test('each router forms its own bottleneck', async () => {
  const made = network(2);
  const chain = new LinkChain(made, aqms, canAll);
  assert.equal(await chain.set(link, 1), 'tc');
  assert.deepEqual(chain.further, [{ backend: 'tc', traces: null }]);
  const rates = made.inputs.map(given => [...new Set(given.join('\n').match(/rate \d+/g))]);
  assert.deepEqual(rates, [['rate 10000000'], ['rate 5000000']]);
  await chain.clear();
  assert.deepEqual(chain.further, []);
});

test('a link with more bottlenecks than the network has routers is refused before anything is formed', async () => {
  const made = network(1);
  await assert.rejects(new LinkChain(made, aqms, canAll).set(link, 1), {
    code: 'bad-definition',
    message: /2 bottlenecks in a row/,
  });
  assert.deepEqual(made.inputs, [[]]);
});

test('bottlenecks have seeds and logs of their own', () => {
  assert.deepEqual(
    [logAt('a/queue.log', 1), logAt('a/queue.log', 2), logAt('a.b/q', 3)],
    ['a/queue.log', 'a/queue-2.log', 'a.b/q-3'],
  );
  assert.equal(seedAt(7, 1), 7);
  assert.equal(new Set([1, 2, 3].map(one => seedAt(7, one))).size, 3);
});
