import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import {
  type ProcessorReading,
  parseProcess,
  programLoad,
  readProcessors,
} from '../../../../core/system/program-load.ts';

type Row = [id: number, name: string, parent: number, ticks: number];
const reading = (timeMs: number, busyS: number, rows: Row[]): ProcessorReading => ({
  timeMs,
  busyS,
  cores: 2,
  processes: new Map(rows.map(([id, name, parent, ticks]) => [id, { name, parent, ticks }])),
});
const about = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-9, `${value}`);

test('a name may hold spaces and brackets', () => {
  const fields = `S 7 1 1 0 -1 0 0 0 0 0 30 12 ${'0 '.repeat(30)}`;
  assert.deepEqual(parseProcess(`42 (tmux: (a) b) ${fields}`), { name: 'tmux: (a) b', parent: 7, ticks: 42 });
});

test('programs count by name, the busiest first; who uses next to nothing is not named', () => {
  const before = reading(0, 10, [
    [10, 'cc1', 1, 100],
    [11, 'cc1', 1, 0],
    [12, 'browser', 1, 0],
    [13, 'idle', 1, 0],
  ]);
  const after = reading(2000, 13, [
    [10, 'cc1', 1, 180],
    [11, 'cc1', 1, 100],
    [12, 'browser', 1, 60],
    [13, 'idle', 1, 2],
  ]);
  const { busyCores, programs } = programLoad(before, after, 999);
  about(busyCores, 1.5);
  assert.deepEqual(
    programs.map(({ name, cores }) => [name, Number(cores.toFixed(6))]),
    [
      ['cc1', 0.9],
      ['browser', 0.3],
    ],
  );
});

test('this process, what started it and what it started are no other programs', () => {
  const rows = (ticks: number): Row[] => [
    [5, 'sh', 1, ticks],
    [6, 'npm', 5, ticks],
    [7, 'node', 6, ticks],
    [8, 'child', 7, ticks],
    [9, 'grandchild', 8, ticks],
    [20, 'sibling', 5, ticks],
  ];
  const { busyCores, programs } = programLoad(reading(0, 0, rows(0)), reading(1000, 1.5, rows(20)), 7);
  assert.deepEqual(
    programs.map(({ name }) => name),
    ['sibling'],
  );
  about(busyCores, 0.5); // 1.5 busy cores minus the five own processes with 0.2 each
});

test('kernel threads and processes that came and went are in the sum alone', () => {
  const { busyCores, programs } = programLoad(reading(0, 0, []), reading(1000, 1.2, [[30, 'kworker', 2, 40]]), 7);
  assert.deepEqual([programs, Number(busyCores.toFixed(6))], [[], 1.2]);
});

test('an id that another program has got counts from its start', () => {
  const { programs } = programLoad(reading(0, 0, [[9, 'old', 1, 500]]), reading(1000, 1, [[9, 'new', 1, 30]]), 7);
  assert.deepEqual(programs, [{ name: 'new', cores: 0.3 }]);
});

test('the processes of this machine are read, this one with its parent', () => {
  const { processes, cores, busyS } = readProcessors();
  assert.equal(processes.get(process.pid)?.parent, process.ppid);
  assert.equal(processes.get(process.pid)!.name, basename(realpathSync(process.execPath)));
  assert.ok(processes.get(process.pid)!.ticks > 0 && busyS > 0 && cores > 0);
});
