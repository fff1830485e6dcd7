import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import { Bbr3Teller, type Listener } from '../../../../../harness/services/shared/bbr3-teller.ts';
import type { Bbr3Sample } from '../../../../../shaper/bbr3/telemetry.ts';

const counters = { sockets: 0, storeFailures: 2, events: 0 };
const sample = (socket: number) => ({ socket }) as Bbr3Sample;

/** Reader of telemetry whose output the test writes. */
class Reader {
  started = 0;
  stopped = 0;
  on: Listener | undefined;
  end: () => void = () => {};

  readonly teller = new Bbr3Teller(on => {
    this.started++;
    this.on = on;
    const { promise: failed, reject } = Promise.withResolvers<never>();
    this.end = () => reject(new CoexistError('service-failed', 'it fell over'));
    queueMicrotask(() => on.counters(counters));
    return {
      failed,
      stop: async () => {
        this.stopped++;
      },
    };
  });
}

function listener() {
  const heard: string[] = [];
  const on: Listener = {
    sample: ({ socket }) => heard.push(`sample ${socket}`),
    event: ({ number }) => heard.push(`event ${number}`),
    counters: ({ storeFailures }) => heard.push(`failures ${storeFailures}`),
  };
  return { heard, on };
}

test('many listen to one reader, which ends with the last of them and is started again for the next', async () => {
  const reader = new Reader();
  const [first, second] = [listener(), listener()];
  const one = await reader.teller.listen(first.on);
  const two = await reader.teller.listen(second.on);
  reader.on!.sample(sample(7));
  assert.equal(reader.started, 1);
  assert.deepEqual(second.heard, ['failures 2', 'sample 7'], 'who comes later is told the counters, too');
  await one.close();
  reader.on!.sample(sample(8));
  assert.equal(reader.stopped, 0);
  assert.ok(!first.heard.includes('sample 8') && second.heard.includes('sample 8'));
  await two.close();
  assert.equal(reader.stopped, 1);
  await (await reader.teller.listen(first.on)).close();
  assert.equal(reader.started, 2);
});

test('when the reader dies everybody who listens is told, and the next one gets a new reader', async () => {
  const reader = new Reader();
  const subscriptions = [await reader.teller.listen(listener().on), await reader.teller.listen(listener().on)];
  reader.end();
  for (const { failed } of subscriptions)
    await assert.rejects(failed, { code: 'service-failed', message: 'it fell over' });
  const again = await reader.teller.listen(listener().on);
  assert.deepEqual([reader.started, reader.stopped], [2, 1], 'it may have failed and run on');
  await again.close();
});
