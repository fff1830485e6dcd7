import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { until } from '../../../../../core/system/deadline.ts';
import { ProcessUse } from '../../../../../harness/trial/browser/process-use.ts';
import { excess, UseWatch, useLimits } from '../../../../../harness/trial/browser/use.ts';
import { useOf } from '../../../../unit/harness/support/use-of.ts';

const limits = { processes: 3, memoryBytes: 2 ** 30, windows: 1, downloads: 1 };

test('more memory or processes than a browser may have is said with both numbers', () => {
  assert.equal(excess({ processes: 3, memoryBytes: 2 ** 30 }, limits), undefined);
  assert.equal(
    excess({ processes: 1, memoryBytes: 1.5 * 2 ** 30 }, limits),
    'the browser took 1.5 GiB of memory, and may have 1.0 GiB',
  );
  assert.equal(excess({ processes: 4, memoryBytes: 0 }, limits), 'the browser started 4 processes, and may have 3');
  assert.equal(
    excess({ processes: 3, memoryBytes: 0, refusals: 1 }, limits),
    'the browser has 48 processes and threads, as many as it may have, and wanted more',
  );
  assert.ok(useLimits.memoryBytes > 0 && useLimits.processes > 10);
});

test('a process counts with all that it has started, from whichever thread; one that has ended counts nothing', async () => {
  const shell = spawn('sh', ['-c', '(sleep 30 & sleep 30; :) & echo ready; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    await once(shell.stdout, 'data');
    const { processes, memoryBytes } = await useOf(shell.pid!);
    assert.ok(processes >= 2 && processes <= 4, `${processes} processes`);
    assert.ok(memoryBytes > 0);
    assert.ok((await useOf(process.pid)).processes >= processes + 1);
  } finally {
    process.kill(-shell.pid!, 'SIGKILL');
  }
  await once(shell, 'exit');
  assert.deepEqual(await useOf(0), { processes: 0, memoryBytes: 0 });
});

/** Python program whose process and child share 60 MiB, allocated in one of several ways. */
const takeShared = `
import ctypes, mmap, os, sys, threading, time
size = 60 * 2**20
def memfd():
    file = os.memfd_create("x")
    for _ in range(60):
        os.write(file, b"x" * 2**20)
    return file
kinds = sys.argv[1].split()
if "open" in kinds:
    memfd()
if "thread" in kinds:
    def own():
        ctypes.CDLL(None).unshare(0x400)
        memfd()
        print("taken", flush=True)
        time.sleep(60)
    threading.Thread(target=own, daemon=True).start()
if "mapped" in kinds:
    file = memfd()
    kept = mmap.mmap(file, size)
    os.close(file)
if "anonymous" in kinds:
    shared = mmap.mmap(-1, size)
    for page in range(0, size, mmap.PAGESIZE):
        shared[page] = 1
if os.fork() == 0 or "thread" not in kinds:
    print("taken", flush=True)
time.sleep(60)`;

/**
 * Returns a function that returns the bytes shared on the machine: 8 GiB at the first call, `bytes` more at later
 * calls.
 */
function sharedGrowingBy(bytes: number): () => number {
  let readings = 0;
  return () => 8 * 2 ** 30 + (readings++ === 0 ? 0 : bytes);
}

for (const kind of ['open', 'thread', 'mapped', 'anonymous']) {
  test(`memory that processes share counts once: ${kind}`, {
    skip: process.getuid?.() !== 0 && 'needs root, to see what is mapped',
  }, async () => {
    const child = spawn('python3', ['-c', takeShared, kind], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    try {
      let said = '';
      child.stdout.on('data', text => (said += text));
      await until(() => said.split('taken').length > 2 || undefined, 20_000, 'the memory to be taken');
      const mebibytes = (await useOf(child.pid!)).memoryBytes / 2 ** 20;
      assert.ok(mebibytes > 60 && mebibytes < 110, `${mebibytes} MiB`);
      // all shared memory of the machine is attributed to the process from the beginning
      const known = new ProcessUse(child.pid!, 60 * 2 ** 20, 1e5, sharedGrowingBy(60 * 2 ** 20));
      const near = (await known.read()).memoryBytes / 2 ** 20;
      assert.ok(near > 60 && near < 110, `${near} MiB, where that is to be exact from 60 MiB on`);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
  });
}

test('what is shared is not counted each time where the machine shares much for others', async () => {
  const still = new ProcessUse(process.pid, 2 ** 30, 1e5, sharedGrowingBy(0));
  for (let k = 0; k < 3; k++) await still.read();
  assert.equal(still.counts, 0, 'nothing has come since the browser started');
  const more = new ProcessUse(process.pid, 2 ** 30, 1e5, sharedGrowingBy(2 ** 30));
  for (let k = 0; k < 3; k++) await more.read();
  assert.equal(more.counts, 1, 'it was not the browser');
});

test('what is shared is counted again from time to time, as others may have given memory back', async t => {
  const clock = t.mock.method(performance, 'now', performance.now.bind(performance));
  const startMs = performance.now();
  const use = new ProcessUse(process.pid, 2 ** 30, 1e5, sharedGrowingBy(0));
  await use.read();
  clock.mock.mockImplementation(() => startMs + 11_000);
  await use.read();
  assert.equal(use.counts, 1);
});

/** Python program with thirty threads that share 800 open files. */
const openMany = `
import os, threading, time
for _ in range(800):
    os.dup(0)
for _ in range(30):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("open", flush=True)
time.sleep(60)`;

test('a browser with very many open files is counted in turns with others, and only up to a limit', async () => {
  const child = spawn('python3', ['-c', openMany], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    let turns = 0;
    let isCounting = true;
    const count = () => {
      turns++;
      if (isCounting) setImmediate(count);
    };
    setImmediate(count);
    const whole = await useOf(child.pid!);
    isCounting = false;
    assert.ok(turns > 30, `${turns} turns of others`);
    assert.equal(excess(whole, limits), undefined);
    const part = await useOf(child.pid!, 5000);
    assert.equal(
      excess(part, limits),
      'the browser has more processes, threads, mappings and open files than the harness can count, so it was ended',
    );
    assert.equal((await useOf(process.pid, 3)).isPartial, true);
  } finally {
    child.kill('SIGKILL');
  }
});

test('the watch tells once, by an error that ends the trial', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const errors: { code: string; message: string }[] = [];
  let looks = 0;
  const watch = new UseWatch(
    () => {
      looks++;
      return useOf(process.pid);
    },
    { ...limits, processes: 0 },
    error => errors.push(error),
  );
  t.mock.timers.tick(2000);
  await until(() => errors[0], 30_000, 'it to tell');
  for (let k = 0; k < 5; k++) {
    t.mock.timers.tick(2000);
    await new Promise(setImmediate);
  }
  watch.stop();
  assert.equal(looks, 1, 'it does not look any more');
  assert.equal(errors.length, 1);
  assert.equal(errors[0]!.code, 'browser-died');
  assert.match(errors[0]!.message, /^the browser started \d+ processes, and may have 0$/);
});
