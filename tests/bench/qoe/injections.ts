/** What is done to trials, and what the stalls that come of it must be put down to. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../../core/errors.ts';
import { run } from '../../../core/system/command.ts';
import { sleep } from '../../../core/system/deadline.ts';
import type { Cause } from '../../../core/vocabulary/stalls.ts';
import type { LinkDefinition } from '../../../harness/definition/link.ts';
import { mediaQueueSeries } from '../../../harness/record/series/queue.media.ts';
import type { TrialRecord } from '../../../harness/record/trial-record.ts';
import type { Span } from './tally.ts';
import type { Testbed } from './testbed.ts';

export type Injection = {
  what: string;
  expected: readonly Cause[];
  link?: LinkDefinition;
  /** The sender's rate is left to the controller where nothing is said. */
  controller?: { id: string; rate?: string };
  how: ByHand | ByLink;
};

/** Makes ready what is needed. `inject` does it once, at a moment of the window, and resolves when it is over. */
export type ByHand = { prepare(testbed: Testbed): Promise<{ inject(): Promise<void>; remove?(): Promise<void> }> };

/** The link does it by itself; the record tells when. */
export type ByLink = { spansOf(record: TrialRecord): Promise<Span[]> };

/** Injections of one trial, and the time from one to the next, ms. */
export const perTrial = 8;
export const everyMs = 4000;
export const rateBps = 20e6;

const outageMs = 400;
const queuedMs = 500;
const pausedMs = 300;
const hoggedMs = 450;
/** Threads of libuv's pool, where UV_THREADPOOL_SIZE says nothing else. */
const poolThreads = 4;
/** Losses of one burst follow each other by less, ms. */
const burstGapMs = 100;
/** A burst of this length makes a frame late by more than a stall's 200 ms. */
const longBurstMs = 200;

/** From the window's start, ms. */
export const injectionTimes = Array.from({ length: perTrial }, (_, i) => 2500 + i * everyMs);

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      continue; // it ended meanwhile
    }
  }
}

async function stopFor(pids: readonly number[], ms: number): Promise<void> {
  if (pids.length === 0) throw new CoexistError('trials-failed', 'there is no process to stop');
  signalAll(pids, 'SIGSTOP');
  try {
    await sleep(ms);
  } finally {
    signalAll(pids, 'SIGCONT');
  }
}

const mediaServers = (testbed: Testbed) => testbed.processIds(testbed.hosts.server, 'server/main.ts');

/**
 * Threads of a media server that only encode: x264's. They bear the name of the thread that made them, one of libuv's
 * pool, whose own threads are the oldest of that name. Those are spared: whoever wakes a thread that is held, as the
 * main thread would, may have to wait for it (glibc's pthread_cond_signal, when it begins a new group of waiters).
 */
function encodingThreads(pid: number): string[] {
  const named = readdirSync(`/proc/${pid}/task`).filter(
    thread => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim() === 'libuv-worker',
  );
  return named.sort((x, y) => Number(x) - Number(y)).slice(poolThreads);
}

/** Something for which nothing has to be made ready. */
const byHand = (inject: (testbed: Testbed) => Promise<void>): ByHand => ({
  prepare: testbed => Promise.resolve({ inject: () => inject(testbed) }),
});

async function prepareBlast({ hosts, addresses }: Testbed) {
  const blaster = hosts.other.start(
    'blast',
    [process.execPath, fileURLToPath(new URL('blast.mjs', import.meta.url)), addresses.client],
    { stdio: ['pipe', 'ignore', 'ignore'] },
  );
  return {
    inject: async () => {
      blaster.process.stdin!.write(`${(rateBps / 8000) * queuedMs}\n`);
    },
    remove: () => blaster.stop(),
  };
}

async function preparePause(testbed: Testbed) {
  const program = join(testbed.scratch, 'pause-threads');
  await run(['clang', '-O2', '-o', program, fileURLToPath(new URL('pause-threads.c', import.meta.url))]);
  return {
    inject: async () => {
      for (const pid of await mediaServers(testbed)) await run([program, String(pausedMs), ...encodingThreads(pid)]);
    },
  };
}

/** A hog that ends by itself: nothing else could end it. */
async function hog(): Promise<void> {
  const loop = `const end = Date.now() + ${hoggedMs}; while (Date.now() < end);`;
  await Promise.all(
    Array.from({ length: availableParallelism() }, () => run(['chrt', '-f', '1', process.execPath, '-e', loop])),
  );
}

/** Bursts of random loss in the queue's log. */
async function lossBursts(record: TrialRecord): Promise<Span[]> {
  const times = (await record.read(mediaQueueSeries))
    .flatMap(({ timeMs, offeredMs, dropped }) =>
      dropped.filter(({ reason }) => reason === 'random-loss').map(({ index }) => timeMs + offeredMs[index]!),
    )
    .sort((a, b) => a - b);
  const bursts: Span[] = [];
  for (const time of times) {
    const last = bursts.at(-1);
    if (last !== undefined && time - last.toMs < burstGapMs) last.toMs = time;
    else bursts.push({ fromMs: time, toMs: time });
  }
  return bursts.filter(
    ({ fromMs, toMs }) => toMs - fromMs > longBurstMs && fromMs > record.window.startMs && toMs < record.window.endMs,
  );
}

export const injections: readonly Injection[] = [
  {
    what: 'link outage of 400 ms',
    expected: ['outage'],
    link: {
      schedule: injectionTimes.flatMap(at => [
        { at: `${at}ms` as const, rate: '64kbit' as const },
        { at: `${at + outageMs}ms` as const, rate: '20mbit' as const },
      ]),
    },
    how: {
      spansOf: record =>
        Promise.resolve(
          injectionTimes.map(at => ({
            fromMs: record.window.startMs + at,
            toMs: record.window.startMs + at + outageMs,
          })),
        ),
    },
  },
  {
    what: 'loss bursts (Gilbert-Elliott)',
    expected: ['random-loss'],
    controller: { id: 'fixed', rate: '2mbit' },
    link: { loss: { toBad: '0.15%', toGood: '1.2%' } },
    how: { spansOf: lossBursts },
  },
  { what: 'queue of 500 ms, filled at once', expected: ['queue'], how: { prepare: prepareBlast } },
  { what: 'encoder paused for 300 ms', expected: ['encoder'], how: { prepare: preparePause } },
  {
    what: "sender's process stopped for 300 ms",
    expected: ['sender-host'],
    how: byHand(async testbed => stopFor(await mediaServers(testbed), pausedMs)),
  },
  {
    what: "receiver's processes stopped for 300 ms",
    expected: ['receiver-host'],
    how: byHand(async testbed => stopFor(await testbed.hosts.client.processIds(), pausedMs)),
  },
  {
    what: 'CPU hog for 450 ms, in real time on every core',
    expected: ['sender-host', 'receiver-host', 'link-host'],
    how: byHand(hog),
  },
];
