import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { sleep, until } from '../../../../../core/system/deadline.ts';
import { runDelaysMs } from '../../../../../core/system/run-delay.ts';
import { hostLimits } from '../../../../../core/vocabulary/host-limits.ts';
import { partOf, ThreadWaits } from '../../../../../harness/trial/collect/thread-waits.ts';
import { fakeHost } from '../../../../unit/harness/support/fake-host.ts';

const isTold = runDelaysMs(process.pid).size > 0;
const without = isTold ? {} : { skip: 'this kernel does not tell how long threads wait' };

/**
 * Starts a loop on the first core until the end of the test, with `word` in its command line, and returns its process
 * id. Two such loops wait for each other.
 */
function loop(context: TestContext, word: string): number {
  const child = spawn('taskset', ['-c', '0', 'sh', '-c', 'while :; do :; done', word], { stdio: 'ignore' });
  const ended = once(child, 'close');
  context.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child.pid!;
}

const hostOf = (pids: readonly number[]) => ({ ...fakeHost(''), processIds: async () => [...pids] });

test('two threads that share a core wait for it, one core together', without, async t => {
  const waits = new ThreadWaits([hostOf([loop(t, 'iperf3'), loop(t, 'coexist-link')])]);
  await until(
    async () => {
      await sleep(250);
      const { waitRatio } = waits.take();
      const [flood, link] = [waitRatio.flood ?? 0, waitRatio.link ?? 0];
      return flood > 0.05 && link > 0.05 && flood + link > 0.7 ? true : undefined;
    },
    60_000,
    'both to wait, one core together',
  );
});

test('of the threads of a part, the one that waited longest is told, and their sum', without, async t => {
  const waits = new ThreadWaits([hostOf([loop(t, 'iperf3'), loop(t, 'iperf3'), loop(t, 'iperf3')])]);
  await until(
    async () => {
      await sleep(500);
      const { waitRatio, threadWaitMaxMs } = waits.take();
      const longest = (threadWaitMaxMs.flood ?? 0) / 500;
      // three loops on one core: each waits for two thirds of the time, or longer if other programs run
      return longest > 0.4 && (waitRatio.flood ?? 0) > 1.5 * longest ? true : undefined;
    },
    60_000,
    'three to wait, and none to wait for all',
  );
});

test('a part that is not there has no reading, and the harness always has one', without, async () => {
  const waits = new ThreadWaits([hostOf([])]);
  await sleep(20);
  for (const values of Object.values(waits.take())) {
    const { harness, ...rest } = values;
    assert.ok(harness !== null && harness >= 0);
    assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
  }
});

test('what a thread waited before it was seen does not count, nor what it waited before the last reading', async t => {
  const told = [runDelaysMs(process.pid)];
  assert.ok(!isTold || told[0]!.size >= 1);
  const pid = loop(t, 'iperf3');
  for (let k = 0; k < 3; k++) loop(t, 'other');
  await until(() => ([...runDelaysMs(pid).values()][0]! > 2000 || !isTold ? true : undefined), 60_000, 'it to wait');
  const waits = new ThreadWaits([hostOf([pid])]);
  // all earlier waits would give eight times the interval. A wait counts at its end, so one may have begun before.
  for (const reading of ['first', 'second']) {
    await sleep(250);
    const ratio = waits.take().waitRatio.flood ?? 0;
    assert.ok(ratio < 4, `${reading}: one thread waited ${ratio} times as long as there was`);
  }
});

test('a thread that the list leaves out once does not count with its whole life, nor one that is new', () => {
  const lists = [
    new Map([[1, 5000]]),
    new Map([
      [1, 5000],
      [2, 7000],
    ]),
    new Map([[2, 7001]]),
    new Map([
      [1, 5002],
      [2, 7003],
      [3, 9000],
    ]),
  ];
  const waits = new ThreadWaits([], () => lists.shift()!);
  const beganMs = performance.now();
  waits.take();
  assert.equal(waits.take().threadWaitMaxMs.harness, 1);
  const longestMs = waits.take().threadWaitMaxMs.harness!;
  assert.ok(longestMs <= Math.max(3, performance.now() - beganMs), `${longestMs} ms`);
});

test('what one thread alone seems to have waited is at most no disturbance, or twice what the second waited', () => {
  const lists = [
    [0, 0, 0],
    [2309, 95, 40],
    [2909, 795, 140],
    [3809, 895, 240],
  ].map(list => new Map(list.map((ms, thread) => [thread, ms])));
  const waits = new ThreadWaits([], () => lists.shift()!);
  const longest = () => waits.take().threadWaitMaxMs.harness;
  assert.deepEqual([longest(), longest(), longest()], [hostLimits.threadWaitMs.degraded, 700, 250]);
});

test('a process that has ended is left out', async () => {
  const waits = new ThreadWaits([hostOf([2 ** 22 + 1])]);
  await sleep(20);
  assert.equal(waits.take().waitRatio.other, null);
  assert.equal(runDelaysMs(2 ** 22 + 1).size, 0);
});

test('parts are told by the command line, whatever starts them', () => {
  const line = (...words: string[]) => partOf(words.join('\0'));
  assert.equal(line('nsenter', '--net=/run/netns/x', '--', '/opt/node', '/srv/coexist/server/main.ts'), 'mediaServer');
  assert.equal(line('/usr/lib/chromium/chromium', '--type=renderer'), 'browser');
  assert.equal(line('/opt/chromium/headless_shell', '--type=gpu-process'), 'browser');
  assert.equal(line('/srv/shaper/emulator/native/build/coexist-link'), 'link');
  assert.equal(line('/srv/.cache/quic/coexist-tunnel-noq', 'client'), 'tunnel');
  assert.equal(line('iperf3', '-s', '-1'), 'flood');
  assert.equal(line('node', '/srv/harness/services/udp-flow/sender.ts'), 'flood');
  assert.equal(line('ping', '-n', '10.0.2.2'), 'other');
});
