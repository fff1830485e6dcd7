import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from '../../../../core/schema/schema.ts';
import { serviceOf } from '../../../../harness/services/bound-service.ts';
import type { ServicePlugin } from '../../../../harness/services/service.ts';
import { ServicePool, type ServicePoolOptions } from '../../../../harness/trial/service-pool.ts';
import { greedy } from '../studies/pairs/support/study.ts';

/**
 * Returns a pool of services with one preparation per clip. "call a" stands for the service "call" with the clip "a".
 * `events`: events of the services in order.
 */
function poolOf(keep?: number): { get(name: string): Promise<unknown>; close(): Promise<void>; events: string[] } {
  const events: string[] = [];
  const plugin = (id: string): ServicePlugin<{ clip: string }> => ({
    ...(greedy as ServicePlugin),
    id,
    params: z.object({ clip: z.string() }),
    preparationKey: ({ clip }) => clip,
    prepare: async (_, { clip }) => {
      events.push(`made ${id} ${clip}`);
      return {
        open: async () => {
          throw new Error('not opened');
        },
        close: async () => {
          events.push(`closed ${id} ${clip}`);
        },
      };
    },
  });
  const services = new Map(['call', 'video', 'page'].map(id => [id, serviceOf(plugin(id))]));
  const pool = new ServicePool({
    services,
    network: null,
    lease: { scratch: '' },
    headed: false,
    ...(keep === undefined ? {} : { keep }),
  } as unknown as ServicePoolOptions);
  return {
    events,
    close: () => pool.close(),
    get: name => {
      const [id, clip] = name.split(' ') as [string, string];
      return pool.get({ service: { id, title: id, params: { clip } } });
    },
  };
}

test('one is kept where nothing is said: another takes its place, and only then is it made again', async () => {
  const { get, events } = poolOf();
  for (const name of ['call a', 'call a', 'video a', 'call a']) await get(name);
  assert.deepEqual(events, ['made call a', 'closed call a', 'made video a', 'closed video a', 'made call a']);
});

test('of several the one goes that was not used for longest; closing closes all', async () => {
  const { get, events, close } = poolOf(2);
  for (const name of ['call a', 'video a', 'call a', 'page a']) await get(name);
  assert.deepEqual(events, ['made call a', 'made video a', 'closed video a', 'made page a']);
  await close();
  assert.deepEqual(events.slice(4).sort(), ['closed call a', 'closed page a']);
});

test('two of one plug-in are never ready at once, however many are kept: they would want the same port', async () => {
  const { get, events } = poolOf(8);
  for (const name of ['call a', 'video a', 'call b', 'video a', 'call a']) await get(name);
  assert.deepEqual(events, [
    'made call a',
    'made video a',
    'closed call a',
    'made call b',
    'closed call b',
    'made call a',
  ]);
});

test('a service that never gets ready or never closes is waited for until its deadline, once; one that comes late is closed', async () => {
  const late = Promise.withResolvers<void>();
  const events: string[] = [];
  const service = (id: string, ready: Promise<void>, closed: Promise<void>): ServicePlugin<object> => ({
    ...(greedy as ServicePlugin),
    id,
    params: z.object({}),
    preparationKey: () => '',
    prepare: async () => {
      await ready;
      return {
        open: () => Promise.reject(new Error('not opened')),
        close: () => {
          events.push(`closed ${id}`);
          return closed;
        },
      };
    },
  });
  const never = new Promise<void>(() => {});
  const plugins = [
    service('late', late.promise, Promise.resolve()),
    service('stuck', Promise.resolve(), never),
    service('call', Promise.resolve(), Promise.resolve()),
  ];
  const pool = new ServicePool({
    services: new Map(plugins.map(plugin => [plugin.id, serviceOf(plugin)])),
    lease: { scratch: '' },
    keep: 2,
    deadlines: { prepareMs: 20, closeMs: 20 },
  } as unknown as ServicePoolOptions);
  const get = (id: string) => pool.get({ service: { id, title: id, params: {} } });
  await assert.rejects(get('late'), { code: 'service-failed', message: /waiting for service late to be prepared/ });
  late.resolve();
  await get('stuck');
  await get('call');
  await assert.rejects(pool.close(), { code: 'service-failed', message: /waiting for service stuck to be closed/ });
  await pool.close();
  assert.deepEqual(events.sort(), ['closed call', 'closed late', 'closed stuck']);
});
