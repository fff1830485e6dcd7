import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import { within } from '../../../../../core/system/deadline.ts';
import { RunFolder } from '../../../../../harness/record/run-folder.ts';
import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import { MatrixPlanner } from '../../../../../harness/studies/pairs/matrix.ts';
import type { Cell, PairsPlan } from '../../../../../harness/studies/pairs/plan.ts';
import type { Planned } from '../../../../../harness/studies/planner/planner.ts';
import { runStudy } from '../../../../../harness/trial/study.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { versions } from '../../support/run-folder.ts';
import { contestant, plan, trial as trialOf } from './support/study.ts';

const parent = temporaryFolder();
const run = { stopping: 'fixed', repeats: 2, soloRepeats: 1 };
const two = plan([contestant('a'), contestant('b')], { run: { ...run, parallel: 1 } });
const onTwoLanes = (...names: string[]) =>
  plan(
    names.map(name => contestant(name)),
    { run: { ...run, parallel: 2 } },
  );

type Answer = (of: PairsPlan, cell: Cell, planned: Planned, signal: AbortSignal) => Promise<TrialFile>;

const good: Answer = async (of, cell, { trial }) =>
  trialOf(
    of,
    cell.id,
    trial.repeat,
    cell.sides.map(() => 4e6),
  ).file;
const ill = (file: TrialFile, kind: 'host' | 'failure'): TrialFile => ({
  ...file,
  verdict: { status: 'invalid', findings: [{ kind, status: 'invalid', message: `${kind}!` }] },
});
/** A trial that ends only by an interruption. */
const endless: Answer = (...[, , , signal]) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

let folders = 0;
function study(of: PairsPlan, answer: Answer, path = join(parent, String(++folders))) {
  const told: string[] = [];
  const interruption = new AbortController();
  const folder = RunFolder.create<PairsPlan>(path, { plan: of, versions, createdMs: 0 });
  let lanes = 0;
  const run = async () => {
    const planner = new MatrixPlanner(
      of,
      folder.trialNames().map(name => folder.trialFile(name)),
      (cell, reason) => told.push(`gave up ${cell}: ${reason}`),
    );
    await runStudy({
      planner,
      folder,
      registries: null as never,
      headed: false,
      preflight: false,
      signal: interruption.signal,
      lanes: of.run.parallel,
      progress: {
        onTrialStart: ({ trial: { id } }, attempt) => told.push(`${id} ${attempt}`),
        onPreflight: () => {},
        onLive: () => {},
        onTrialEnd: () => {},
      },
      async openLane() {
        const number = ++lanes;
        return {
          async run(planned, attempt, { signal }) {
            const file = {
              ...(await answer(of, of.cells.find(({ id }) => id === planned.trial.condition)!, planned, signal)),
              attempt,
            };
            folder.commit(folder.begin(planned.trial.id), file);
            return file;
          },
          close: async () => {
            told.push(`lane ${number} is closed`);
          },
        };
      },
    });
    return planner.givenUp;
  };
  return {
    told,
    interrupt: () => interruption.abort(new CoexistError('interrupted', 'interrupted')),
    done: () => within(run(), 30_000, 'the study'),
  };
}

const closed = (told: readonly string[]) => told.filter(line => line.endsWith('is closed')).sort();
const begun = (told: readonly string[]) => told.filter(line => /-\d{3} \d$/.test(line));

test('every cell has its trials, those of services alone first; what the folder holds is not run again', async () => {
  const { done, told } = study(two, good);
  assert.equal((await done()).size, 0);
  assert.equal(begun(told).length, 2 + 3 * 2);
  assert.ok(
    begun(told)
      .slice(0, 2)
      .every(line => line.includes('-alone-001')),
    begun(told).join('\n'),
  );
  assert.deepEqual(closed(told), ['lane 1 is closed']);
  const before = told.length;
  await done();
  assert.equal(told.length, before, 'not even a lane is made');
});

test('a service that cannot be made ready is given up with its pairs, and the others go on', async () => {
  const { done, told } = study(two, async (of, cell, ...rest) => {
    if (cell.id === '8mbit-b-alone') throw new CoexistError('service-failed', 'no bytes');
    return good(of, cell, ...rest);
  });
  const givenUp = await done();
  assert.deepEqual([...givenUp.keys()].sort(), ['8mbit-a-and-b', '8mbit-b-alone', '8mbit-b-and-b']);
  assert.equal(givenUp.get('8mbit-b-and-b'), 'b does not run alone: no bytes');
  assert.deepEqual(begun(told).filter(line => line.includes('a-and-a')).length, 2);
});

test('a trial that does not count is run again, a part that fails once, and then its cell is given up', async () => {
  const { done, told } = study(two, async (of, cell, ...rest) => {
    const file = await good(of, cell, ...rest);
    return cell.id === '8mbit-a-and-b' ? ill(file, 'failure') : file;
  });
  assert.deepEqual([...(await done())], [['8mbit-a-and-b', 'failure!']]);
  assert.deepEqual(
    begun(told).filter(line => line.includes('a-and-b')),
    ['8mbit-a-and-b-001 1', '8mbit-a-and-b-001 2'],
  );
});

test("a lane that has nothing to do waits for the other one's trial, which decides what comes next", async () => {
  const running = new Set<string>();
  let most = 0;
  const { done, told } = study(onTwoLanes('a'), async (of, cell, ...rest) => {
    assert.ok(!running.has(cell.id), `${cell.id} runs twice at once`);
    running.add(cell.id);
    most = Math.max(most, running.size);
    await new Promise(resolve => setTimeout(resolve, 5));
    running.delete(cell.id);
    return good(of, cell, ...rest);
  });
  assert.equal((await done()).size, 0);
  assert.deepEqual(begun(told), ['8mbit-a-alone-001 1', '8mbit-a-and-a-001 1', '8mbit-a-and-a-002 1']);
  assert.equal(most, 1);
  assert.deepEqual(closed(told), ['lane 1 is closed', 'lane 2 is closed']);
});

test("what ends one lane ends the study: the other lane's trial is given up, and both are closed", async () => {
  const { done, told } = study(onTwoLanes('a', 'b'), async (of, cell, planned, signal) => {
    if (cell.sides[0] === 'a') throw new CoexistError('disk-full', 'disk full');
    return endless(of, cell, planned, signal);
  });
  await assert.rejects(done(), { code: 'disk-full' });
  assert.deepEqual(closed(told), ['lane 1 is closed', 'lane 2 is closed']);
});

test('an interruption ends lanes that run and lanes that wait', async () => {
  const { done, told, interrupt } = study(onTwoLanes('a'), endless);
  const ended = done();
  setTimeout(interrupt, 20);
  await assert.rejects(ended, { code: 'interrupted' });
  assert.deepEqual(closed(told), ['lane 1 is closed', 'lane 2 is closed']);
});

test('the sides change places from round to round', () => {
  const planner = new MatrixPlanner(plan([contestant('a')], { run: { ...run, soloRepeats: 1 } }), []);
  const places = [];
  for (let next = planner.next(); next !== undefined; next = planner.next()) {
    places.push([next.condition.applications.map(({ title }) => title), next.places]);
    planner.take(
      next,
      trialOf(
        plan([contestant('a')]),
        next.trial.condition,
        next.trial.repeat,
        next.places.map(() => 1e6),
      ).file,
    );
  }
  assert.deepEqual(places, [
    [['A'], [0]],
    [
      ['A', 'A'],
      [0, 1],
    ],
    [
      ['A', 'A'],
      [1, 0],
    ],
  ]);
});
