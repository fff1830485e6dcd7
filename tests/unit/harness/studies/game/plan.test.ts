import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { GameDefinition } from '../../../../../harness/studies/game/define.ts';
import { plugin } from '../../../../../harness/studies/game/index.ts';
import { gameNames, loadGame } from '../../../../../harness/studies/game/load.ts';
import { namedFiles } from '../../../../../harness/trial/named-files.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { gamePlan, registries, twoFlows } from './support.ts';

test('a buffer in BDP counts the shortest round-trip time of the players', () => {
  const [game] = gamePlan(twoFlows).cases;
  assert.deepEqual(game!.link.queue, { unit: 'bytes', value: 200_000 });
  assert.equal(game!.bufferBdp, 2);
  assert.equal(game!.fairShareBps, 10e6);
  assert.equal(game!.tolerance, 0.5e6);
});

test('those beside the players have no part in the buffer', () => {
  const beside = { call: { service: { id: 'live-clip' }, link: { rtt: '4ms' } } } as const;
  const [game] = gamePlan({ ...twoFlows, beside }).cases;
  assert.deepEqual([game!.link.queue.value, game!.bufferBdp], [200_000, 2]);
});

test('what varies makes games of their own', () => {
  const { cases } = gamePlan({
    ...twoFlows,
    vary: { 'link.queue.limit': ['1bdp', '4bdp'], 'strategies.bbr.service.congestionControl': ['bbr', 'cubic'] },
  });
  assert.equal(cases.length, 4);
  assert.equal(cases[0]!.id, 'limit-1bdp-congestioncontrol-bbr');
});

test('a strategy that games give other parameters is called by its name', () => {
  const { strategies } = gamePlan({
    ...twoFlows,
    strategies: { cubic: twoFlows.strategies['cubic']!, bbr: { service: { id: 'iperf', congestionControl: 'bbr' } } },
    vary: { 'strategies.bbr.service.congestionControl': ['bbr', 'reno'] },
  });
  assert.deepEqual(strategies, [
    { name: 'cubic', title: 'CUBIC' },
    { name: 'bbr', title: 'bbr' },
  ]);
});

test('strategies with one title are called by their names', () => {
  const cubic = (flows: number) => ({ service: { id: 'iperf', congestionControl: 'cubic', flows } });
  const { strategies } = gamePlan({ ...twoFlows, strategies: { one: cubic(1), four: cubic(4) } });
  assert.deepEqual(
    strategies.map(({ title }) => title),
    ['one', 'four'],
  );
});

