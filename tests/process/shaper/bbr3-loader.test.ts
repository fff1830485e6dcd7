/** The loader of BBRv3: that it builds, its words and exit statuses, and what a load leaves on the machine. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Output, run } from '../../../core/system/command.ts';
import { until } from '../../../core/system/deadline.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { machineLock } from '../../unit/support/machine-lock.ts';
import { sharedStart } from '../../unit/support/shared-start.ts';

const source = fileURLToPath(new URL('../../../shaper/bbr3/', import.meta.url));
let built: Output;
/** Why the kernel is not tried; undefined: this file alone loads and unloads BBRv3 on this machine. */
let unable: string | undefined = 'not asked yet';
let release = () => {};
// above the folder, so that it is unloaded before that goes
sharedStart(
  async () => {
    built = await run(['make', '-B', '-C', source, `BUILD=${build}`], { timeoutMs: 120_000 });
    release = await machineLock('bbr3');
    const check = await bbr3('check');
    unable =
      check.status !== 0 ? check.stderr.trim() : offered() ? 'bbr3 is loaded already, and not by this test' : undefined;
  },
  async () => {
    if (unable === undefined) await bbr3('unload');
    release();
  },
);
const folder = temporaryFolder();
const build = join(folder, 'build');
const loader = join(build, 'coexist-bbr3');
const object = join(build, 'bbr3.bpf.o');
const missing = await missingTool();
const skip = missing === undefined ? false : `needs ${missing}, to build the loader`;
const bbr3 = (...words: string[]) => run([loader, ...words], { allowFailure: true });
const offered = () =>
  readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').split(/\s+/).includes('bbr3');

async function missingTool(): Promise<string | undefined> {
  for (const tool of ['make', 'cc', 'clang'])
    if ((await run(['sh', '-c', `command -v ${tool}`], { allowFailure: true })).status !== 0) return tool;
  return existsSync('/usr/include/bpf/libbpf.h') ? undefined : 'the headers of libbpf';
}

test('object and loader build without a warning', { skip }, () => {
  assert.equal(built.stderr, '');
  assert.doesNotMatch(built.stdout, /warning/i);
  assert.ok(existsSync(object) && existsSync(loader));
});

test('wrong words are answered with the usage and status 1', { skip }, async () => {
  for (const words of [
    [],
    ['start'],
    ['load', '--quick'],
    ['load', '--object'],
    ['load', '--budget'],
    ['load', '--budget', 'large'],
    ['load', '--object-sha256'],
    ['load', '--object-sha256', 'a'.repeat(63)],
    ['load', '--object-sha256', 'g'.repeat(64)],
    ['watch', '--interval', '0'],
    ['watch', '--interval', '5x'],
    ['status', 'now'],
  ]) {
    const { status, stdout, stderr } = await bbr3(...words);
    assert.deepEqual([status, stdout], [1, ''], words.join(' '));
    assert.match(
      stderr,
      /^usage: coexist-bbr3 check\|load\|hold\|unload\|status\|sockets\|dump\|watch/,
      words.join(' '),
    );
  }
});

test('without the privilege it says so in a line, and in JSON', {
  skip: skip !== false ? skip : process.getuid?.() !== 0 && 'needs root, to give its privileges up',
}, async () => {
  // with the last two it could load it, and could not find it again
  for (const kept of ['', ',+bpf,+perfmon']) {
    const { status, stdout, stderr } = await run(
      ['setpriv', `--bounding-set=-all${kept}`, '--inh-caps=-all', loader, 'load', '--json'],
      { allowFailure: true },
    );
    assert.equal(status, 2);
    assert.match(stderr, /^coexist-bbr3: this needs root with CAP_SYS_ADMIN; .*\n$/);
    const reason = stderr.replace('coexist-bbr3: ', '').trim();
    assert.deepEqual(JSON.parse(stdout), { done: false, kind: 'cannot', reason });
  }
});

test('a file that is no such object is refused, and nothing is registered', { skip }, async context => {
  if (unable !== undefined) return context.skip(unable);
  const junk = join(folder, 'junk.o');
  writeFileSync(junk, 'not an object');
  for (const file of [junk, join(folder, 'none.o')]) {
    const { status, stderr } = await bbr3('load', '--object', file);
    assert.equal(status, 2);
    assert.match(stderr, /^coexist-bbr3: .*(junk|none)\.o: /);
  }
  assert.equal(offered(), false);
});

