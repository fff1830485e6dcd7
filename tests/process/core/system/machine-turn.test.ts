import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { MachineTurn } from '../../../../core/system/machine-turn.ts';
import { type ProcessId, processIdOf } from '../../../../core/system/process-id.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const namesAhead = (turn: MachineTurn) => turn.ahead.map(({ what }) => what);

/** Writes the lease of another study's turn. */
function foreign(folder: string, what: string, number: number | null, owner: ProcessId, sinceMs = Date.now()): void {
  const id = what.replaceAll(' ', '-');
  const record = { id, owner, namespaces: [], processes: [], uplinks: [], scratch: join(folder, id) };
  writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...record, turn: { what, sinceMs, number } }));
}

describe('whose turn it is', () => {
  test('the first is first, the others wait for all before them, in the order in which they came', () => {
    const folder = temporaryFolder();
    const [a, b, c] = ['a', 'b', 'c'].map(what => MachineTurn.take(what, folder)) as [
      MachineTurn,
      MachineTurn,
      MachineTurn,
    ];
    assert.deepEqual([namesAhead(a), namesAhead(b), namesAhead(c)], [[], ['a'], ['a', 'b']]);
    assert.equal(b.ahead[0]!.pid, process.pid);
    assert.ok(Math.abs(b.ahead[0]!.sinceMs - Date.now()) < 10_000);
    b.release();
    assert.deepEqual(namesAhead(c), ['a']);
    a.release();
    assert.deepEqual(namesAhead(c), []);
    // a new study waits behind the others
    const d = MachineTurn.take('d', folder);
    assert.deepEqual([namesAhead(c), namesAhead(d)], [[], ['c']]);
    for (const turn of [c, d]) turn.release();
    assert.deepEqual(readdirSync(folder), []);
  });

  test('one that was killed holds up nobody', async () => {
    const folder = temporaryFolder();
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    try {
      foreign(folder, 'killed', 1, processIdOf(child.pid!));
      const turn = MachineTurn.take('own', folder);
      assert.deepEqual(namesAhead(turn), ['killed']);
      child.kill('SIGKILL');
      await once(child, 'exit');
      assert.deepEqual(namesAhead(turn), []);
      turn.release();
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('of two with one number, which chose at once, exactly one goes first', () => {
    const folder = temporaryFolder();
    const turn = MachineTurn.take('own', folder);
    const own = JSON.parse(
      readFileSync(join(folder, readdirSync(folder).find(name => name.endsWith('.json'))!), 'utf8'),
    );
    const { id, turn: taken } = own as { id: string; turn: { number: number } };
    for (const [other, isAhead] of [
      ['000000', true],
      ['zzzzzz', false],
    ] as const) {
      foreign(folder, other, taken.number, processIdOf());
      assert.equal(namesAhead(turn).includes(other), isAhead && other < id, other);
    }
  });

  test('who still chooses is waited for, but not for ever', () => {
    const folder = temporaryFolder();
    foreign(folder, 'choosing', null, processIdOf(), Date.now() + 60_000);
    foreign(folder, 'stopped', null, processIdOf(), Date.now() - 60_000);
    assert.deepEqual(namesAhead(MachineTurn.take('own', folder)), ['choosing']);
  });

  test('leases of another kind, and what is no lease, are not looked at', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'x.json'), 'x');
    writeFileSync(
      join(folder, 'lane.json'),
      JSON.stringify({
        id: 'lane',
        owner: processIdOf(),
        namespaces: [],
        processes: [],
        uplinks: [],
        scratch: '/none',
      }),
    );
    assert.deepEqual(namesAhead(MachineTurn.take('own', folder)), []);
  });

  test('many processes that start at once run one after the other', async () => {
    const folder = temporaryFolder();
    const log = join(folder, 'log');
    const program = `
      const { MachineTurn } = await import(${JSON.stringify(new URL('../../../../core/system/machine-turn.ts', import.meta.url))});
      const { appendFileSync } = await import('node:fs');
      const turn = MachineTurn.take(String(process.pid), ${JSON.stringify(folder)});
      while (turn.ahead.length > 0) await new Promise(resolve => setTimeout(resolve, 5));
      appendFileSync(${JSON.stringify(log)}, 'in ');
      await new Promise(resolve => setTimeout(resolve, 20));
      appendFileSync(${JSON.stringify(log)}, 'out ');
      turn.release();`;
    const children = Array.from({ length: 5 }, () =>
      spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
    try {
      const ends = await Promise.all(children.map(child => once(child, 'exit')));
      assert.deepEqual(
        ends.map(([status]) => status),
        [0, 0, 0, 0, 0],
      );
      assert.equal(readFileSync(log, 'utf8'), 'in out '.repeat(5));
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });
});
