/** The program coexist-precede, and the race that shows whether its settings work. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { run } from '../../../../core/system/command.ts';
import { levelWords } from '../../../../shaper/precedence/level.ts';
import { describePrecedence } from '../../../../shaper/precedence/means.ts';
import { precedeProgram, precedeWords } from '../../../../shaper/precedence/precede.ts';
import { race } from '../../../../shaper/precedence/race.ts';

const skip = existsSync(precedeProgram) ? false : 'needs the native programs';
const asRoot = skip === false && process.getuid?.() !== 0 ? 'needs root' : skip;
const outcome = (...argv: string[]) => run(argv, { allowFailure: true });

test('nothing to set is no word', () => {
  assert.deepEqual(precedeWords({}, 'precede'), []);
  assert.deepEqual(precedeWords({ nice: -5, session: -20, group: '/g/cgroup.procs' }, 'precede'), [
    'precede',
    ...['--group', '/g/cgroup.procs', '--session', '-20', '--nice', '-5', '--'],
  ]);
});

test('a program has its nice value before it begins', { skip: asRoot }, async () => {
  const { stdout } = await outcome(...precedeWords({ nice: 7 }), 'nice');
  assert.equal(stdout, '7\n');
});

test('what is refused is left as it is; exit status and output are those of the program', { skip }, async () => {
  const words = precedeWords({ group: '/nowhere/cgroup.procs', session: -20 });
  const { status, stdout, stderr } = await outcome(...words, 'sh', '-c', 'echo runs; exit 5');
  assert.deepEqual([status, stdout, stderr], [5, 'runs\n', '']);
  const missing = await outcome(...words, '/nowhere/program');
  assert.deepEqual([missing.status, missing.stderr.includes('/nowhere/program')], [127, true]);
});

test('numbers out of range, and no program, are wrong usage', { skip }, async () => {
  for (const words of [['--nice', '-21'], ['--nice', '5x'], ['--session', ''], ['--other', '1'], []]) {
    const { status, stderr } = await outcome(precedeProgram, ...words, ...(words.length === 0 ? [] : ['--', 'true']));
    assert.deepEqual([status, stderr.startsWith('usage: ')], [1, true], words.join(' '));
  }
});

test('a program of a trial wins a race for a processor, on either side; one that does not run loses no one', {
  skip: asRoot,
}, async t => {
  // a race takes 160 ms, and on a busy machine another program may take most of that time from one of the two
  const shares: (readonly [number | null, number | null])[] = [];
  const isWon = ([first, second]: (typeof shares)[number]) => first! > 0.8 && second! < 0.2;
  while (shares.length < 5 && !shares.some(isWon))
    shares.push([await race(levelWords('part')), await race([], levelWords('part'))]);
  assert.ok(shares.some(isWon), JSON.stringify(shares));
  t.diagnostic(`${shares.length} of at most 5 tries`);
  assert.equal(await race(['/nowhere/program']), null);
});

test('what a machine has is said in words', () => {
  assert.equal(
    describePrecedence({ means: 'group', share: 0.996, obstacle: null }),
    'by a control group with the highest weight: 100 % of a processor that another program wants as well',
  );
  assert.equal(
    describePrecedence({ means: 'nice', share: 0.97, obstacle: '/sys/fs/cgroup does not pass on the controller cpu' }),
    'by nice values: 97 % of a processor that another program wants as well ' +
      '(/sys/fs/cgroup does not pass on the controller cpu)',
  );
  assert.equal(
    describePrecedence({ means: 'none', share: null, obstacle: 'nice values do not act' }),
    'none (nice values do not act)',
  );
});
