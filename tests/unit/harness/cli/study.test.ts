/** `npm run study` finds the kind of a study by its name, file or folder. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kindFor } from '../../../../harness/cli/study.ts';
import { loadKinds } from '../../../../harness/studies/kinds.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf } from '../support/plan.ts';
import { createFolder } from '../support/run-folder.ts';

const kinds = await loadKinds();
const folder = temporaryFolder();
const kindOf = async (...argv: string[]) => (await kindFor(argv, kinds)).id;

function file(definition: object): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, JSON.stringify(definition));
  return path;
}

test('a shipped study is found by its name, and no two have the same', async () => {
  const names: string[] = [];
  for (const kind of kinds.values()) {
    const own = await kind.names();
    for (const name of own) assert.equal(await kindOf(name, '--dry-run'), kind.id);
    names.push(...own);
  }
  assert.equal(new Set(names).size, names.length);
  await assert.rejects(kindOf('nash-tow'), {
    code: 'usage',
    message: 'there is no study named "nash-tow"; did you mean "nash-two"?',
  });
});

test('a file is of the kind that it names, else of the one that has the least to complain of', async () => {
  const pairs = { services: ['iperf-cubic'], links: ['8mbit'] };
  assert.equal(await kindOf(file({ ...pairs, kind: 'pairs' })), 'pairs');
  assert.equal(await kindOf(file(pairs)), 'pairs');
  assert.equal(await kindOf(file({ ...pairs, run: { windo: '5s' } })), 'pairs', 'also with a slip');
  const link = { rate: '10mbit', queue: { limit: '100packets' } };
  const words = { title: 'x', question: 'x', source: 'own', link };
  assert.equal(await kindOf(file({ ...words, service: { id: 'live-clip' } })), 'experiment');
  const player = { service: { id: 'iperf', congestionControl: 'cubic' } };
  const game = { ...words, groups: { all: { players: 2 } }, strategies: { a: player, b: player } };
  assert.equal(await kindOf(file(game)), 'game');
  const odd = file({ ...game, kind: 'games' });
  await assert.rejects(kindOf(odd), {
    code: 'bad-definition',
    message: `${odd}: there is no kind of study "games"; did you mean "game"?`,
  });
  await assert.rejects(kindOf(join(folder, 'none.json')), { code: 'usage', message: /^there is no file / });
});

test('a file of another kind is refused by a command of one kind, which names the command for it', async () => {
  const path = file({ kind: 'game' });
  await assert.rejects(kinds.get('pairs')!.load(path), {
    code: 'bad-definition',
    message: `${path} is a study of kind "game", not "pairs"`,
    hint: `npm run study -- ${path}`,
  });
  await assert.rejects(kinds.get('pairs')!.load(file({ kind: 7 })), {
    code: 'bad-definition',
    message: /kind must be/,
  });
});

test('a folder is of the kind of its plan', async () => {
  const { path } = createFolder(folder, 'run', planOf({ conditions: { alone: { flood: { id: 'none' } } } }));
  assert.equal(await kindOf('--resume', path), 'experiment');
  assert.equal(await kindOf(`--resume=${path}`, '--headed'), 'experiment');
});

test('options before the name would be taken for it', async () => {
  for (const argv of [[], ['--dry-run', 'hello']])
    await assert.rejects(kindOf(...argv), { code: 'usage', message: /needs the name or file/ });
});
