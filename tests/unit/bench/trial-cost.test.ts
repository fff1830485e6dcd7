import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costsBetween, latenessMs } from '../../bench/trial/costs.ts';
import { budgets, partOf, sumBudgets, type Thread } from '../../bench/trial/parts.ts';
import type { CpuLine } from '../../bench/trial/sampler.ts';

const own = { harness: 10, sampler: 11 };
const of = (thread: Partial<Thread>) =>
  partOf({ process: 99, program: 'sh', words: 'sh', thread: 'sh', ...thread }, own);

test('each thread belongs to one part of a trial', () => {
  const server = { program: 'MainThread', words: '/node --initial-heap-size=512 /x/server/main.ts' };
  const browser = (words: string) => of({ program: 'chromium', words: `/usr/lib/chromium/chromium ${words}` });
  assert.deepEqual(
    [
      of({ process: 10, program: 'MainThread', words: '/node bench' }),
      of({ process: 11 }),
      of({ ...server, thread: 'MainThread' }),
      of({ ...server, thread: 'libuv-worker' }),
      of({ ...server, thread: 'V8Worker' }),
      browser('--type=renderer --x'),
      browser('--type=gpu-process'),
      browser('--type=utility --utility-sub-type=network.mojom.NetworkService'),
      browser('--type=zygote'),
      browser('--headless'),
      of({ program: 'coexist-link', words: '/x/coexist-link' }),
      of({ program: 'iperf3', words: 'iperf3 -s' }),
      of({ program: 'ping', words: 'ping -n' }),
      of({ program: 'ksoftirqd/0', words: '', thread: 'ksoftirqd/0' }),
      of({ program: 'kworker/0:1', words: '', thread: 'kworker/0:1' }),
      of({}),
    ],
    [
      'harness',
      'this benchmark',
      'media server: main thread',
      'media server: encoder',
      'media server: other threads',
      'browser: renderer',
      'browser: GPU process',
      'browser: network service',
      'browser: first process and the rest',
      'browser: first process and the rest',
      'emulator',
      'iperf3, both ends',
      'probes',
      'soft interrupts (ksoftirqd)',
      'kernel threads',
      'other programs',
    ],
  );
});

test('the sum allows at most what its parts may take', () => {
  for (const situation of ['alone', 'flood'] as const) {
    const parts = Object.values(budgets).reduce((sum, budget) => sum + (budget?.[situation] ?? 0), 0);
    assert.ok(sumBudgets[situation] <= parts, `${situation}: ${sumBudgets[situation]} of ${parts}`);
  }
});

test('a trial costs what was used between the first and the last reading in its window', () => {
  const line = (timeMs: number, harness: number, other: number, busyS: number): CpuLine => ({
    timeMs,
    busyS,
    seconds: { harness, 'other programs': other },
  });
  const lines = [line(900, 7, 0, 0), line(1900, 8, 1, 10), line(2900, 8.3, 1.2, 10.6), line(3900, 8.5, 1.6, 11.4)];
  const costs = costsBetween([...lines, line(4900, 20, 20, 50)], { startMs: 1000, endMs: 4000 })!;
  const near = (value: number | undefined, wanted: number) => assert.ok(Math.abs(value! - wanted) < 1e-9);
  near(costs.cores.harness, 0.25);
  near(costs.cores['other programs'], 0.3);
  near(costs.cores.emulator, 0);
  near(costs.sumCores, 0.25); // without what is no part of the trial
  near(costs.restCores, 0.15); // 1.4 s busy in 2 s, 1.1 s of it seen
  assert.equal(costsBetween(lines, { startMs: 1000, endMs: 2000 }), null);
});

test('a capture is late behind the earliest one by its number', () => {
  const frames = [0, 1, 2, 4].map(frame => ({ frame, captureMs: 1000 + frame * 20 + (frame === 2 ? 7 : 0) }));
  assert.deepEqual(latenessMs(frames, 50), [0, 0, 7, 0]);
});