test('loading twice, asking, and unloading twice', { skip }, async context => {
  if (unable !== undefined) return context.skip(unable);
  const json = async (...words: string[]) => {
    const { status, stdout, stderr } = await bbr3(...words);
    assert.deepEqual([status, stderr], [0, ''], words.join(' '));
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  assert.equal((await json('status', '--json'))['loaded'], false);
  const hash = createHash('sha256').update(readFileSync(object)).digest('hex');
  const first = await json('load', '--telemetry', '--object-sha256', hash, '--json');
  assert.deepEqual(
    [first['already'], first['version'], first['telemetry'], first['budget']],
    [false, 3, true, 'draft'],
  );
  assert.equal(first['objectSha256'], hash);
  assert.equal(offered(), true);
  assert.equal((await json('load', '--json'))['already'], true);
  assert.equal((await json('status', '--json'))['telemetry'], true);
  const dump = await json('dump');
  assert.deepEqual([dump['sockets'], dump['events']], [[], []]);
  assert.deepEqual(dump['counters'], { sockets: 0, storeFailures: 0, events: 0 });
  assert.equal((await json('unload', '--json'))['was'], true);
  assert.equal(offered(), false);
  assert.equal((await json('unload', '--json'))['was'], false);
});

test('without the hash of its object it is loaded, and has none to tell', { skip }, async context => {
  if (unable !== undefined) return context.skip(unable);
  assert.equal(JSON.parse((await bbr3('load', '--json')).stdout).objectSha256, null);
  await bbr3('unload');
});

test('it is loaded with a budget, and keeps that', { skip }, async context => {
  if (unable !== undefined) return context.skip(unable);
  const budget = async (...words: string[]) =>
    (JSON.parse((await bbr3(...words, '--json')).stdout) as Record<string, unknown>)['budget'];
  assert.equal(await budget('load', '--budget', 'kernel'), 'kernel');
  assert.equal(await budget('load', '--budget', 'draft'), 'kernel');
  assert.equal(await budget('status'), 'kernel');
  await bbr3('unload');
});

test('without telemetry there is none to dump', { skip }, async context => {
  if (unable !== undefined) return context.skip(unable);
  await bbr3('load');
  const { status, stderr } = await bbr3('dump');
  assert.deepEqual([status, stderr], [2, 'coexist-bbr3: BBRv3 was loaded without telemetry\n']);
  await bbr3('unload');
  assert.equal((await bbr3('dump')).stderr, 'coexist-bbr3: BBRv3 is not loaded\n');
});

test('two that load at the same time both succeed; a killed one leaves all or nothing', { skip }, async context => {
  if (unable !== undefined) return context.skip(unable);
  const results = await Promise.all(Array.from({ length: 4 }, () => bbr3('load', '--telemetry')));
  assert.deepEqual(
    results.map(result => result.status),
    [0, 0, 0, 0],
  );
  await bbr3('unload');
  for (let delayMs = 0; delayMs < 40; delayMs += 4) {
    await run(['timeout', '--signal=KILL', `${delayMs / 1000 + 0.001}`, loader, 'load'], { allowFailure: true });
    const { status, stdout } = await bbr3('status', '--json');
    assert.equal(status, 0);
    assert.equal((JSON.parse(stdout) as { loaded: boolean }).loaded, offered());
    assert.equal((await bbr3('unload')).status, 0);
    assert.equal(offered(), false);
  }
});

test('who holds it keeps it there; of any number that hold it at once, the last one takes it away', {
  skip,
}, async context => {
  if (unable !== undefined) return context.skip(unable);
  const holders = Array.from({ length: 3 }, () =>
    spawn(loader, ['hold', '--json'], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const ends = holders.map(holder => once(holder, 'close'));
  const lines = await Promise.all(holders.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])));
  const told = lines.map(line => JSON.parse(line) as { already: boolean; forRuns: boolean });
  assert.deepEqual(told.map(({ already }) => already).sort(), [false, true, true]);
  assert.ok(told.every(({ forRuns }) => forRuns));
  const { status, stderr } = await bbr3('unload');
  assert.deepEqual(
    [status, stderr],
    [2, 'coexist-bbr3: 3 processes hold it; wait for the end of the runs that use it\n'],
  );
  holders[0]!.kill();
  assert.deepEqual(await ends[0], [0, null]);
  assert.match((await bbr3('unload', '--only-left')).stdout, /was not left by a run/);
  assert.equal(offered(), true);
  for (const { stdin } of holders.slice(1)) stdin.end();
  assert.deepEqual(await Promise.all(ends), [
    [0, null],
    [0, null],
    [0, null],
  ]);
  assert.equal(offered(), false);
});

