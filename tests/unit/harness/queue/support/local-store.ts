/** Opens a store with a separate database for the tests of one `describe`. */
import { LocalPostgres } from '../../../../../harness/queue/local-postgres.ts';
import type { Store } from '../../../../../harness/queue/store.ts';
import { sharedStart } from '../../../support/shared-start.ts';
import { openStore } from './tiny.ts';

/** Opens a store before the first test, and closes it after the last test, when `over` is aborted. */
export function useLocalStore(
  over: AbortController,
  { supervise }: { supervise: boolean },
  opened: (store: Store, url: string) => void,
): void {
  let postgres: LocalPostgres | undefined;
  let store: Store | undefined;
  sharedStart(
    async () => {
      postgres = await LocalPostgres.start();
      store = await openStore(postgres.url, over.signal, { supervise });
      opened(store, postgres.url);
    },
    async () => {
      over.abort(new Error('the tests are over'));
      await store?.close();
      await postgres?.stop();
    },
  );
}
