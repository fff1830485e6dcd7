/**
 * The same BBRv3 object on other kernels: Debian 12's 6.1 and the newest of Debian's archive, each with a short flow.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { bbr3Loader } from '../../shaper/bbr3/loader.ts';
import type { Bbr3Counters, Bbr3Event, Bbr3Identity, Bbr3Sample } from '../../shaper/bbr3/telemetry.ts';
import { fetchKernel, runInGuest } from './support/qemu-guest.ts';

const object = join(dirname(bbr3Loader), 'bbr3.bpf.o');
const folder = mkdtempSync(join(tmpdir(), 'coexist-kernels-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const skip = await whyNot();

async function whyNot(): Promise<string | false> {
  if (process.arch !== 'x64') return `the kernels are for x86-64, not ${process.arch}`;
  if (!existsSync(bbr3Loader)) return 'needs the loader of BBRv3: npm run setup';
  for (const [program, name] of [
    ['qemu-system-x86_64', 'qemu-system-x86'],
    ['busybox', 'busybox-static'],
    ['apt-get', 'apt'],
    ['dpkg-deb', 'dpkg'],
  ] as const) {
    if ((await run(['sh', '-c', 'command -v "$1"', 'sh', program], { allowFailure: true })).status !== 0)
      return `needs ${program} (Debian's package ${name})`;
  }
  return false;
}

type Load = Bbr3Identity & { done: boolean; already: boolean; reason?: string };
type Iperf3 = { end: { sum_received: { bits_per_second: number } } };

/** `suite`: a release of Debian, or null for the one that apt is set up for. */
const kernels: { title: string; suite: string | null; cong: 2 | 4 }[] = [
  { title: 'Debian 12: Linux 6.1', suite: 'bookworm', cong: 2 },
  { title: 'the newest of Debian', suite: 'sid', cong: 4 },
];

for (const { title, suite, cong } of kernels) {
  test(`BBRv3 loads on ${title} and carries a flow`, { skip, timeout: 900_000 }, async context => {
    const own = join(folder, suite ?? 'own');
    const kernel = await fetchKernel(own, suite);
    const { results, console } = await runInGuest(kernel, own, {
      'bin/coexist-bbr3': bbr3Loader,
      'bin/bbr3.bpf.o': object,
    });
    const result = <T>(name: string): T => {
      assert.ok(results.has(name), `the guest told no ${name}:\n${console.slice(-3000)}`);
      return results.get(name) as T;
    };
    assert.equal(results.get('problem'), undefined);
    assert.equal(result('kernel'), kernel.version);
    assert.equal(result<Load>('check').done, true, JSON.stringify(result('check')));
    const load = result<Load>('load');
    assert.deepEqual(
      [load.done, load.already, load.version, load.congControlArguments],
      [true, false, 3, cong],
      JSON.stringify(load),
    );
    assert.equal(load.objectSha256, createHash('sha256').update(readFileSync(object)).digest('hex'));
    const { counters, sockets, events } = result<{
      counters: Bbr3Counters;
      sockets: Bbr3Sample[];
      events: Bbr3Event[];
    }>('dump');
    assert.equal(counters.storeFailures, 0);
    const flow = sockets.toSorted((a, b) => b.deliveredPackets - a.deliveredPackets)[0]!;
    assert.ok(flow.version === 3 && flow.ringHits > 1000 && flow.ringHits > 20 * flow.ringMisses, JSON.stringify(flow));
    const states = events
      .filter(event => event.socket === flow.socket && event.from !== event.to)
      .map(event => event.to);
    assert.deepEqual(states.slice(0, 2), ['drain', 'down'], states.join(' '));
    assert.ok(states.includes('up') && states.includes('probe-rtt'), states.join(' '));
    const goodputBps = result<Iperf3>('flow').end.sum_received.bits_per_second;
    assert.ok(goodputBps > 12e6 && goodputBps < 20e6, `${goodputBps} bit/s over 20 Mbit/s`);
    assert.equal(result<Load>('again').already, true);
    assert.equal(result<Load>('unload').done, true);
    assert.ok(!result<string>('offered').split(' ').includes('bbr3'));
    context.diagnostic(
      `Linux ${kernel.version}: ${(goodputBps / 1e6).toFixed(1)} of 20 Mbit/s, ${flow.ringHits} packets found again, ` +
        `${flow.ringMisses} not, states ${states.slice(0, 8).join(' ')}`,
    );
  });
}
