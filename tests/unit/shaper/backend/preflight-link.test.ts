import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from '../../../../core/host.ts';
import { plainLink } from '../../../../core/link.ts';
import type { Link } from '../../../../core/link.ts';
import type { LinkBox } from '../../../../shaper/backend/link-box.ts';
import { preflightLink } from '../../../../shaper/backend/preflight-link.ts';

const link: Link = { ...plainLink(20e6, { unit: 'packets', value: 100 }), loss: { kind: 'independent', ratio: 0.01, where: 'before' } };
const endpoint = (name: string, address: string) => ({ host: { name } as Host, address });
const pairs = [{ left: endpoint('server', '10.0.1.2'), right: endpoint('client', '10.0.2.2') }];

test('without its losses, too, the link is proved on the backend that will form it', async () => {
  const set: Link[] = [];
  const box = { set: async (asked: Link) => void set.push(asked), waysOf: ({ ways }: Link) => ways } as unknown as LinkBox;
  const asked = preflightLink(box, link, 'emulator', 7, pairs);
  await asked.reset('bare');
  await asked.reset('loss');
  assert.deepEqual(set.map(({ backend, loss }) => [backend, loss?.kind]), [['emulator', undefined], ['emulator', 'independent']]);
  assert.equal(asked.bucketBytes, 0);
});
