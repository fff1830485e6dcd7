/** A small game on real flows: killed in its second trial, gone on with, and reported. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { GameSummary } from '../../harness/studies/game/summary.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { inPlace } from '../e2e/support/interrupted.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

const definition = {
  title: 'Two states',
  question: 'Does a game run?',
  source: 'own',
  link: { rate: '20mbit', queue: { limit: '2bdp' } },
  groups: { near: { players: 1, link: { rtt: '20ms' } }, far: { players: 2, link: { rtt: '40ms' } } },
  strategies: {
    cubic: { service: { id: 'iperf', congestionControl: 'cubic' } },
    reno: { service: { id: 'iperf', congestionControl: 'reno' } },
  },
  states: [
    { near: { cubic: 1 }, far: { cubic: 1, reno: 1 } },
    { near: { cubic: 1 }, far: { reno: 2 } },
  ],
  // a busy machine voids trials, which are run again until it is quieter
  run: { window: '5s', leaveOut: '3s', most: 1, retries: 6, preflight: false },
};

describe('a game', { skip: cannotRun }, () => {
  test('is killed in its second trial and gone on with: no trial is lost, and payoffs fill the link', context =>
    inPlace(async place => {
      const file = `${place.out}.json`;
      writeFileSync(file, JSON.stringify(definition));
      const session = place.start(['game', file, '--out', place.out]);
      await session.printed(/1cubic_2reno-001 {2}\(\d trials? so far/, 120_000);
      session.process.kill('SIGKILL');
      await session.finish(5000);
      const trials = () =>
        readdirSync(join(place.out, 'trials'))
          .filter(name => /^[^.]*$/.test(name))
          .sort();
      const first = disturbedBy(place.out, ['1cubic_1cubic-1reno-001']);
      if (first !== undefined) return context.skip(first);
      assert.deepEqual(trials(), ['1cubic_1cubic-1reno-001']);
      const before = readFileSync(join(place.out, 'trials', trials()[0]!, 'trial.json'), 'utf8');
      const kept = JSON.parse(readFileSync(join(place.out, 'plan.json'), 'utf8')) as { versions: { kernel: string } };
      writeFileSync(
        join(place.out, 'plan.json'),
        JSON.stringify({ ...kept, versions: { ...kept.versions, kernel: '5.4.0' } }),
      );
      const refused = await place.run(['game', '--resume', place.out]);
      assert.equal(refused.status, 1, refused.stdout + refused.stderr);
      assert.match(refused.stderr, /have changed since the study began: kernel: \S+, was 5\.4\.0/);
      const resumed = await place.run(['game', '--resume', place.out, '--despite-changes']);
      assert.match(resumed.stderr, /changed since the study began: kernel: \S+, was 5\.4\.0/);
      assert.match(resumed.stdout, /1 trial is already done/);
      const disturbed = disturbedBy(place.out, ['1cubic_2reno-001']);
      if (disturbed !== undefined) return context.skip(disturbed);
      assert.equal(resumed.status, 0, resumed.stdout + resumed.stderr);
      assert.deepEqual(trials(), ['1cubic_1cubic-1reno-001', '1cubic_2reno-001']);
      assert.equal(readFileSync(join(place.out, 'trials', trials()[0]!, 'trial.json'), 'utf8'), before);
      assert.ok(existsSync(join(place.out, 'report.html')));
      const {
        games: [game],
      } = JSON.parse(readFileSync(join(place.out, 'summary.json'), 'utf8')) as GameSummary;
      assert.equal(game!.answer!.kind, 'measured');
      for (const { id, total, link } of game!.states) {
        assert.ok(total! > 12e6 && total! < 20e6, `${id}: ${total} bit/s together`);
        assert.ok(link['link-utilisation']! > 0.7, `${id}: ${link['link-utilisation']}`);
      }
      const again = await place.run(['report', place.out]);
      assert.equal(again.status, 0, again.stderr);
    }));
});
