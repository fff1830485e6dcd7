import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import type { GamePlan } from '../../../../../harness/studies/game/plan.ts';
import { SearchPlanner } from '../../../../../harness/studies/game/planner.ts';
import type { Planned } from '../../../../../harness/studies/planner/planner.ts';
import { fileOf, gamePlan, measure, registries, twoFlows } from './support.ts';

const open = (plan: GamePlan, done: TrialFile[] = []) => SearchPlanner.open({ plan, registries, measure }, done);

async function playOut(planner: SearchPlanner, most = 200): Promise<TrialFile[]> {
  const files: TrialFile[] = [];
  for (let planned = planner.next(); planned !== undefined && files.length < most; planned = planner.next()) {
    const file = fileOf(planned);
    files.push(file);
    assert.equal(await planner.take(planned, file), false);
  }
  return files;
}

test('a game is searched to its equilibrium, and nothing is left', async () => {
  const planner = await open(gamePlan(twoFlows));
  const files = await playOut(planner);
  const [{ answer }] = planner.answers() as [ReturnType<SearchPlanner['answers']>[number]];
  assert.equal(answer?.kind, 'equilibrium');
  assert.deepEqual(answer?.states, ['1bbr_1bbr']);
  assert.equal(planner.left, 0);
  assert.equal(new Set(files.map(({ trial }) => trial.id)).size, files.length);
});

test('a study that was killed goes on with the same trials', async () => {
  const plan = gamePlan(twoFlows);
  const whole = (await playOut(await open(plan))).map(({ trial }) => trial.id);
  for (const cut of [0, 1, 5, whole.length - 1]) {
    const before = await playOut(await open(plan), cut);
    const after = await playOut(await open(plan, before.toReversed()));
    assert.deepEqual(
      [...before, ...after].map(({ trial }) => trial.id),
      whole,
    );
  }
});

test('lanes get different trials at once', async () => {
  const planner = await open(gamePlan(twoFlows));
  const given = [planner.next(), planner.next(), planner.next()] as Planned[];
  assert.equal(new Set(given.map(({ trial }) => trial.id)).size, 3);
});

test('lanes run no more trials at once than the game may still have', async () => {
  const planner = await open(gamePlan({ ...twoFlows, run: { trials: 10 } }));
  let given = 0;
  const lanes: Planned[] = [];
  for (;;) {
    while (lanes.length < 4) {
      const planned = planner.next();
      if (planned === undefined) break;
      given++;
      lanes.push(planned);
    }
    const ended = lanes.shift();
    if (ended === undefined) break;
    await planner.take(ended, fileOf(ended));
  }
  assert.equal(given, 10);
});

test('a state whose trials fail is given up, and the search ends with what it can say', async () => {
  const given: string[] = [];
  const planner = await SearchPlanner.open(
    { plan: gamePlan(twoFlows), registries, measure, onGivenUp: condition => given.push(condition) },
    [],
  );
  let tries = 0;
  for (let planned = planner.next(); planned !== undefined && tries < 300; planned = planner.next()) {
    const fails = planned.trial.condition === '1bbr_1bbr';
    await planner.take(planned, fileOf(planned, fails ? 'invalid' : 'valid'));
    tries++;
  }
  assert.deepEqual(given, ['1bbr_1bbr']);
  assert.equal(planner.left, 0);
  assert.notEqual(planner.answers()[0]!.answer?.kind, 'equilibrium');
});

test('a state of which a round fails goes on with the next', async () => {
  const planner = await open(gamePlan(twoFlows));
  let failures = 2;
  const rounds: number[] = [];
  for (let planned = planner.next(); planned !== undefined; planned = planner.next()) {
    const fails = planned.trial.condition === '1bbr_1bbr' && failures > 0;
    if (planned.trial.condition === '1bbr_1bbr') rounds.push(planned.trial.repeat);
    if (fails) failures--;
    await planner.take(planned, fileOf(planned, fails ? 'invalid' : 'valid'));
  }
  assert.deepEqual(planner.answers()[0]!.answer?.states, ['1bbr_1bbr']);
  assert.deepEqual(rounds.slice(0, 5), [1, 1, 2, 3, 4], 'once more, then another start');
});

