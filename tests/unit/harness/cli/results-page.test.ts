import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { command } from '../../../../harness/cli/report.ts';
import { RunFolder } from '../../../../harness/record/run-folder.ts';
import type { GameDefinition } from '../../../../harness/studies/game/define.ts';
import { loadGame } from '../../../../harness/studies/game/load.ts';
import { type GamePlan, makeGamePlan } from '../../../../harness/studies/game/plan.ts';
import { finishCycle } from '../../../../harness/studies/pairs/cycle.ts';
import type { PairsPlan } from '../../../../harness/studies/pairs/plan.ts';
import { quantities, registries } from '../studies/game/support.ts';
import { contestant, plan, trials } from '../studies/pairs/support/study.ts';
import { temporaryFolder } from '../support/folder.ts';
import { versions } from '../support/run-folder.ts';

const folder = temporaryFolder();

/** Returns the page that the command writes about a run. */
async function pageOf(path: string): Promise<string> {
  const file = `${path}.md`;
  assert.equal(await command([path, '--page', file]), 0);
  const text = readFileSync(file, 'utf8');
  for (const [, address] of text.matchAll(/^!\[.*\]\(([^)]+)\)$/gm))
    assert.ok(existsSync(join(dirname(file), address!)), address);
  assert.ok(text.split('\n').every(line => line.length <= 120 || /^[|!]|^Command: /.test(line)));
  return text;
}

async function pairs(name: string, contestants: readonly string[], run: object = {}): Promise<string> {
  const matrix = plan(
    contestants.map(one => contestant(one)),
    { run: { stopping: 'fixed', repeats: 7, ...run } },
  );
  const study = RunFolder.create<PairsPlan>(join(folder, name), { plan: matrix, versions, createdMs: 0 });
  const seven = (...sides: number[]) => Array.from({ length: 7 }, () => sides);
  for (const cell of matrix.cells)
    for (const { file } of trials(matrix, cell.id, cell.sides.length === 1 ? seven(7.8) : seven(2, 6)))
      study.commit(study.begin(file.trial.id), file);
  await finishCycle(study, matrix, new Map());
  study.release();
  return study.path;
}

test('of a pairwise study: the matrix, rankings, services, and the command that measures it again', async () => {
  const text = await pageOf(await pairs('pairs', ['iperf-reno', 'iperf-cubic'], { window: '90s' }));
  assert.match(text, /^# A matrix\n\n<!-- written by npm run report/);
  assert.match(text, /\nHow do the services share a link, pair by pair\?\n/);
  assert.match(text, /\n1970-01-01 · Linux 6\.18 /, 'when and on what');
  assert.match(text, /\n## Shares of the link\n\n### 8 Mbit\/s[^\n]*\n/);
  assert.match(text, /\n\| IPERF-CUBIC \| 50\.0 %<br>50\.0 to 50\.0 \|/);
  assert.match(text, /\n## Contentiousness and sensitivity\n/);
  assert.match(
    text,
    /\nCommand: `npm run pairs -- --services iperf-reno,iperf-cubic --link 8mbit --set run\.window=90000ms --set run\.stopping=fixed --set run\.repeats=7`\n/,
  );
  assert.doesNotMatch(text, /## Pairs and their trials/, 'hundreds of trials are not');
});

test('a page and figures replace nothing that this command did not write', async () => {
  const path = await pairs('kept', ['iperf-reno', 'iperf-cubic']);
  const other = join(folder, 'README.md');
  writeFileSync(other, '# Mine\n');
  const hint = 'name a new file, or an earlier page';
  for (const page of [other, folder])
    await assert.rejects(command([path, '--page', page]), {
      code: 'usage',
      message: `--page ${page} is not a page that this command wrote`,
      hint,
    });
  await assert.rejects(command([path, '--figures', other]), {
    code: 'usage',
    message: `--figures ${other} is a file, and figures go into a folder`,
  });
  assert.equal(readFileSync(other, 'utf8'), '# Mine\n');
  await pageOf(path);
  await pageOf(path);
});

test('of services that nobody else has there is no command', async () => {
  assert.doesNotMatch(await pageOf(await pairs('own', ['mine', 'iperf-cubic'])), /Command:/);
});

test('of a game: its answers and statements; the command with what was set', async () => {
  const { definition } = await loadGame('nash-two');
  const page = async (name: string, change: Partial<GameDefinition>) => {
    const game = makeGamePlan('nash-two', { ...definition, ...change }, registries, quantities);
    RunFolder.create<GamePlan>(join(folder, name), { plan: game, versions, createdMs: 0 }).release();
    return pageOf(join(folder, name));
  };
  const text = await page('game', {});
  assert.match(text, /\n## Who would switch\?\n\n\| Game \| Equilibrium \|/);
  assert.match(text, /\n## What the paper says\n[^]*\n- /);
  assert.match(text, /\nCommand: `npm run game -- nash-two`\n/);
  const changed = await page('changed', {
    confidence: '90%',
    vary: { 'link.queue.limit': ['1bdp'] },
    run: { ...definition.run, parallel: 4 },
  });
  assert.match(
    changed,
    /\nCommand: `npm run game -- nash-two --set 'vary\.link\.queue\.limit=\["1bdp"\]' --set run\.parallel=4 --set confidence=90%`\n/,
  );
  assert.match(changed, /\nThis run changed the study with --set: [^\n]*confidence=90%[^]*unchanged study\.\n/);
  assert.doesNotMatch(await page('fewer', { groups: { near: definition.groups['near']! } }), /Command:/);
});
