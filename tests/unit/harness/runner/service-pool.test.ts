import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from '../../../../harness/base/schema.ts';
import { ServicePool } from '../../../../harness/runner/service-pool.ts';
import type { ServicePoolOptions } from '../../../../harness/runner/service-pool.ts';
import type { ServicePlugin } from '../../../../harness/services/service.ts';

/** A pool of a service that is one for each clip, and what happened to them. */
function poolOf(keep?: number): { get(clip: string): Promise<unknown>; close(): Promise<void>; events: string[] } {
  const events: string[] = [];
  const plugin = {
    id: 'clip', title: 'clip', source: 'test', params: z.object({}), preparationKey: ({ clip }: { clip: string }) => clip,
    prepare: async (_: unknown, { clip }: { clip: string }) => {
      events.push(`made ${clip}`);
      return { clip, open: async () => { throw new Error('not opened'); }, close: async () => { events.push(`closed ${clip}`); } };
    },
  } as unknown as ServicePlugin;
  const pool = new ServicePool({ services: new Map([['clip', plugin]]), network: null, lease: { scratch: '' }, headed: false, ...(keep === undefined ? {} : { keep }) } as unknown as ServicePoolOptions);
  return { events, get: clip => pool.get({ service: { id: 'clip', title: 'clip', params: { clip } } }), close: () => pool.close() };
}

test('one is kept where nothing is said: another takes its place, and only then is it made again', async () => {
  const { get, events } = poolOf();
  await get('a');
  await get('a');
  await get('b');
  await get('a');
  assert.deepEqual(events, ['made a', 'closed a', 'made b', 'closed b', 'made a']);
});

test('of several the one goes that was not used for longest; closing closes all', async () => {
  const { get, events, close } = poolOf(2);
  for (const clip of ['a', 'b', 'a', 'c']) await get(clip);
  assert.deepEqual(events, ['made a', 'made b', 'closed b', 'made c']);
  await close();
  assert.deepEqual(events.slice(4).sort(), ['closed a', 'closed c']);
});
