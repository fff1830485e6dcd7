import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot as root } from '../../../../core/system/paths.ts';

type Row = { options: string; runs?: string[]; script?: string; brings?: string[] };
const { commandOf, commands, onlyLooks } = (await import(
  new URL('../../../../harness/setup/command-list.mjs', import.meta.url).href
)) as {
  commands: Record<string, Row>;
  commandOf(name: string): Row;
  onlyLooks(name: string, argv: readonly string[]): boolean;
};

test('the scripts of package.json are these commands', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const expected = Object.entries(commands).map(([name, { script }]) => [
    name,
    `node ${script ?? `harness/setup/run.mjs ${name}`}`,
  ]);
  assert.deepEqual(scripts, Object.fromEntries(expected));
});

test('each runs a program that is there: one of its own, or a command of the product', () => {
  for (const [name, { runs, script }] of Object.entries(commands)) {
    if (name === 'setup') continue;
    const files = script ?? runs?.[0];
    const own = [`harness/cli/${name}.ts`, `harness/studies/${name}/index.ts`];
    assert.ok(
      (files === undefined ? own : [files]).some(file => existsSync(join(root, file))),
      name,
    );
  }
  const benches = readdirSync(join(root, 'tests/bench')).filter(name => name.endsWith('.ts'));
  const listed = Object.keys(commands).filter(name => name.startsWith('bench:'));
  for (const name of listed) assert.ok(benches.includes(`${name.slice(6)}.ts`), name);
});

test('words that only look spare root; those of another command do not', () => {
  assert.ok(onlyLooks('experiment', ['hello', '--dry-run']));
  assert.ok(!onlyLooks('experiment', ['hello', '--set', 'a=--dry-run']));
  assert.ok(onlyLooks('doctor', ['--hosts=lab.json']));
  assert.ok(!onlyLooks('clean', ['--dry-run']));
  assert.ok(!onlyLooks('report', ['--list']));
});

test('a name that is none has an empty row, also one of an object', () => {
  for (const name of ['experimant', 'constructor', 'toString']) assert.deepEqual(commandOf(name), { options: '' });
});
