/** Removes a run from the database: its jobs, trials, results and pieces of records. */
import type { Store } from './store.ts';
import { deadQueueOf, queueOf, schema, takeLock } from './tables.ts';

export async function endRun(store: Store, run: string): Promise<void> {
  await store.transaction(async sql => {
    // waits until no worker is taking a job of this run
    await sql.executeSql('select pg_advisory_xact_lock(hashtext($1))', [takeLock(run)]);
    await sql.executeSql(`update ${schema}.run set ended = now() where id = $1`, [run]);
    await sql.executeSql(
      `delete from ${schema}.chunk using ${schema}.trial where chunk.job = trial.job and trial.run = $1`,
      [run],
    );
    for (const table of ['trial', 'round', 'refusal', 'result'])
      await sql.executeSql(`delete from ${schema}.${table} where run = $1`, [run]);
  });
  await store.persist(async () => {
    await store.boss.deleteQueue(queueOf(run));
    await store.boss.deleteQueue(deadQueueOf(run));
  });
}