test('a holder whose reader is gone while it loads takes it away again', { skip }, async context => {
  if (unable !== undefined) return context.skip(unable);
  const holder = spawn(loader, ['hold', '--json'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const end = once(holder, 'exit');
  holder.stdout.destroy();
  assert.deepEqual(await end, [0, null]);
  assert.equal(offered(), false);
});

/** Before the kernel's list of names is read for the first time it makes a file, and waits for another. */
const gate = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
FILE *fopen(const char *path, const char *mode)
{
  FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
  if (strstr(path, "tcp_available_congestion_control")) {
    fclose(real(getenv("GATE_REACHED"), "w"));
    while (access(getenv("GATE_OPEN"), F_OK) != 0) usleep(1000);
  }
  return real(path, mode);
}`;

test('one that is loaded between the two looks of who asks is ours, and not a stranger with the name', {
  skip,
}, async context => {
  if (unable !== undefined) return context.skip(unable);
  const library = join(folder, 'gate.so');
  await run(['cc', '-shared', '-fPIC', '-x', 'c', '-o', library, '-', '-ldl'], { input: gate });
  for (const command of ['check', 'status']) {
    const [reached, open] = [join(folder, `${command}-reached`), join(folder, `${command}-open`)];
    const env = { ...process.env, LD_PRELOAD: library, GATE_REACHED: reached, GATE_OPEN: open };
    const asked = run([loader, command, '--json'], { allowFailure: true, env });
    await until(() => existsSync(reached) || undefined, 30_000, 'the first look');
    await bbr3('load');
    writeFileSync(open, '');
    const { status, stdout } = await asked;
    await bbr3('unload');
    assert.equal(status, 0, stdout);
    assert.equal((JSON.parse(stdout) as { loaded: boolean }).loaded, true, command);
  }
});

/** The loader of a version whose constants have a member more. */
async function buildOtherVersion(): Promise<string> {
  const other = join(folder, 'other');
  cpSync(source, join(other, 'bbr3'), { recursive: true, filter: from => !from.endsWith('/build') });
  mkdirSync(join(other, 'native'));
  copyFileSync(join(source, '../native/hardening.mk'), join(other, 'native/hardening.mk'));
  const header = join(other, 'bbr3/telemetry.h');
  const text = readFileSync(header, 'utf8');
  const changed = text.replace('u32 for_runs;', 'u32 added;\n$&');
  assert.notEqual(changed, text);
  writeFileSync(header, changed);
  await run(['make', '-C', join(other, 'bbr3')], { timeoutMs: 120_000 });
  return join(other, 'bbr3/build/coexist-bbr3');
}

test("another version's is told from another module, and unloading takes it away where nobody holds it", {
  skip,
}, async context => {
  if (unable !== undefined) return context.skip(unable);
  const other = await buildOtherVersion();
  await run([other, 'load']);
  for (const command of ['status', 'check', 'load', 'hold', 'dump']) {
    const { status, stdout, stderr } = await bbr3(command, '--json');
    assert.equal(status, 2, command);
    assert.match(
      stderr,
      /^coexist-bbr3: another version of this program has loaded BBRv3; "coexist-bbr3 unload" .*\n$/,
    );
    assert.equal((JSON.parse(stdout) as { kind: string }).kind, 'taken');
  }
  // it may have been loaded to stay
  assert.match((await bbr3('unload', '--only-left')).stdout, /was not left by a run/);
  assert.equal(offered(), true);
  assert.match((await bbr3('unload')).stdout, /is unloaded/);
  const holder = spawn(other, ['hold'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  assert.match((await bbr3('unload')).stderr, /1 process holds it/);
  const end = once(holder, 'exit');
  holder.stdin.end();
  assert.deepEqual(await end, [0, null]);
  assert.equal(offered(), false);
});
