/**
 * Runs a worker of tiny trials as a separate process. Arguments: URL KEY MACHINE MS-PER-TRIAL FOLDER. Appends a line
 * for each trial to FOLDER/log.
 */
import { join } from 'node:path';
import { Worker } from '../../../../../harness/queue/worker.ts';
import { WorkerSide } from '../../../../../harness/queue/worker-side.ts';
import { code, openStore, TinyCarrier } from './tiny.ts';

const [url, key, machine, takesMs, parent] = process.argv.slice(2) as [string, string, string, string, string];
const over = new AbortController();
for (const signal of ['SIGTERM', 'disconnect'] as const) process.on(signal, () => over.abort(new Error('stopped')));
const store = await openStore(url, over.signal);
const carrier = new TinyCarrier({ machine, takesMs: Number(takesMs), parent, log: join(parent, 'log') });
const side = new WorkerSide(store, machine, code);
await new Worker({ side, carrier, trusted: new Set([key]), say: () => {}, signal: over.signal }).work().catch(error => {
  if (!over.signal.aborted) throw error;
});
await store.close();
if (process.connected) process.disconnect?.();
