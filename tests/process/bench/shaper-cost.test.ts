import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { Child } from '../../../core/system/command.ts';
import type { Host } from '../../../core/system/host.ts';
import { besideBusy } from '../../bench/shaper/busy.ts';
import { costRatio, emulatorCost } from '../../bench/shaper/emulator-cost.ts';

test('the cost of the emulator is judged on a quiet machine and beside busy processes', () => {
  const rows = emulatorCost.flatMap(({ rows }) => rows);
  assert.deepEqual(
    rows.map(({ what, mustReach }) => [
      / of (\d+ Mbit\/s)/.exec(what)?.[1],
      what.includes('beside two busy'),
      mustReach,
    ]),
    [
      ['40 Mbit/s', false, 'at most 12.0 %'],
      ['40 Mbit/s', true, 'at most 12.0 %'],
      ['100 Mbit/s', false, 'at most 25.0 %'],
      ['100 Mbit/s', true, 'at most 25.0 %'],
    ],
  );
  assert.equal(new Set(rows.map(({ what }) => what)).size, rows.length);
});

test('busy processes run while the action does, and end with it, also when it fails', async () => {
  for (const fails of [false, true]) {
    const children: Child[] = [];
    const host: Pick<Host, 'start'> = {
      start: (name, [file, ...args], options = {}) => {
        const child = new Child(name, spawn(file!, args, { detached: true, ...options }));
        children.push(child);
        return child;
      },
    };
    const done = besideBusy(host, async () => {
      assert.deepEqual(
        children.map(({ alive }) => alive),
        [true, true],
      );
      if (fails) throw new Error('it failed');
      return 7;
    });
    if (fails) await assert.rejects(done, /it failed/);
    else assert.equal(await done, 7);
    assert.deepEqual(
      children.map(({ alive }) => alive),
      [false, false],
    );
  }
});

test('a cost counts only where the packets passed through the emulator', () => {
  const sender = { sent: 1000, starved: false, startMs: 0, endMs: 4000 };
  const reading = (cpuMs: number, inPackets: number) => ({ cpuMs, bottleneck: { inPackets } });
  assert.equal(costRatio(sender, reading(100, 5), reading(500, 1005)), 0.1);
  assert.equal(costRatio({ ...sender, starved: true }, reading(100, 5), reading(500, 1005)), null);
  assert.throws(() => costRatio(sender, reading(0, 0), reading(0.1, 2)), /the emulator carried 2 of 1000 packets/);
});
