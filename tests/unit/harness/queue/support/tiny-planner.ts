/**
 * Runs a planner of tiny trials as a separate process. Arguments: URL KEY-FILE RUN FOLDER. Continues an existing
 * folder.
 */
import { PlannerKey } from '../../../../../harness/queue/planner-key.ts';
import { RunFolder } from '../../../../../harness/record/run-folder.ts';
import { openStore, runOverQueue } from './tiny.ts';

const [url, keyFile, run, path] = process.argv.slice(2) as [string, string, string, string];
const over = new AbortController();
process.on('disconnect', () => over.abort(new Error('stopped')));
const store = await openStore(url, over.signal, { supervise: true });
const folder = RunFolder.resume(path);
const failed = await runOverQueue({
  store,
  key: PlannerKey.ofUser(keyFile),
  run,
  plan: folder.planFile().plan,
  folder,
  signal: over.signal,
});
folder.release();
await store.close();
if (failed.length > 0) throw new Error(`no valid result: ${failed.join(', ')}`);
if (process.connected) process.disconnect?.();
