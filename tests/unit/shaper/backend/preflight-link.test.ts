import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLink } from '../../../../core/link.ts';
import type { Link } from '../../../../core/link.ts';
import type { LinkBox } from '../../../../shaper/backend/link-box.ts';
import { preflightLink } from '../../../../shaper/backend/preflight-link.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';

const link: Link = { ...plainLink(20e6, { unit: 'packets', value: 100 }), loss: { kind: 'independent', ratio: 0.01, where: 'before' } };
const end = (name: string, address: string) => ({ host: fakeHost('', '', name), address });
const left = [['server', '10.0.1.2'], ['flooder', '10.0.3.2'], ['third', '10.0.4.2']].map(([name, address], k) => ({ ...end(name!, address!), device: `toLeft${k}`, network: '' }));
const right = [end('client', '10.0.2.2'), end('client-2', '10.0.2.3')];

test('without its losses, too, the link is proved on the backend that will form it', async () => {
  const set: Link[] = [];
  const box = { set: async (asked: Link) => void set.push(asked), waysOf: ({ ways }: Link) => ways } as unknown as LinkBox;
  const asked = preflightLink(box, link, 'emulator', 7, { left: left.slice(0, 2), right });
  await asked.reset('bare');
  await asked.reset('loss');
  assert.deepEqual(set.map(({ backend, loss }) => [backend, loss?.kind]), [['emulator', undefined], ['emulator', 'independent']]);
  assert.equal(asked.bucketBytes, 0);
});

test('every host on the left has a path each way, and one without a way is refused', () => {
  const box = { waysOf: ({ ways }: Link) => ways } as unknown as LinkBox;
  const three = { ...link, ways: { ...link.ways, third: { ...link.ways.server!, downMs: 7, upMs: 9 } } };
  const { paths } = preflightLink(box, three, 'emulator', 7, { left, right });
  assert.deepEqual(paths.map(({ from, to, shaped, delayMs }) => [from, to, shaped, delayMs]), [
    ['server', 'client', true, 0], ['client', 'server', false, 0], ['flooder', 'client', true, 0], ['client', 'flooder', false, 0], ['third', 'client', true, 7], ['client', 'third', false, 9],
  ]);
  assert.throws(() => preflightLink(box, link, 'emulator', 7, { left, right }), { code: 'link-refused', message: 'the link has no way for the host "third"' });
});
