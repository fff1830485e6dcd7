/** Runs workers of tiny trials in this process. */
import type { Store } from '../../../../../harness/queue/store.ts';
import { type Carrier, Worker } from '../../../../../harness/queue/worker.ts';
import { WorkerSide } from '../../../../../harness/queue/worker-side.ts';
import { code, TinyCarrier } from './tiny.ts';

/** Worker of a test. `trusted`: planner that the worker trusts. Default: the planner of the test. */
export type Hand = { machine?: string; carrier?: Carrier; version?: string; trusted?: string };

/** Place at which workers run. `parent`: folder for records. `key`: key of the planner. */
export type Workplace = { store: Store; parent: string; key: string };

/** Runs workers while `body` runs. Resolves to their messages. */
export async function runWorkers<T>(
  { store, parent, key }: Workplace,
  hands: Hand[],
  body: (said: readonly string[]) => Promise<T>,
): Promise<{ result: T; said: string[] }> {
  const stop = new AbortController();
  const said: string[] = [];
  const work = hands.map(
    ({ machine = 'a', carrier = new TinyCarrier({ parent, machine }), version = code, trusted = key }) => {
      const side = new WorkerSide(store, machine, version);
      const say = (text: string) => void said.push(text);
      return new Worker({ side, carrier, trusted: new Set([trusted]), say, signal: stop.signal, floorAgainMs: 50 })
        .work()
        .catch(error => {
          if (!stop.signal.aborted) throw error;
        });
    },
  );
  try {
    const ended = Promise.all(work).then((): never => {
      throw new Error('the workers ended');
    });
    return { result: await Promise.race([body(said), ended]), said };
  } finally {
    stop.abort(new Error('enough'));
    await Promise.allSettled(work);
  }
}
