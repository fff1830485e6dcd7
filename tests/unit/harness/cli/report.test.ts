import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderRun } from '../../reports/support/run.ts';
import { commandsWith } from '../../support/commands.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf } from '../support/plan.ts';

const command = commandsWith();
const folder = temporaryFolder();
const conditions = { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } };
const made = async (name: string, stallMs: number) => {
  await renderRun(folder, name, planOf({ conditions, run: { window: '10s', repeats: 2 } }), [
    {},
    { stallMs },
    {},
    { stallMs },
  ]);
  return join(folder, name);
};
const [a, b] = [await made('a', 300), await made('b', 600)];

test('two runs are compared in a file beside the second', async () => {
  const { status, stdout, stderr } = await command('report', a, b);
  assert.deepEqual([status, stderr, stdout], [0, '', `comparison: ${join(folder, 'compare-a-b.html')}\n`]);
  assert.match(readFileSync(join(folder, 'compare-a-b.html'), 'utf8'), /Two runs: A study/);
});

test('a link in the place of that file is replaced, not followed', async () => {
  const [precious, place] = [join(folder, 'precious'), join(folder, 'compare-a-b.html')];
  writeFileSync(precious, 'precious');
  rmSync(place, { force: true });
  symlinkSync(precious, place);
  assert.equal((await command('report', a, b)).status, 0);
  assert.equal(readFileSync(precious, 'utf8'), 'precious');
  assert.match(readFileSync(place, 'utf8'), /Two runs: A study/);
});

test('or where --out says, with everything as JSON', async () => {
  const out = join(folder, 'elsewhere.html');
  const { status, stdout } = await command('report', a, b, '--out', out, '--json');
  assert.equal(status, 0);
  assert.ok(existsSync(out));
  const { conditions: compared } = JSON.parse(stdout) as {
    conditions: { id: string; rows: { quantity: { id: string }; shift: { value: number } }[] }[];
  };
  const row = compared.find(({ id }) => id === 'wired')!.rows.find(({ quantity }) => quantity.id === 'stall-time')!;
  assert.ok(Math.abs(row.shift.value - 0.3) < 1e-9);
});

test('one run is rendered again, with its thresholds in the JSON', async () => {
  const { status, stdout } = await command('report', a, '--json');
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout), JSON.parse(readFileSync(join(a, 'summary.json'), 'utf8')));
});

test('figures and a page of the result are written where they are asked for', async () => {
  const [figures, page] = [join(folder, 'figures'), join(folder, 'results', 'a.md')];
  const { status, stdout } = await command('report', a, '--figures', figures, '--page', page);
  assert.equal(status, 0);
  assert.match(stdout, /figures: \d+ in .*figures\npage: {4}.*a\.md, with \d+ figures\n$/);
  assert.match(readFileSync(join(figures, 'rtt-series.svg'), 'utf8'), /^<svg xmlns/);
  assert.match(readFileSync(page, 'utf8'), /\n- Wired [^\n]*\n/);
  for (const [, address] of readFileSync(page, 'utf8').matchAll(/\]\((a\/[^)]*)\)/g))
    assert.ok(existsSync(join(folder, 'results', address!)), address);
});

test('a page that is written again loses the figures that it no longer shows, and no other file', async () => {
  const page = join(folder, 'again', 'a.md');
  assert.equal((await command('report', a, '--page', page)).status, 0);
  const figures = join(folder, 'again', 'a');
  for (const name of ['old.svg', 'mine.svg']) writeFileSync(join(figures, name), '<svg/>');
  writeFileSync(page, `${readFileSync(page, 'utf8')}\n![Old](a/old.svg)\n\n![Elsewhere](../a/rtt-series.svg)\n`);
  assert.equal((await command('report', a, '--page', page)).status, 0);
  assert.deepEqual([existsSync(join(figures, 'old.svg')), existsSync(join(figures, 'mine.svg'))], [false, true]);
  assert.doesNotMatch(readFileSync(page, 'utf8'), /old\.svg/);
});

test('what cannot be done is one line', async () => {
  for (const [argv, message] of [
    [['report'], /report needs the folder of a run/],
    [['report', a, folder], /is not the folder of a run/],
    [['report', a, '--out', 'x'], /--out is for the comparison of two runs/],
    [['report', a, b, '--out', '/proc/x/y.html'], /y\.html could not be written/],
    [['report', a, a], /is given twice/],
    [['report', a, b, '--page', 'x.md'], /are for the report of one run/],
    [['report', a, '--figures', '/proc/x'], /\/proc\/x\/[\w-]+\.svg could not be written/],
  ] as const) {
    const { status, stderr } = await command(...argv);
    assert.ok(status === 1 || status === 2, String(status));
    assert.match(stderr, message);
    assert.ok(stderr.trim().split('\n').length <= 2, stderr);
  }
});