test('a trial of no state, or one that is there twice, is refused with its name', async () => {
  const plan = gamePlan(twoFlows);
  const [file] = await playOut(await open(plan), 1);
  const changed = { ...file!, trial: { ...file!.trial, id: 'x', condition: 'nothing' } };
  for (const files of [[changed], [file!, file!]])
    await assert.rejects(open(plan, files), {
      code: 'bad-run-folder',
      message: /^the trial \S+ does not belong to this game/,
    });
});

test('trials in which a player has no payoff do not count; a state that has only such is given up', async () => {
  const given: string[] = [];
  const lacks = async (file: TrialFile, game: unknown, state: Parameters<typeof measure>[2]) =>
    file.trial.condition === '1bbr_1bbr'
      ? [
          [null, 1e6],
          [null, null],
        ]
      : measure(file, game, state);
  const plan = gamePlan(twoFlows);
  const onGivenUp = (condition: string, reason: string) => given.push(`${condition}: ${reason}`);
  const planner = await SearchPlanner.open({ plan, registries, measure: lacks, onGivenUp }, []);
  const files = await playOut(planner);
  const without = files.filter(({ trial }) => trial.condition === '1bbr_1bbr');
  assert.deepEqual(
    without.map(({ trial }) => trial.repeat),
    [1, 2, 3],
  );
  assert.deepEqual(given, ['1bbr_1bbr: in 3 trials a player has no goodput']);
  assert.notEqual(planner.answers()[0]!.answer?.kind, 'equilibrium');
  const again = await SearchPlanner.open({ plan, registries, measure: lacks }, files);
  assert.equal(again.next(), undefined, 'the folder of such a trial is there: it is not run again');
  assert.deepEqual([...again.givenUp], [], 'nothing that --resume could mend');
});

test('a payoff that no player turns out to have ends the study', async () => {
  const planner = await SearchPlanner.open(
    {
      plan: gamePlan(twoFlows),
      registries,
      measure: async (_file, _game, state) => state.map(counts => counts.map(() => null)),
    },
    [],
  );
  for (let k = 1; k < 6; k++) {
    const planned = planner.next()!;
    assert.equal(await planner.take(planned, fileOf(planned)), false);
  }
  const planned = planner.next()!;
  await assert.rejects(planner.take(planned, fileOf(planned)), {
    code: 'bad-definition',
    message: 'payoff: none of the first 6 trials has a goodput for every player',
  });
});

test('players of a group and strategy are one iperf application, those of a browser one each, on hosts of their own', async () => {
  const flows = gamePlan({ ...twoFlows, groups: { all: { players: 4, link: { rtt: '40ms' } } } });
  const planner = await open(flows);
  const planned = [planner.next()!, planner.next()!];
  const mixed = planned.find(({ trial }) => trial.condition === '3cubic-1bbr')!;
  assert.deepEqual(
    mixed.condition.applications.map(({ name }) => name),
    ['all-cubic', 'all-bbr'],
  );
  const [cubic] = mixed.condition.applications;
  const params = cubic!.service.params as { flows: number; stagger: number };
  assert.equal(params.flows, 3);
  assert.ok(Math.abs(params.stagger - 1000 / 3) < 1);
  assert.ok(cubic!.startMs! >= -25_000 && cubic!.startMs! < -24_000);
  assert.equal(new Set(mixed.places).size, 2);

  const calls = gamePlan({
    ...twoFlows,
    groups: { callers: { players: 2, link: { rtt: '40ms' } } },
    payoff: 'g1072-score',
    atLeast: 0.1,
    strategies: {
      gcc: { service: { id: 'live-clip', controller: { id: 'gcc' } } },
      nada: { service: { id: 'live-clip', controller: { id: 'nada' } } },
    },
    beside: { download: { service: { id: 'iperf' }, link: { rtt: '40ms' } } },
  });
  const call = (await open(calls)).next()!;
  assert.deepEqual(
    call.condition.applications.map(({ name }) => name),
    ['callers-gcc-1', 'callers-gcc-2', 'download'],
  );
  assert.equal(new Set(call.places).size, 3);
});
