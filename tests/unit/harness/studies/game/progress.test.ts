import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GamePrinter } from '../../../../../harness/studies/game/progress.ts';
import type { Planned } from '../../../../../harness/studies/planner/planner.ts';
import type { LiveTrial } from '../../../../../harness/trial/live-trial.ts';
import { describeAnswer } from '../../../../../reports/game/others.ts';

const answer = {
  kind: 'undecided',
  states: [],
  cycles: [],
  walks: [],
  trialsNeeded: null,
  untold: 0,
  open: [],
  scope: 'search',
} as const;
const say = (more: object, trials = 12) =>
  describeAnswer({ title: 'limit 2bdp', answer: { ...answer, ...more } as never, trials });

test('an equilibrium is named, with what is open beside it', () => {
  assert.equal(
    say({ kind: 'equilibrium', states: ['2bbr'], open: ['2cubic'] }),
    'limit 2bdp: equilibrium 2bbr; one other state is still open and may be an equilibrium, too (12 trials)',
  );
});

test('what is undecided is named where it is little, else counted', () => {
  assert.equal(say({}, 1), 'limit 2bdp: undecided (1 trial)');
  assert.equal(
    say({ states: ['2bbr', '1bbr-1cubic'], trialsNeeded: 30 }),
    'limit 2bdp: undecided at 2bbr or 1bbr-1cubic: about 30 trials of a state would decide it (12 trials)',
  );
  assert.equal(
    say({ states: ['2bbr'], trialsNeeded: 30, untold: 2 }),
    'limit 2bdp: undecided at 2bbr: about 30 trials of a state would decide it, except 2 open switches without an estimate (12 trials)',
  );
  assert.equal(
    say({ states: Array.from({ length: 21 }, (_, k) => `s${k}`) }),
    'limit 2bdp: undecided at s0 or s1 or s2 and 18 more states (12 trials)',
  );
});

test('a cycle is told with the step that closes it, and with what is open', () => {
  assert.equal(
    say({ kind: 'cycle', states: ['2a', '2b'], cycles: [['2a', '2b']], open: ['1a-1b'] }),
    'limit 2bdp: no equilibrium on the path, best responses form a cycle: 2a \u2192 2b \u2192 2a; ' +
      'one other state is still open and may be an equilibrium (12 trials)',
  );
  assert.match(
    say({
      kind: 'cycle',
      cycles: [
        ['2a', '2b'],
        ['3a', '3b'],
      ],
    }),
    /form 2 cycles: 2a .* 2a; 3a .* 3a \(/,
  );
});

test('a game that is not complete says so', () => {
  assert.equal(describeAnswer({ title: '', answer: null, trials: 3 }), 'not complete (3 trials)');
});

test('where it is no terminal, the first line comes while a trial warms up, as for pairs', () => {
  let text = '';
  const out = { isTTY: false, write: (part: string) => (text += part) } as unknown as NodeJS.WriteStream;
  const printer = new GamePrinter(out);
  const planned = { trial: { id: '2a-001' }, times: { windowMs: 40_000 } } as Planned;
  printer.onTrialStart(planned, 2);
  for (let elapsedMs = -2000; elapsedMs <= 14_000; elapsedMs += 1000)
    printer.onLive(planned, { elapsedMs, byApplication: [{ goodputBps: 3e6 }, null] } as unknown as LiveTrial);
  assert.deepEqual(text.split('\n'), [
    '2a-001, try 2  (0 trials so far, 0 of 0 games open)',
    '2a-001  warming up, 3 Mbit/s and 0 bit/s',
    '2a-001  13 of 40 s, 3 Mbit/s and 0 bit/s',
    '',
  ]);
});
