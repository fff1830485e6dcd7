import assert from 'node:assert/strict';
import { cpus } from 'node:os';
import { test } from 'node:test';
import { parseProcStat } from '../../../../../core/system/proc-stat.ts';
import { HostLoadCollector } from '../../../../../harness/trial/collect/host-load.ts';

test('busy time is everything but idling, waiting for disks and what was stolen', () => {
  // /proc/stat of a machine with two cores, in hundredths of a second
  const text = [
    'cpu  112228 490 31523 701198 949 7 519 58 11 0',
    'cpu0 55204 153 15108 352559 158 3 212 26 0 0',
    'cpu1 57024 337 16415 348639 791 4 306 31 11 0',
    'intr 2687485 0',
    'ctxt 5',
    '',
  ].join('\n');
  assert.deepEqual(parseProcStat(text), { busyS: (112_228 + 490 + 31_523 + 7 + 519) / 100, stealS: 0.58, cores: 2 });
});

test('an old kernel that tells no theft has none', () => {
  assert.deepEqual(parseProcStat('cpu  100 0 50 900 0 0 0\ncpu0 100 0 50 900 0 0 0\n'), {
    busyS: 1.5,
    stealS: 0,
    cores: 1,
  });
});

test('the load of this machine lies between nothing and all of it', () => {
  const collector = new HostLoadCollector([]);
  const load = collector.sample();
  collector.stop();
  assert.equal(load.cores, cpus().length);
  assert.ok(load.busyRatio >= 0 && load.stealRatio >= 0);
  assert.ok(load.wakeUpDelayMaxMs >= 0 && Number.isFinite(load.wakeUpDelayMaxMs));
  assert.ok(load.harnessDelayMaxMs >= 0 && Number.isFinite(load.harnessDelayMaxMs));
});

test('a hold-up is noticed, also one that begins just after a sample', async () => {
  const collector = new HostLoadCollector([]);
  for (const waitMs of [0, 3, 20]) {
    collector.sample();
    if (waitMs > 0) await new Promise(resolve => setTimeout(resolve, waitMs));
    const heldUntil = performance.now() + 60;
    while (performance.now() < heldUntil) Math.sqrt(heldUntil);
    const { harnessDelayMaxMs } = collector.sample();
    assert.ok(harnessDelayMaxMs >= 54, `${harnessDelayMaxMs} ms, ${waitMs} ms after a sample`);
  }
  collector.stop();
});
