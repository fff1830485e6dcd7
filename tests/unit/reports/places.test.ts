/** Tests that each state of a game has a separate place in the diagram. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allStates } from '../../../harness/studies/game/analysis/game.ts';
import { layoutOf } from '../../../reports/game/places.ts';

const gameOf = (players: readonly number[], strategies: number, states = 0) =>
  ({
    states: Array.from({ length: states }),
    groups: players.map((own, g) => ({ name: `group ${g}`, players: own })),
    strategies: Array.from({ length: strategies }, (_, k) => ({ name: `s${k}`, title: `strategy ${k}` })),
  }) as unknown as Parameters<typeof layoutOf>[0];

for (const [players, strategies] of [
  ...[2, 3, 4, 5, 6, 7].flatMap(strategies => [2, 3, 4].map(own => [[own], strategies] as const)),
  [[6], 3],
  [[6], 4],
  [[1, 1], 2],
  [[4, 4], 2],
  [[2, 2, 2], 2],
  [[4, 4, 4], 2],
] as [number[], number][])
  test(`${players.join(' and ')} players with ${strategies} strategies`, () => {
    const game = gameOf(players, strategies);
    const { placeOf, unitPx, ranges } = layoutOf(game)!;
    const places = allStates(game as never).map(state => placeOf(state.map(counts => [...counts])));
    for (const [k, a] of places.entries())
      for (const b of places.slice(k + 1))
        assert.ok(Math.hypot(a.x - b.x, a.y - b.y) * unitPx > 2, `${JSON.stringify(a)} and ${JSON.stringify(b)}`);
    for (const [of, range] of Object.entries(ranges ?? {}))
      for (const place of places) {
        const value = place[of as 'x' | 'y'];
        assert.ok(value >= range[0] - 1e-9 && value <= range[1] + 1e-9, `${of} of ${JSON.stringify(place)}`);
      }
  });

test('what two dimensions cannot hold has no layout', () => {
  assert.equal(layoutOf(gameOf([2, 2], 3)), undefined);
  assert.equal(layoutOf(gameOf([2, 2, 2, 2], 2)), undefined);
  assert.equal(layoutOf(gameOf([6], 3, 251)), undefined);
  assert.equal(layoutOf(gameOf([1], 14)), undefined);
});
