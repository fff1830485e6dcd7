import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeNumber } from '../../../../core/text/whole-number.ts';
import { HelpAsked, parseArguments, parseOptions } from '../../../../harness/cli/arguments.ts';
import { runStudyCommand } from '../../../../harness/cli/study-command.ts';
import { loadKinds } from '../../../../harness/studies/kinds.ts';

const options = {
  repeats: { type: 'string' },
  set: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;
const parse = (...argv: string[]) => parseArguments(argv, options, 'the usage');
const refused = (message: string | RegExp, ...argv: string[]) =>
  assert.throws(() => parse(...argv), { code: 'usage', message, hint: 'the usage' });

test('options and words', () => {
  const { values, positionals } = parse('study', '--set', 'a=1', '--set=b=2', '--repeats', '3', '--json');
  assert.deepEqual({ ...values }, { set: ['a=1', 'b=2'], repeats: '3', json: true });
  assert.deepEqual(positionals, ['study']);
  assert.deepEqual({ ...parse().values }, {});
});

test('help is given whatever else was asked for', () => {
  for (const words of [['--help'], ['-h'], ['study', '--nonsense', '--help']])
    assert.throws(
      () => parse(...words),
      error => error instanceof HelpAsked && error.usage === 'the usage',
    );
});

test('every command gives its usage and does nothing else', async () => {
  const isUsage = (name: string) => (error: unknown) =>
    error instanceof HelpAsked && error.usage.startsWith(`npm run ${name}`);
  const commands = ['study', 'demo', 'worker', 'queue', 'report', 'verify', 'export', 'doctor', 'clean', 'docs', 'new'];
  for (const name of commands) {
    const { command } = (await import(`../../../../harness/cli/${name}.ts`)) as {
      command(argv: string[]): Promise<number>;
    };
    await assert.rejects(command(['--help']), isUsage(name), name);
  }
  for (const kind of (await loadKinds()).values())
    await assert.rejects(runStudyCommand(kind, ['--help']), isUsage(kind.id), kind.id);
});

test('an option that is not known is refused with the one that was meant', () => {
  refused('unknown option --repeat; did you mean --repeats?', '--repeat', '3');
  refused('unknown option --helps; did you mean --help?', '--helps');
  refused('unknown option --zzzzzz', '--zzzzzz=3');
  refused('unknown option -x', '-x');
});

test('a missing or needless value is refused in one line', () => {
  refused(/^Option '--repeats <value>' argument missing$/, '--repeats');
  refused(/^Option '--json' does not take an argument$/, '--json=yes');
});

test('a negative number is a value; another word with a dash is no value, and the mend is one line', () => {
  assert.deepEqual({ ...parse('--repeats', '-1', '--set', '-.5').values }, { repeats: '-1', set: ['-.5'] });
  assert.deepEqual(parse('--', '--repeats', '-1').positionals, ['--repeats', '-1']);
  refused('--repeats has no value; if its value begins with a dash, write --repeats=-VALUE', '--repeats', '-x');
  refused('--set has no value; if its value begins with a dash, write --set=-VALUE', '--set', '--json');
  refused('unknown option -1', '--json', '-1');
});

test('every command refuses a negative number in one line', async () => {
  const kind = (await loadKinds()).get('experiment')!;
  const oneLine = (message: string) => ({ code: 'usage', message });
  for (const option of ['seed', 'repeats'])
    await assert.rejects(
      runStudyCommand(kind, ['hello', '--dry-run', `--${option}`, '-1']),
      oneLine(`--${option} -1: it must be a whole number of at least ${option === 'seed' ? 0 : 1}`),
    );
  const { command } = await import('../../../../harness/cli/traces.ts');
  await assert.rejects(
    command(['make', 'leo', '--seed', '-1', '--out', 'x.csv']),
    oneLine('--seed -1 is not a whole number of at most nine digits'),
  );
});

test('whole numbers', () => {
  assert.equal(wholeNumber('3', 'repeats', 1), 3);
  for (const text of ['0', '-1', '2.5', 'many', '', '1x', 'Infinity']) {
    assert.throws(() => wholeNumber(text, 'repeats', 1), {
      code: 'usage',
      message: `--repeats ${text}: it must be a whole number of at least 1`,
    });
  }
});

test('a word is refused where a command takes options only', async () => {
  assert.deepEqual({ ...parseOptions(['--json'], options, 'the usage', 'doctor') }, { json: true });
  for (const name of ['doctor', 'clean', 'docs', 'worker']) {
    const { command } = (await import(`../../../../harness/cli/${name}.ts`)) as {
      command(argv: string[]): Promise<number>;
    };
    await assert.rejects(command(['hosts.txt']), {
      code: 'usage',
      message: `npm run ${name} takes no argument "hosts.txt"`,
    });
  }
});
