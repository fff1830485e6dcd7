import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRuns } from '../../../../../harness/analysis/compare/compare-runs.ts';
import { requireSound } from '../../../../../harness/analysis/gate/gate.ts';
import type { GameDefinition } from '../../../../../harness/studies/game/define.ts';
import type { GameTrial } from '../../../../../harness/studies/game/measure.ts';
import { comparedGame, gameGated, gameQuantities, gameResults } from '../../../../../harness/studies/game/results.ts';
import { summariseGame } from '../../../../../harness/studies/game/summarise.ts';
import { refuseMissed } from '../../../../../harness/studies/missed.ts';
import { plugin as report } from '../../../../../reports/game/index.ts';
import { versions } from '../../support/run-folder.ts';
import { fileOf, gamePlan, quantities } from './support.ts';

const goodput = { metric: 'goodput', condition: '2bbr' };
const definition: GameDefinition = {
  title: 'Two flows',
  question: 'Who?',
  source: 'own',
  link: { rate: '20mbit', queue: { limit: '2bdp' }, rtt: '40ms' },
  groups: { all: { players: 2 } },
  strategies: {
    cubic: { title: 'CUBIC', service: { id: 'iperf', congestionControl: 'cubic' } },
    bbr: { title: 'BBRv1', service: { id: 'iperf', congestionControl: 'bbr' } },
  },
  require: [
    { metric: 'goodput', of: 'all-bbr', atLeast: '9mbit' },
    { metric: 'goodput', of: 'all-cubic', condition: '2cubic', atLeast: '1mbit' },
  ],
  claims: [
    {
      text: 'BBR takes from CUBIC.',
      holds: [{ metric: 'goodput', of: 'all-bbr', condition: '1cubic-1bbr', than: '2bbr', expects: 'higher' }],
    },
  ],
  run: { most: 20 },
};
const plan = gamePlan(definition);
const own = gameQuantities(plan, quantities);

/** Trials of two states: two BBR flows, of about `bbrBps` each, and one beside CUBIC. */
const trialsOf = (bbrBps: number): GameTrial[] =>
  Array.from({ length: 10 }, (_, k) => k + 1).flatMap(round =>
    (
      [
        ['2bbr', [null, bbrBps + round * 1e4]],
        ['1cubic-1bbr', [4e6, 15e6 + round * 1e4]],
      ] as const
    ).map(([condition, payoffs]): GameTrial => {
      const id = `${condition}-${String(round).padStart(3, '0')}`;
      const trial = { number: round, id, condition, repeat: round, seed: 1 };
      const link = { 'link-utilisation': 0.9, 'rtt-median': 50, 'queue-drops': 3 };
      const file = fileOf({ trial, condition: { applications: [] } as never });
      return { name: id, file, measured: { payoffs: [[...payoffs]], shorter: [], link, beside: {} } };
    }),
  );
const resultsOf = (bbrBps: number) => gameResults(plan, own, trialsOf(bbrBps));
const results = resultsOf(8e6);
const summary = summariseGame(plan, trialsOf(8e6), new Map(), results);

test('thresholds are of the players of a strategy: in every state with trials, or in the state that they name', () => {
  assert.deepEqual(
    summary.thresholds.map(({ condition, of, kept, note }) => [condition, of, kept, note]),
    [
      ['2bbr', 'all-bbr', false, null],
      ['1cubic-1bbr', 'all-bbr', true, null],
      ['2cubic', 'all-cubic', false, 'no trial that counts has a value'],
    ],
  );
  assert.throws(() => refuseMissed({ summary, reportPath: 'r.html' }), { code: 'thresholds-missed', exitStatus: 4 });
});

test('each missed threshold is a line, and each claim has its verdict', async () => {
  const judged = { ...results, ...summary, parties: [] };
  const { page, lines } = await report.render({ plan, versions, createdMs: 0, summary, changes: [], judged });
  assert.match(lines.join('\n'), /^confirmed: BBR takes from CUBIC\. \(1 of 1 comparison holds\)$/m);
  assert.match(
    lines.join('\n'),
    /^missed: Goodput \(all-bbr\) of 2bbr: 8\.05 Mbit\/s \[[^\]]*\], n = 10, must be at least 9\.00 Mbit\/s$/m,
  );
  assert.match(page, /<section id="thresholds">/);
});

test('two runs are compared: the states that both have, and the values that changed', () => {
  const run = (name: string, bbrBps: number) => ({
    ...comparedGame(plan, resultsOf(bbrBps)),
    name,
    versions,
    createdMs: 0,
  });
  const { conditions } = compareRuns(run('a', 8e6), run('b', 9e6));
  assert.deepEqual(
    conditions.map(({ id, trials }) => [id, trials]),
    [
      ['2bbr', { a: 10, b: 10 }],
      ['1cubic-1bbr', { a: 10, b: 10 }],
    ],
  );
  const [bbr] = conditions[0]!.rows.filter(({ quantity, of }) => quantity.id === 'goodput' && of === 'all-bbr');
  assert.ok(bbr!.isHeadline && bbr!.correctedP! < 0.05 && Math.abs(bbr!.shift.value! - 1e6) < 1);
});

test('a name that no state or strategy has is refused before the first trial', () => {
  const refused = (require: GameDefinition['require'], message: RegExp) => {
    const wrong = gamePlan({ ...definition, require: require!, claims: [] });
    assert.throws(() => requireSound(gameGated(wrong, own)), { code: 'bad-definition', message });
  };
  refused([{ ...goodput, atLeast: '1mbit' }], /goodput is of an application; name it by "of"$/);
  refused([{ ...goodput, of: 'bbr', atLeast: '1mbit' }], /there is no application "bbr"/);
  refused([{ ...goodput, of: 'all-bbr', condition: '3bbr', atLeast: '1mbit' }], /there is no condition "3bbr"/);
});
