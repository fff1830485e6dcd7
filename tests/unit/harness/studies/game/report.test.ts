import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { neverBegun } from '../../../../../harness/record/never-begun.ts';
import { RunFolder } from '../../../../../harness/record/run-folder.ts';
import { loadGame } from '../../../../../harness/studies/game/load.ts';
import type { GamePlan } from '../../../../../harness/studies/game/plan.ts';
import { conditionOfState } from '../../../../../harness/studies/game/players.ts';
import { finishGameAgain } from '../../../../../harness/studies/game/report.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { versions } from '../../support/run-folder.ts';
import { fileOf, gamePlan, registries, twoFlows } from './support.ts';

const folder = temporaryFolder();

/** Creates a run with one trial, in which iperf3 reported nothing. */
function made(name: string, plan: GamePlan): RunFolder<GamePlan> {
  const study = RunFolder.create<GamePlan>(join(folder, name), { plan, versions, createdMs: 0 });
  const [game] = plan.cases;
  const id = '1cubic_1bbr';
  const state = [
    [1, 0],
    [0, 1],
  ];
  const one = { definition: game!.definition, game: game!, run: plan.run };
  const condition = conditionOfState(one, state, { round: 1, id, title: id }, registries);
  const file = fileOf({ trial: { number: 1, id: `${id}-001`, condition: id, repeat: 1, seed: 1 }, condition });
  file.applications = condition.applications.map(({ name: own }) =>
    neverBegun(own, { server: '10.0.0.1', client: '10.0.0.2' }),
  );
  study.commit(study.begin(file.trial.id), file);
  study.release();
  return study;
}

test('the report of a folder is made again', async () => {
  const study = made('whole', gamePlan(twoFlows));
  assert.equal((await finishGameAgain(study.path)).summary.games[0]!.withoutPayoff, 1);
});

test('a plan of which no report can be made is refused by what is odd', async () => {
  const study = made('foreign-plan', gamePlan({ ...twoFlows, exhaustive: true }));
  const kept = JSON.parse(readFileSync(study.file('plan.json'), 'utf8')) as { plan: GamePlan };
  const { plan: own } = kept;
  const [game] = own.cases;
  const withGame = (change: object) => ({ cases: [{ ...game, ...change }] });
  const crowd = Array.from({ length: 60 }, (_, k) => ({ name: `g${k}`, players: 64 }));
  for (const [change, message] of [
    [{ cases: null }, /: plan: cases: null is not a list/],
    [{ run: { ...own.run, windowMs: 1e15 } }, /: plan: run\.windowMs: /],
    [{ run: { ...own.run, most: 1e9 } }, /: plan: run\.most: /],
    [{ confidence: 1 }, /: plan: confidence: /],
    [{ payoff: null }, /: plan: payoff: null is not an object/],
    [withGame({ link: { ...game!.link, queue: null } }), /: plan: cases\.0\.link\.queue: null is not an object/],
    [withGame({ definition: { ...game!.definition, strategies: {} } }), /: its definition has no strategy "cubic"/],
    [withGame({ strategies: ['cubic', 'cubic'] }), /: plan: cases\.0: it has a strategy twice/],
    [withGame({ only: [[[2, 0]]] }), /: plan: cases\.0: it asks for a state that it does not have/],
    [withGame({ groups: crowd }), /: plan: the game "" has more states than run\.trials/],
    [{ strategies: [] }, /: plan: the game "" has the strategy "cubic", which is none of the plan/],
  ] as const) {
    writeFileSync(study.file('plan.json'), JSON.stringify({ ...kept, plan: { ...own, ...change } }));
    await assert.rejects(finishGameAgain(study.path), error => {
      const { code, message: said } = error as { code?: unknown; message: string };
      assert.equal(code, 'bad-run-folder', (error as Error).stack);
      assert.ok(said.startsWith(study.file('plan.json')) && !said.includes('\n'), said);
      assert.match(said, message);
      return true;
    });
  }
});

test('a trial that lies in two folders is refused by name, and a summary that is none', async () => {
  const study = made('foreign-trials', gamePlan(twoFlows));
  cpSync(study.trialFolder('1cubic_1bbr-001'), study.trialFolder('1cubic_1bbr-002'), { recursive: true });
  await assert.rejects(finishGameAgain(study.path), {
    code: 'bad-run-folder',
    message: /1cubic_1bbr-002 is a trial that exists twice: repeat 1 of "1cubic_1bbr"$/,
  });
  writeFileSync(study.file('summary.json'), '{"games":[{"id":""}]}');
  await assert.rejects(finishGameAgain(study.path), {
    code: 'bad-run-folder',
    message: /summary\.json: games\.0\.givenUp is missing/,
  });
});

test('a game has no more strategies than its report can have', async () => {
  const { definition } = await loadGame('nash-two');
  const strategies = Object.fromEntries(
    Array.from({ length: 65 }, (_, k) => [`s${'a'.repeat(k + 1)}`, twoFlows.strategies['bbr']!]),
  );
  assert.throws(() => gamePlan({ ...definition, strategies }), { message: /a game has at most 64 strategies/ });
});