const change = (over: Partial<GameDefinition>): GameDefinition => ({ ...twoFlows, ...over });
const refused: [string, GameDefinition, RegExp][] = [
  [
    'a group of 0',
    change({ groups: { near: { players: 0 } } }),
    /groups\.near\.players: 0 is out of range; it must be at least 1/,
  ],
  ['nobody', change({ groups: {} }), /groups: there is no group of players/],
  [
    'one strategy',
    change({ strategies: { cubic: twoFlows.strategies['cubic']! } }),
    /strategies: a game needs two or more, and there is one$/,
  ],
  [
    'a service that there is not',
    change({ strategies: { ...twoFlows.strategies, bbr: { service: { id: 'iperff' } } } }),
    /there is no service named "iperff"; did you mean "iperf"\?/,
  ],
  [
    'a service with several clients',
    change({ strategies: { ...twoFlows.strategies, bbr: { service: { id: 'download', clients: 3 } } } }),
    /^near-bbr-1: its service has 3 clients, and a game gives each one$/,
  ],
  [
    'a payoff that there is not',
    change({ payoff: 'godput' }),
    /payoff: "godput" cannot be a payoff, which is a metric of one application of which more or less is better; did you mean "goodput"\?/,
  ],
  ['a payoff of the link', change({ payoff: 'link-utilisation' }), /payoff: "link-utilisation" cannot be a payoff/],
  [
    'a payoff that transfers lack',
    change({ payoff: 'stall-time', atLeast: '1s' }),
    /payoff: strategy cubic is a transfer, which has no "stall-time"/,
  ],
  ['a tolerance without its unit', change({ atLeast: 3 }), /atLeast: 3 is no bound for goodput/],
  [
    'more states than trials',
    change({ exhaustive: true, run: { trials: 8 } }),
    /4 states with at least 3 trials each are more than run\.trials allows \(8\)/,
  ],
  [
    'players who are not placed',
    change({ states: [{ near: { cubic: 1 } }] }),
    /states: a state places 0 players in group far, which has 1/,
  ],
  [
    'a buffer in BDP without a delay',
    change({ groups: { near: { players: 1 }, far: { players: 1 } } }),
    /a limit in BDP needs players with a delay/,
  ],
  [
    'a strategy named like a number',
    change({ strategies: { ...twoFlows.strategies, '3bbr': null } }),
    /strategies\.3bbr: this name must be small letters and digits, each part/,
  ],
  [
    'a setting of the study that varies',
    change({ vary: { 'run.window': ['20s', '60s'] } }),
    /vary: run\.window is one for/,
  ],
  [
    'starts before the others end to start',
    change({ run: { spread: '5s', leaveOut: '4s' } }),
    /run\.spread: must be at most leaveOut/,
  ],
  ['a search with two trials', change({ run: { most: 2 } }), /run\.most: a search decides nothing with 2 trials/],
  ['too few trials for a certificate', change({ run: { trials: 8 } }), /a state and its 2 neighbours with at least 3 /],
  ['a tolerance below 0', change({ atLeast: '-5%' }), /atLeast: -5% is below 0/],
  ['no states', change({ states: [] }), /states: /],
  ['states, and all of them', change({ exhaustive: true, states: [{}] }), /states: must be left out where exhaustive/],
  [
    'a state that is there twice',
    change({
      states: [
        { near: { cubic: 1 }, far: { bbr: 1 } },
        { far: { bbr: 1 }, near: { cubic: 1 } },
      ],
    }),
    /states: 1cubic_1bbr is there twice/,
  ],
  [
    'values that make one name',
    change({ vary: { 'strategies.bbr.service.flows': [1, 1] } }),
    /vary: two games would both be called "flows-1"/,
  ],
  [
    'a window that cuts a cycle of BBRv1',
    change({ run: { window: '25s' } }),
    /run\.window: must be a multiple of 10 s/,
  ],
  ['an unknown key', change({ grups: {} } as never), /unknown key "grups"; did you mean "groups"\?/],
];

for (const [what, definition, message] of refused) {
  test(`refused in one line: ${what}`, () => {
    assert.throws(
      () => gamePlan(definition),
      (error: Error & { code: string }) =>
        message.test(error.message) && !error.message.includes('\n') && error.code === 'bad-definition',
    );
  });
}

test('every shipped game makes a plan, and what the paper says is of games that there are', async () => {
  const names = await gameNames();
  assert.ok(names.includes('nash-two'));
  for (const name of names) {
    const { definition } = await loadGame(name);
    const { cases, reference } = gamePlan(definition);
    assert.ok(cases.length > 0);
    for (const id of Object.keys(reference?.games ?? {}))
      assert.ok(
        cases.some(game => game.id === id),
        `${name}: ${id}`,
      );
  }
});

test('its files are those that any of its players or what is beside them may use', () => {
  const folder = temporaryFolder();
  const [trace, clip] = [join(folder, 'cell.trace'), join(folder, 'mine.mp4')];
  writeFileSync(trace, '0\n10\n20\n');
  writeFileSync(clip, '');
  const definition: GameDefinition = {
    ...twoFlows,
    link: { rate: '20mbit', trace, queue: { limit: '100packets' } },
    payoff: 'goodput',
    run: { ...twoFlows.run, trials: 40 },
    beside: { call: { service: { id: 'live-clip', clip } } },
  };
  const conditions = plugin.conditions(gamePlan(definition), registries);
  assert.deepEqual(namedFiles(conditions, registries.services).sort(), [clip, trace].sort());
});
