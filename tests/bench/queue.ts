/**
 * `npm run bench:queue`: 1000 tiny trials through a planner, the queue and two workers, and what one of 100 MB takes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nowMs } from '../../core/clock.ts';
import { LocalPostgres } from '../../harness/queue/local-postgres.ts';
import { PlannerKey } from '../../harness/queue/planner-key.ts';
import { pack, unpack } from '../../harness/queue/parcel.ts';
import { createFolder } from '../unit/harness/support/run-folder.ts';
import { writeLargeRecord } from '../unit/harness/queue/support/large-record.ts';
import { openStore, runOverQueue, tinyPlan } from '../unit/harness/queue/support/tiny.ts';

const trials = 1000;
const mostMs = 60_000;
const over = new AbortController();
const parent = mkdtempSync(join(tmpdir(), 'coexist-bench-'));
const postgres = await LocalPostgres.start();
const store = await openStore(postgres.url, over.signal, { supervise: true });
const key = PlannerKey.temporary();
const program = fileURLToPath(new URL('../unit/harness/queue/support/tiny-worker.ts', import.meta.url));
const workers = ['a', 'b'].map(machine =>
  fork(program, [postgres.url, key.name, machine, '0', parent], { execArgv: process.execArgv }),
);
try {
  const plan = tinyPlan(trials / 10, 10);
  const folder = createFolder(parent, 'bench', plan);
  const startMs = nowMs();
  await runOverQueue({ store, key, run: 'bench', plan, folder, signal: over.signal });
  const tookMs = nowMs() - startMs;
  process.stdout.write(
    `${folder.trialNames().length} trials in ${(tookMs / 1000).toFixed(1)} s (at most ${mostMs / 1000} s), ${(tookMs / trials).toFixed(1)} ms each\n`,
  );
  if (tookMs > mostMs || folder.trialNames().length !== trials) process.exitCode = 3;

  const [from, to] = [join(parent, 'from'), join(parent, 'to')];
  const bytes = writeLargeRecord(from);
  await store.rows('create table coexist.bench (k int primary key, bytes bytea)');
  const packMs = nowMs();
  let sent = 0;
  const parcel = await pack(from, async (k, piece) => {
    sent += piece.length;
    await store.rows('insert into coexist.bench values ($1, $2)', [k, piece]);
  });
  const unpackMs = nowMs();
  await unpack(
    parcel,
    to,
    async k => (await store.rows<{ bytes: Buffer }>('select bytes from coexist.bench where k = $1', [k]))[0]?.bytes,
  );
  process.stdout.write(
    `a record of ${(bytes / 1e6).toFixed(0)} MB (${(sent / 1e6).toFixed(0)} MB on the way): ${((unpackMs - packMs) / 1000).toFixed(2)} s in, ${((nowMs() - unpackMs) / 1000).toFixed(2)} s out\n`,
  );
} finally {
  over.abort(new Error('done'));
  for (const worker of workers) {
    worker.disconnect();
    await once(worker, 'exit');
  }
  await store.close();
  await postgres.stop();
  rmSync(parent, { recursive: true, force: true });
}
