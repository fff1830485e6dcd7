/** A link outside: a run inside shells of mahimahi that the test starts, in a namespace that stands for the machine. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../core/system/command.ts';
import { within } from '../../core/system/deadline.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import type { PreflightResult } from '../../shaper/calibrate/preflight.ts';
import { asUser } from '../../shaper/mahimahi/programs.ts';
import { cannotRun } from './support/run-command.ts';

const can = probeCapabilities();
const skip = cannotRun ?? (await can.shells()) ?? false;
const machine = `coexist-test-${process.pid}`;
const state = mkdtempSync(join(tmpdir(), 'coexist-outside-'));
const inside = (pid: string, argv: readonly string[]) => ['nsenter', `--net=/proc/${pid}/ns/net`, '--', ...argv];
const forward = ['sh', '-c', 'echo 1 >/proc/sys/net/ipv4/ip_forward'];
/** Says its process id, and waits for a line. */
const say = 'read -r pid rest </proc/self/stat; echo "$pid"; read -r line;';
/** Two opportunities every 4 ms: 6 Mbit/s of IP packets. */
const trace = '4\n4\n8\n8\n';

describe('a run inside shells of mahimahi', { skip }, () => {
  let shells: ReturnType<typeof spawn> | undefined;
  let innermost = '';

  before(async () => {
    await run(['ip', 'netns', 'add', machine]);
    await run(['ip', 'netns', 'exec', machine, ...forward]);
    const file = join(tmpdir(), `${machine}.trace`);
    await run(['sh', '-c', `umask 022; cat >"${file}"`], { input: trace });
    const queues = ['up', 'down'].flatMap(way => [`--${way}link-queue=droptail`, `--${way}link-queue-args=packets=50`]);
    const command = `${say} exec mm-link ${file} ${file} ${queues.join(' ')} -- sh -c '${say}'`;
    shells = spawn('ip', ['netns', 'exec', machine, ...asUser(['mm-delay', '20', 'sh', '-c', command])], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: shells.stdout! })[Symbol.asyncIterator]();
    const nextPid = async () => String((await within(lines.next(), 20_000, 'a shell to start')).value);
    // mm-link demands that its outer namespace forwards
    await run(inside(await nextPid(), forward));
    shells.stdin!.write('\n');
    innermost = await nextPid();
    rmSync(file);
  });

  after(async () => {
    if (shells !== undefined) {
      const ended = new Promise(resolve => shells!.once('close', resolve));
      shells.stdin!.end('\n');
      if (shells.exitCode === null) await within(ended, 10_000, 'the shells to end');
    }
    await run(['ip', 'netns', 'del', machine], { allowFailure: true });
    rmSync(state, { recursive: true, force: true });
  });

  test('measures them, judges nothing, and leaves nothing in them', async () => {
    const program = fileURLToPath(new URL('./support/in-shells.ts', import.meta.url));
    const { stdout } = await run(inside(innermost, [process.execPath, program, state]), { timeoutMs: 120_000 });
    const { counters, second, status, readings, findings } = JSON.parse(stdout) as PreflightResult & {
      counters: { sentPackets: number; sentBytes: number; up: null };
      second: string;
    };
    assert.deepEqual([counters.sentPackets, counters.sentBytes, counters.up], [10, 980, null]);
    assert.match(second, /another trial measures through the shells/);
    assert.equal(status, 'passed');
    assert.ok(readings.every(({ verdict }) => verdict === 'told'));
    const measured = (id: string) => readings.find(one => one.id === id)!.measured!;
    // full packets of 1514 bytes of Ethernet
    assert.ok(Math.abs(measured('rate') / ((6e6 * 1514) / 1500) - 1) < 0.02, `${measured('rate')}`);
    assert.ok(measured('base-round-trip') >= 38, `${measured('base-round-trip')}`);
    assert.match(findings[0]!.message, /^the link was there already, .*: base round trip, .*; rate under an overload/);
    for (const pid of [innermost, String(shells!.pid)]) {
      assert.doesNotMatch((await run(inside(pid, ['ip', 'rule']))).stdout, /iif/);
      assert.doesNotMatch((await run(inside(pid, ['ip', 'link']))).stdout, /coexist/);
    }
  });

  test('without a shell around it, the command is refused in one line', async () => {
    assert.equal(await can.shellsAround(), 'this command runs in no shell of mahimahi');
  });
});
