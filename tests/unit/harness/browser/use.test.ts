import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { until } from '../../../../core/deadline.ts';
import { UseWatch, excess, useLimits, useOf } from '../../../../harness/browser/use.ts';

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
    const { processes, memoryBytes } = useOf(shell.pid!);
    assert.ok(processes >= 2 && processes <= 4, `${processes} processes`);
    assert.ok(memoryBytes > 0);
    assert.ok(useOf(process.pid).processes >= processes + 1);
  } finally {
    process.kill(-shell.pid!, 'SIGKILL');
  }
  await once(shell, 'exit');
  assert.deepEqual(useOf(0), { processes: 0, memoryBytes: 0 });
});

/** 60 MiB that are no process's own, in one of the ways to have such, and a child that has them as well. */
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

for (const kind of ['open', 'thread', 'mapped', 'anonymous']) {
  test(`memory that processes share counts once: ${kind}`, {
    skip: process.getuid?.() !== 0 && 'needs root, to see what is mapped',
  }, async () => {
    const child = spawn('python3', ['-c', takeShared, kind], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    try {
      let said = '';
      child.stdout.on('data', text => (said += text));
      await until(() => said.split('taken').length > 2 || undefined, 20_000, 'the memory to be taken');
      const mebibytes = useOf(child.pid!).memoryBytes / 2 ** 20;
      assert.ok(mebibytes > 60 && mebibytes < 110, `${mebibytes} MiB`);
      const near = useOf(child.pid!, 60 * 2 ** 20).memoryBytes / 2 ** 20;
      assert.ok(near > 60 && near < 110, `${near} MiB, where that is to be exact from 60 MiB on`);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
  });
}

test('the watch tells once, by an error that ends the trial', async () => {
  const errors: { code: string; message: string }[] = [];
  const watch = new UseWatch(
    () => useOf(process.pid),
    { ...limits, processes: 0 },
    error => errors.push(error),
  );
  await new Promise(resolve => setTimeout(resolve, 2300));
  watch.stop();
  assert.equal(errors.length, 1);
  assert.equal(errors[0]!.code, 'browser-died');
  assert.match(errors[0]!.message, /^the browser started \d+ processes, and may have 0$/);
});
