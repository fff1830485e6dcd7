/** Checks that a run over a queue has left nothing in its tables. */
import assert from 'node:assert/strict';
import type { Store } from '../../../../../harness/queue/store.ts';

export async function assertNoRows(store: Pick<Store, 'rows'>): Promise<void> {
  for (const table of ['trial', 'result', 'chunk', 'round'])
    assert.deepEqual(await store.rows(`select from coexist.${table}`), [], table);
}
