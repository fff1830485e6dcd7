/** A store in a database of its own, for the tests of one `describe`. */
import { after, before } from 'node:test';
import { LocalPostgres } from '../../../../../harness/queue/local-postgres.ts';
import type { Store } from '../../../../../harness/queue/store.ts';
import { openStore } from './tiny.ts';

/**
 * Opens it before the first test and closes it behind the last, when `over` is aborted. Called inside of a `describe`: at
 * the top of a file the database would start even if none of its tests is to run, and nobody would stop it.
 */
export function useLocalStore(
  over: AbortController,
  { supervise }: { supervise: boolean },
  opened: (store: Store, url: string) => void,
): void {
  let postgres: LocalPostgres;
  let store: Store;
  before(async () => {
    postgres = await LocalPostgres.start();
    store = await openStore(postgres.url, over.signal, { supervise });
    opened(store, postgres.url);
  });
  after(async () => {
    over.abort(new Error('the tests are over'));
    await store.close();
    await postgres.stop();
  });
}
