import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { run } from '../../../../core/system/command.ts';
import { projectRoot } from '../../../../core/system/paths.ts';
import { HelpAsked } from '../../../../harness/cli/arguments.ts';
import { runStudyCommand } from '../../../../harness/cli/study-command.ts';
import { kindNamed, loadKinds } from '../../../../harness/studies/kinds.ts';
import { temporaryFolder } from '../support/folder.ts';

const { optionNames, takenByNpm } = (await import(
  new URL('../../../../harness/setup/npm-options.mjs', import.meta.url).href
)) as {
  optionNames(command: string): string[];
  takenByNpm(command: string, words: readonly string[], environment: NodeJS.ProcessEnv): string | undefined;
};

describe('what npm 11 makes of a forgotten "--" is refused with the command that was meant', () => {
  const cases: [typed: string, command: string, words: string[], environment: NodeJS.ProcessEnv, meant: string][] = [
    [
      'npm run experiment hello --dry-run',
      'experiment',
      ['hello'],
      { npm_config_dry_run: 'true' },
      'npm run experiment -- hello --dry-run',
    ],
    ['npm run experiment --list', 'experiment', [], { npm_config_list: 'true' }, 'npm run experiment -- --list'],
    [
      'npm run experiment hello --repeats=6',
      'experiment',
      ['hello'],
      { npm_config_repeats: '6' },
      'npm run experiment -- hello --repeats 6',
    ],
    [
      'npm run experiment hello --repeats 6',
      'experiment',
      ['hello', '6'],
      { npm_config_repeats: 'true' },
      'npm run experiment -- hello --repeats 6',
    ],
    [
      'npm run experiment hello --set a.b=1 --set=c=d',
      'experiment',
      ['hello', 'a.b=1'],
      { npm_config_set: 'true\n\nc=d' },
      'npm run experiment -- hello --set a.b=1 --set c=d',
    ],
    [
      'npm run experiment hello --out x --set a=1',
      'experiment',
      ['hello', 'x', 'a=1'],
      { npm_config_out: 'true', npm_config_set: 'true' },
      'npm run experiment -- hello --set a=1 --out x',
    ],
    [
      'npm run demo --xvfb --seconds=9',
      'demo',
      [],
      { npm_config_xvfb: 'true', npm_config_seconds: '9' },
      'npm run demo -- --seconds 9 --xvfb',
    ],
    [
      'npm run report runs/x --json',
      'report',
      ['runs/x'],
      { npm_config_json: 'true' },
      'npm run report -- runs/x --json',
    ],
    [
      'npm run experiment hello --json result.json',
      'experiment',
      ['hello', 'result.json'],
      { npm_config_json: 'true' },
      'npm run experiment -- hello --json result.json',
    ],
    [
      'npm run experiment --json study.json',
      'experiment',
      ['study.json'],
      { npm_config_json: 'true' },
      'npm run experiment -- study.json --json',
    ],
    [
      'npm run doctor --json=found.json',
      'doctor',
      ['found.json'],
      { npm_config_json: 'true' },
      'npm run doctor -- --json found.json',
    ],
    [
      'npm run clean --dry-run, which has no such option',
      'clean',
      [],
      { npm_config_dry_run: 'true' },
      'npm run clean -- --dry-run',
    ],
    [
      'npm run pairs --link "8mbit 50ms"',
      'pairs',
      ['8mbit 50ms'],
      { npm_config_link: 'true' },
      "npm run pairs -- --link '8mbit 50ms'",
    ],
    [
      'npm run experiment --hosts',
      'experiment',
      [],
      { npm_config_hosts: 'true' },
      'npm run experiment -- --hosts VALUE',
    ],
    [
      'npm test --test-name-pattern=x',
      'test',
      [],
      { npm_config_test_name_pattern: 'x' },
      'npm test -- --test-name-pattern x',
    ],
  ];
  for (const [typed, command, words, environment, meant] of cases)
    test(typed, () => {
      const [said, mend, ...more] = takenByNpm(command, words, environment)!.split('\n');
      assert.match(said!, /^npm has kept --[\w, -]+ for itself: options of a command stand behind "--"$/);
      assert.deepEqual([mend, more], [`  -> ${meant}`, []]);
    });
});

test('what is npm’s own, or stands behind "--" as well, is not refused', () => {
  const settings = join(temporaryFolder(), 'npmrc');
  writeFileSync(settings, 'audit=false\njson = true\n');
  for (const [words, environment] of [
    [['hello'], {}],
    [['hello'], { npm_config_loglevel: 'silent', npm_config_yes: '', npm_config_xvfb: '', npm_config_list: 'false' }],
    [['hello', '--dry-run'], { npm_config_dry_run: 'true' }],
    [['hello', '--set=a=1'], { npm_config_set: 'b=2' }],
    [['hello'], { npm_config_json: 'true', npm_config_userconfig: settings }],
  ] as const)
    assert.equal(takenByNpm('experiment', words, environment), undefined, JSON.stringify([words, environment]));
  assert.match(takenByNpm('experiment', [], { npm_config_json: 'true', npm_config_userconfig: '/none' })!, /--json/);
});

test('the options of every command are known', async () => {
  for (const name of [
    ...(await loadKinds()).keys(),
    'demo',
    'worker',
    'queue',
    'report',
    'verify',
    'export',
    'doctor',
    'docs',
    'clean',
    'new',
  ]) {
    const kind = await kindNamed(name);
    const { command } =
      kind === undefined
        ? ((await import(`../../../../harness/cli/${name}.ts`)) as { command(argv: string[]): Promise<number> })
        : { command: (argv: string[]) => runStudyCommand(kind, argv) };
    const usage = await command(['--help']).then(
      () => '',
      (error: unknown) => (error instanceof HelpAsked ? error.usage : assert.fail(String(error))),
    );
    const told = new Set([...usage.matchAll(/(?<=[\s[|(])--([a-z][a-z-]+)/g)].map(match => match[1]!));
    assert.deepEqual(
      [...told].filter(option => !optionNames(name).includes(option)),
      [],
      `${name}: ${usage}`,
    );
  }
});

test('the command itself is not begun', async () => {
  const { status, stdout, stderr } = await run(
    [
      'env',
      'npm_config_dry_run=true',
      process.execPath,
      join(projectRoot, 'harness/setup/run.mjs'),
      'experiment',
      'hello',
    ],
    { allowFailure: true },
  );
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^npm has kept --dry-run for itself.*\n {2}-> npm run experiment -- hello --dry-run\n$/);
});
