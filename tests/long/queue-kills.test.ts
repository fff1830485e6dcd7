/**
 * A pairwise cycle of real flows on one planner and two workers, which are killed again and again, and so are their
 * connections to the database: every trial has exactly one result, and nothing is left on the machine.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { seededRandom } from '../../core/random.ts';
import { sleep } from '../../core/system/deadline.ts';
import { LocalPostgres } from '../../harness/queue/local-postgres.ts';
import type { TrialFile } from '../../harness/record/trial-file.ts';
import { cannotRun } from '../e2e/support/run-command.ts';
import { assertNoRows } from '../unit/harness/queue/support/no-rows.ts';
import { openStore } from '../unit/harness/queue/support/tiny.ts';
import { cutConnection, inRandomOrder } from './support/kills.ts';
import { QueueHosts, traces } from './support/queue-hosts.ts';

const kills = { worker: 11, planner: 4, connection: 7 };
const mostMs = 15 * 60e3;
const rounds = 4;
/** Of two services on one link: each alone, each beside itself, and the one beside the other. */
const cells = [
  'iperf-cubic-alone',
  'iperf-reno-alone',
  'iperf-cubic-and-iperf-cubic',
  'iperf-cubic-and-iperf-reno',
  'iperf-reno-and-iperf-reno',
];
/** Two lanes share two cores, so that the machine voids a trial now and then, which is run again. */
const settings = [
  'window=2s',
  'warmUp=1s',
  'coolDown=0s',
  'stopping=fixed',
  `repeats=${rounds}`,
  `soloRepeats=${rounds}`,
  'preflight=false',
  'retries=10',
].flatMap(words => ['--set', `run.${words}`]);
const study = ['pairs', '--services', 'iperf-cubic,iperf-reno', '--link', '8mbit', ...settings];

type HandedIn = { trial: string; attempt: number; machine: string };

/** Every result that the database takes is noted beside it, where nobody removes it. */
const noteResults = `create table handed_in (trial text, attempt int, machine text);
  create function note() returns trigger language plpgsql as $$ begin
    insert into handed_in values (
      new.output->'file'->'trial'->>'id', (new.output->'file'->>'attempt')::int, new.machine);
    return new; end $$;
  create trigger note after insert on coexist.result for each row execute function note()`;

describe('a queue under kills', { skip: cannotRun }, () => {
  const count = Object.values(kills).reduce((sum, of) => sum + of, 0);
  test(`${count} kills of workers, planner and connections: every trial has one result, and nothing is left`, {
    timeout: mostMs,
  }, async context => {
    const seed = Date.now() % 1e6;
    context.diagnostic(`seed ${seed}`);
    const random = seededRandom(seed);
    const over = new AbortController();
    const postgres = await LocalPostgres.start();
    const hosts = new QueueHosts(postgres.url);
    const { place } = hosts;
    const before = { ...(await traces(place.state)), spools: [] };
    const store = await openStore(postgres.url, over.signal);
    try {
      await store.rows(noteResults);
      for (const machine of ['a', 'b']) hosts.work(machine);
      let planner = hosts.plan(...study, '--out', place.out);
      await planner.printed(/workers: a, b|workers: b, a/, 120_000);
      for (const what of inRandomOrder(kills, random)) {
        await sleep(4000 + random.next() * 9000);
        assert.equal(planner.process.exitCode, null, `the study ended before the kills did: ${planner.stderr}`);
        if (what === 'worker') await hosts.killWorker(random.next() < 0.5 ? 'a' : 'b');
        else if (what === 'connection') await cutConnection(store);
        else {
          await hosts.kill(planner);
          planner = hosts.plan('pairs', '--resume', place.out);
        }
      }
      const { status, stdout, stderr } = await planner.finish(mostMs);
      assert.equal(status, 0, stdout + stderr);

      const counted = place.trials().filter(name => !name.includes('.void'));
      const wanted = cells.flatMap(cell => Array.from({ length: rounds }, (_, k) => `8mbit-${cell}-00${k + 1}`)).sort();
      assert.deepEqual(counted, wanted);
      const files = place
        .trials()
        .map(name => JSON.parse(readFileSync(join(place.out, 'trials', name, 'trial.json'), 'utf8')) as TrialFile);
      // one that no worker brought to an end has no result, and was run again
      const ended = files.filter(({ machine }) => machine !== undefined);
      const line = ({ trial, attempt, machine }: HandedIn) => `${trial}, try ${attempt}, on ${machine}`;
      const handedIn = (await store.rows<HandedIn>('select trial, attempt, machine from handed_in')).map(line);
      assert.deepEqual(
        handedIn.sort(),
        ended.map(({ trial: { id: trial }, attempt, machine }) => line({ trial, attempt, machine: machine! })).sort(),
        'each result that the database took is one record, and each record one such result',
      );
      await assertNoRows(store);

      const begun = [...hosts.said.matchAll(/: \S+-00\d, try \d+$/gm)].length;
      context.diagnostic(
        `${wanted.length} trials, ${files.length - wanted.length} void, ${begun - ended.length} begun and lost`,
      );
      for (const stopped of await hosts.stopWorkers()) assert.equal(stopped.status, 130, stopped.stdout);
      assert.deepEqual(await traces(place.state), before, 'nothing is left on the machine');
    } finally {
      over.abort(new Error('the test is over'));
      await hosts.remove();
      await store.close();
      await postgres.stop();
    }
  });
});
