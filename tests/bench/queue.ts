/**
 * `npm run bench:queue`: 1000 tiny trials through a planner, the queue and two workers, and what a record of 100 MB
 * takes.
 *
 * The record may take 1 s more than its 100 MB would take on a link of 1 Gbit/s, once and as they are: 0.8 s. What it
 * takes is reckoned as the sum of three parts, as if none of them went on beside another:
 *
 *   in    the worker reads, hashes and compresses it, and the database takes it, over a socket of this machine
 *   out   the planner reads it from the database, unpacks, hashes and writes it
 *   link  its compressed bytes twice at 1 Gbit/s: from the worker to the database, and from there to the planner
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nowMs } from '../../core/system/clock.ts';
import { LocalPostgres } from '../../harness/queue/local-postgres.ts';
import { PlannerKey } from '../../harness/queue/planner-key.ts';
import { pack, unpack } from '../../harness/queue/record-transfer.ts';
import { writeLargeRecord } from '../unit/harness/queue/support/large-record.ts';
import { openStore, runOverQueue, tinyPlan } from '../unit/harness/queue/support/tiny.ts';
import { createFolder } from '../unit/harness/support/run-folder.ts';
import { gaveHelp } from './support/bench.ts';

if (gaveHelp()) process.exit();

const trials = 1000;
const mostMs = 60_000;
/** Of a record beyond its transfer, s. */
const mostBeyondS = 1;
const linkBps = 1e9;
/** Times that a record is sent; the median counts. */
const records = 5;
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
    `${folder.trialNames().length} trials in ${(tookMs / 1000).toFixed(1)} s (at most ${mostMs / 1000} s), ` +
      `${(tookMs / trials).toFixed(1)} ms each\n`,
  );
  if (tookMs > mostMs || folder.trialNames().length !== trials) process.exitCode = 3;

  const from = join(parent, 'from');
  const bytes = writeLargeRecord(from);
  await store.rows('create table coexist.bench (k int primary key, bytes bytea)');
  const seconds = (ms: number) => (ms / 1000).toFixed(2);
  const overLinkMs = (size: number) => (size * 8 * 1000) / linkBps;
  const taken: { allMs: number; said: string }[] = [];
  for (let record = 1; record <= records; record++) {
    const to = join(parent, `to-${record}`);
    const packMs = nowMs();
    let sent = 0;
    const manifest = await pack(from, async (k, piece) => {
      sent += piece.length;
      await store.rows('insert into coexist.bench values ($1, $2)', [k, piece]);
    });
    const unpackMs = nowMs();
    await unpack(
      manifest,
      to,
      async k => (await store.rows<{ bytes: Buffer }>('select bytes from coexist.bench where k = $1', [k]))[0]?.bytes,
    );
    const [inMs, outMs, linkMs] = [unpackMs - packMs, nowMs() - unpackMs, 2 * overLinkMs(sent)];
    taken.push({
      allMs: inMs + outMs + linkMs,
      said: `${seconds(inMs)} s in, ${seconds(outMs)} s out, ${seconds(linkMs)} s on the link (${(sent / 1e6).toFixed(0)} MB, twice)`,
    });
    rmSync(to, { recursive: true, force: true });
    await store.rows('delete from coexist.bench');
  }
  const { allMs, said } = taken.sort((a, b) => a.allMs - b.allMs)[Math.floor(records / 2)]!;
  const mostRecordMs = overLinkMs(bytes) + mostBeyondS * 1000;
  process.stdout.write(
    `a record of ${(bytes / 1e6).toFixed(0)} MB: ${seconds(allMs)} s (at most ${seconds(mostRecordMs)} s): ${said}; median of ${records}\n`,
  );
  if (allMs > mostRecordMs) process.exitCode = 3;
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
