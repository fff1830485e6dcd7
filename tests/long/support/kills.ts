/** What is killed of a queue, in an order of chance. */
import type { Random } from '../../../core/random.ts';
import type { Store } from '../../../harness/queue/store.ts';

/** Each of them as often as it says. */
export function inRandomOrder(times: Record<string, number>, random: Random): string[] {
  return Object.entries(times)
    .flatMap(([what, count]) => Array<string>(count).fill(what))
    .map(what => ({ what, at: random.next() }))
    .sort((x, y) => x.at - y.at)
    .map(({ what }) => what);
}

/** Ends one connection to the database, whoever has it. */
export async function cutConnection(store: Store): Promise<void> {
  await store.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
       where pid <> pg_backend_pid() and backend_type = 'client backend' order by random() limit 1`,
  );
}
