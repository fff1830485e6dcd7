import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleep } from '../../../core/deadline.ts';
import { processIdOf } from '../../../core/process-id.ts';
import { inTurn, removeTurns } from '../../../core/turn.ts';
import { temporaryFolder } from '../harness/support/folder.ts';

const folder = temporaryFolder();

test('one after another, also where one fails; nothing is left', async () => {
  const said: string[] = [];
  const body =
    (name: string, fails = false) =>
    () =>
      (async () => {
        said.push(`${name} begins`);
        await sleep(20);
        said.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      })();
  const ends = await Promise.allSettled([
    inTurn(folder, 'x', body('a', true)),
    inTurn(folder, 'x', body('b')),
    inTurn(folder, 'x', body('c')),
  ]);
  assert.deepEqual(said, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
  assert.deepEqual(readdirSync(folder), []);
});

test('other processes wait, too, and one that is killed in its turn keeps nobody waiting', async () => {
  const [module, shared] = [new URL('../../../core/turn.ts', import.meta.url).href, join(folder, 'shared')];
  const program = `import { inTurn } from ${JSON.stringify(module)};
    import { appendFileSync } from 'node:fs';
    await inTurn(${JSON.stringify(folder)}, 'y', async () => {
      process.stdout.write('in\\n');
      await new Promise(resolve => setTimeout(resolve, process.argv[1] === 'stay' ? 60_000 : 30));
      appendFileSync(${JSON.stringify(shared)}, 'x');
    });`;
  const start = (word: string) =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program, word], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const stays = start('stay');
  await once(stays.stdout, 'data');
  const others = [start('go'), start('go')];
  let isIn = false;
  const mine = inTurn(folder, 'y', async () => {
    isIn = true;
  });
  await sleep(300);
  assert.equal(isIn, false);
  stays.kill('SIGKILL');
  await Promise.all([mine, ...others.map(other => once(other, 'exit'))]);
  assert.ok(isIn);
  assert.deepEqual(readdirSync(folder), ['shared']);
});

test('the turn of a process of an earlier boot is over', async () => {
  writeFileSync(join(folder, 'z.turn'), JSON.stringify({ ...processIdOf(), bootId: 'another' }));
  assert.equal(await inTurn(folder, 'z', async () => 5), 5);
  const left = ['a.turn', 'b.turn.7-0a', `c.turn.${2 ** 22 + 1}-0a.next`];
  for (const name of left) writeFileSync(join(folder, name), JSON.stringify({ pid: process.pid, startTicks: 1 }));
  writeFileSync(join(folder, 'empty.turn.7-0a'), '');
  const ours = ['d.turn', `e.turn.${process.pid}-0a`, `f.turn.${process.pid}-0a.next`];
  for (const name of ours) writeFileSync(join(folder, name), JSON.stringify(processIdOf()));
  removeTurns(folder);
  assert.deepEqual(readdirSync(folder).sort(), [...ours, 'shared'].sort());
});

test('of many that begin at once, where one was killed in its turn, only one is in its turn at any time', async () => {
  const own = temporaryFolder();
  const [module, count] = [new URL('../../../core/turn.ts', import.meta.url).href, join(own, 'count')];
  writeFileSync(count, '0');
  writeFileSync(join(own, 'many.turn.7-0a'), JSON.stringify({ pid: process.pid, startTicks: 1 }));
  // two at once would read the same number, and one of their steps would be lost
  const program = `import { inTurn } from ${JSON.stringify(module)};
    import { readFileSync, writeFileSync } from 'node:fs';
    for (let k = 0; k < 20; k++)
      await inTurn(${JSON.stringify(own)}, 'many', async () => {
        const before = Number(readFileSync(${JSON.stringify(count)}, 'utf8'));
        await new Promise(resolve => setTimeout(resolve, 1));
        writeFileSync(${JSON.stringify(count)}, String(before + 1));
      });`;
  const all = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program], {
      stdio: 'inherit',
    }),
  );
  assert.deepEqual(await Promise.all(all.map(one => once(one, 'exit'))), Array(6).fill([0, null]));
  assert.equal(readFileSync(count, 'utf8'), '120');
  assert.deepEqual(readdirSync(own), ['count']);
});
