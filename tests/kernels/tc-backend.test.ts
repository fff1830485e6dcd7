/**
 * The `tc` backend inside a kernel that has netem and the AQMs: the product's own code sets it up, reads it back, and
 * it works.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { median } from '../../core/stats/quantile.ts';
import { nowMs } from '../../core/system/clock.ts';
import type { Child } from '../../core/system/command.ts';
import { sleepUntil, until } from '../../core/system/deadline.ts';
import { Lease } from '../../core/system/lease.ts';
import { type Link, type Path, plainLink } from '../../core/vocabulary/link.ts';
import { loadAqms } from '../../shaper/aqm/bound-aqm.ts';
import { aqmLimit } from '../../shaper/aqm/limit.ts';
import { type Capabilities, probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { qdiscsOf } from '../../shaper/tc/json.ts';
import { lossLoader, predictedLosses } from '../../shaper/tc/loss.ts';
import { noOtherKernel } from './support/packages.ts';
import { pingMs, startReceiver } from './support/traffic.ts';
import { UmlBox } from './support/uml-box.ts';

const skip = await noOtherKernel();
const state = mkdtempSync(join(tmpdir(), 'coexist-kernels-'));
const aqms = await loadAqms();
const icmp = 1;
/** This kernel's timers depend on a busy machine: one that is 0.3 ms late costs HTB a packet's time at 40 Mbit/s. */
const rateBound = 0.02;
const plain: Link = { ...plainLink(40e6, { unit: 'packets', value: 1000 }), backend: 'tc' };
const managed = (id: string, change: Partial<Link> = {}): Link => ({
  ...plain,
  aqm: { id, title: id, params: aqms.get(id)!.params.parse({}) },
  ...change,
});
const withPaths = (server: Partial<Path>, other: Partial<Path> = {}): Link => ({
  ...plain,
  paths: { server: { ...plain.paths.server!, ...server }, other: { ...plain.paths.other!, ...other } },
});

let lease: Lease;
let box: UmlBox;
let can: Capabilities;
let links: ShapedLink;

const inside = (...argv: string[]) => box.router.run(argv);
const ping = async (from: 'server' | 'other', count = 40) =>
  median(await pingMs(box.hosts[from], box.addresses.client, { count, intervalS: 0.02 }))!;
const qdiscs = (device: string) => qdiscsOf(box.router, device);

before(async () => {
  if (skip !== false) return;
  lease = Lease.open(state);
  box = await UmlBox.build(lease);
  can = probeCapabilities(box.router);
  links = new ShapedLink(box.topology, aqms, can);
});

after(async () => {
  await box?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
});

test('the kernel in the middle is another one, and every packet passes it once', { skip }, async t => {
  const [theirs, ours] = await Promise.all([inside('uname', '-r'), box.hosts.client.run(['uname', '-r'])]);
  t.diagnostic(`router ${theirs.stdout.trim()}, hosts ${ours.stdout.trim()}`);
  assert.notEqual(theirs.stdout, ours.stdout);
  for (const from of ['server', 'other'] as const)
    assert.match((await box.hosts[from].run(['ping', '-n', '-c', '1', box.addresses.client])).stdout, /ttl=63 /);
});

/** The words of tc(8) that are followed by a number, as the kernel counts it: times in us. */
function numbersOf(words: string): [string, number][] {
  return [...words.matchAll(/([a-z]\w*) (\d+)(us)?\b/g)].map(match => [match[1]!, Number(match[2])]);
}

describe('AQMs', { skip }, () => {
  test('this kernel has all but the newest', async () => {
    const lacking = await Promise.all(
      [...aqms.values()].map(async aqm => {
        const leaf = aqm.bind({}, aqm.id).tc(aqmLimit(plain));
        return leaf !== null && (await can.qdisc(`${leaf.kind} ${leaf.words}`)) !== null ? [aqm.id] : [];
      }),
    );
    assert.deepEqual(
      lacking.flat().filter(id => id !== 'dualpi2'),
      [],
    ); // in mainline since 6.17
  });

  for (const [id, aqm] of aqms) {
    test(`${id}: the kernel takes the words, holds the numbers and passes packets`, async t => {
      for (const ecn of [false, true]) {
        const link = managed(id, { ecn });
        const bound = aqm.bound(link.aqm.params);
        if (bound.refuse(aqmLimit(link)) !== null) continue;
        const leaf = bound.tc(aqmLimit(link));
        const lacking = leaf === null ? 'no kernel has it' : await can.qdisc(`${leaf.kind} ${leaf.words}`);
        if (leaf === null || lacking !== null) return t.skip(`not in this kernel: ${lacking}`);
        assert.equal(await links.set(link, 1), 'tc');
        await links.verify();
        const { kind, options } = (await qdiscs('toClient')).find(({ handle }) => handle === '10:')!;
        assert.equal(kind, leaf.kind);
        const held = numbersOf(leaf.words);
        assert.ok(held.length > 0, leaf.words);
        // CoDel counts in units of 1.024 us; PIE wakes at ticks of the kernel's clock, every 10 ms here
        for (const [word, value] of held) {
          const more = Number(options?.[word]) - value;
          assert.ok(
            word === 'tupdate' ? more >= 0 && more < 10_000 : Math.abs(more) <= 2,
            `${word} ${value}: ${JSON.stringify(options)}`,
          );
        }
        if (ecn && leaf.words.split(' ').includes('ecn'))
          assert.ok(options?.['ecn'] === true || options?.['ecn'] === 1, JSON.stringify(options));
        assert.ok((await ping('server', 5)) < 5);
        assert.ok((await links.counters()).sentPackets >= 5);
      }
      await inside(
        'tc',
        'qdisc',
        'replace',
        'dev',
        'toClient',
        'parent',
        '1:10',
        'handle',
        '11:',
        'bfifo',
        'limit',
        '9999',
      );
      await assert.rejects(links.verify(), { code: 'link-refused', message: /the queue is missing, not / });
    });
  }
});

describe('netem', { skip }, () => {
  test("delays one sender's packets, there and back, and nobody else's", async t => {
    await links.set(withPaths({ downMs: 25, upMs: 25 }), 1);
    await links.verify();
    const [server, other] = [await ping('server'), await ping('other')];
    t.diagnostic(`median RTT ${server} ms with 25 + 25 ms, ${other} ms without`);
    assert.ok(server > 50 && server < 53 && other < 3, `${server} and ${other} ms`);
    await links.clear();
    const after = await ping('server');
    assert.ok(after < 3, `${after} ms after it was taken off`);
    assert.doesNotMatch((await inside('tc', 'qdisc', 'show')).stdout, /netem|clsact|htb/);
    assert.doesNotMatch((await inside('ip', '-br', 'link')).stdout, /delay-/);
  });

  test('each sender has delays of its own, and each way', async () => {
    await links.set(withPaths({ downMs: 10 }, { upMs: 30 }), 1);
    const [server, other] = [await ping('server'), await ping('other')];
    assert.ok(server > 10 && server < 13 && other > 30 && other < 33, `${server} and ${other} ms`);
    assert.deepEqual(
      (await qdiscs('delay-toServer')).map(({ kind }) => kind),
      ['netem'],
    );
    assert.deepEqual(
      (await qdiscs('toFlooder')).map(({ kind }) => kind),
      ['netem'],
    );
  });

  test('brings a base round-trip time to what was asked for, whatever the way has of itself', async t => {
    await links.set(withPaths({ downMs: 25, rttMs: 50 }), 1);
    const server = await ping('server', 100);
    t.diagnostic(`median RTT ${server} ms`);
    assert.ok(Math.abs(server - 50) < 0.5, `${server} ms`);
  });

  test('holds more packets than netem does by itself', async () => {
    await links.set({ ...withPaths({ downMs: 500 }), queue: { unit: 'packets', value: 5000 }, rateBps: 100e6 }, 1);
    // all at once, so that all are in flight together; netem's own limit is 1000
    const { stdout } = await box.hosts.server.run(
      ['ping', '-q', '-f', '-l', '3000', '-c', '3000', '-W', '5', box.addresses.client],
      { allowFailure: true, timeoutMs: 60_000 },
    );
    assert.ok(Number(/ (\d+) received/.exec(stdout)?.[1]) > 2500, stdout); // ping's own socket may be too small for all
    assert.equal((await qdiscs('delay-toServer'))[0]!.drops, 0);
  });
});

describe('queue', { skip }, () => {
  let children: Child[] = [];

  /** UDP from the other; full frames. */
  async function flood(rateMbps: number): Promise<void> {
    children = [await startReceiver(box.hosts.client)];
    children.push(
      box.hosts.other.start(
        'iperf3',
        ['iperf3', '-c', box.addresses.client, '-u', '-b', `${rateMbps}M`, '-l', '1472', '-t', '60', '-i', '0'],
        { stdio: ['ignore', 'ignore', 'pipe'] },
      ),
    );
    await until(
      async () => ((await links.counters()).droppedPackets > 0 ? true : undefined),
      30_000,
      'the queue to overflow',
      { everyMs: 100 },
    );
  }

  /**
   * Rate that reaches the client, bit/s of full Ethernet frames: the median of the seconds, since one in which this
   * machine was busy tells nothing.
   */
  async function arrivingBps(seconds: number): Promise<number> {
    const rates: number[] = [];
    let before = await arrived();
    for (let k = 0; k < seconds; k++) {
      await sleepUntil(before.timeMs + 1000);
      const now = await arrived();
      rates.push(((now.packets - before.packets) * 1514 * 8000) / (now.timeMs - before.timeMs));
      before = now;
    }
    return median(rates)!;
  }

  async function arrived(): Promise<{ packets: number; timeMs: number }> {
    const { stdout } = await box.hosts.client.run(['ip', '-s', '-j', 'link', 'show', 'dev', 'eth0']);
    return {
      packets: (JSON.parse(stdout) as { stats64: { rx: { packets: number } } }[])[0]!.stats64.rx.packets,
      timeMs: nowMs(),
    };
  }

  async function quiet(): Promise<void> {
    for (const child of children.reverse()) await child.stop('SIGKILL');
    children = [];
  }

  after(quiet);

  test('HTB holds the rate, and a full FIFO the delay that its limit says', async t => {
    await links.set(plain, 1);
    try {
      await flood(48);
      const [rateBps, rtts] = await Promise.all([
        arrivingBps(8),
        pingMs(box.hosts.server, box.addresses.client, { count: 80, intervalS: 0.1 }),
      ]);
      const { backlogPackets } = await links.counters();
      const plateau = median(rtts)!;
      t.diagnostic(`${(rateBps / 1e6).toFixed(3)} Mbit/s, ${backlogPackets} packets wait, median RTT ${plateau} ms`);
      assert.ok(Math.abs(rateBps / 40e6 - 1) < rateBound, `${rateBps} bit/s`);
      assert.ok(backlogPackets >= 990 && backlogPackets <= 1000, `${backlogPackets} packets`);
      // 1000 frames of 1514 bytes
      assert.ok(Math.abs(plateau - 302.8) < 5, `${plateau} ms`);
    } finally {
      await quiet();
    }
  });

  test('the rate changes when the schedule says, and the queue stays', async t => {
    await links.set(
      {
        ...plain,
        schedule: [
          { atMs: 3000, rateBps: 10e6, rampMs: 0 },
          { atMs: 8000, rateBps: 20e6, rampMs: 1000 },
        ],
      },
      1,
    );
    try {
      await flood(48);
      const startMs = nowMs();
      await links.start();
      let sentBefore = 0;
      for (const [fromMs, toMs, asked] of [
        [0, 3000, 40e6],
        [3000, 8000, 10e6],
        [9000, 14_000, 20e6],
      ] as const) {
        await sleepUntil(startMs + fromMs + 500);
        const rateBps = await arrivingBps(Math.floor((toMs - fromMs - 500) / 1000));
        const { backlogPackets, sentPackets } = await links.counters();
        t.diagnostic(
          `${(rateBps / 1e6).toFixed(3)} Mbit/s, ${backlogPackets} packets wait, ${sentPackets} sent since the link was set`,
        );
        assert.ok(Math.abs(rateBps / asked - 1) < rateBound, `${rateBps} bit/s instead of ${asked}`);
        // a queue made anew would count from zero
        assert.ok(sentPackets > sentBefore + 500, `${sentPackets} sent, ${sentBefore} before`);
        sentBefore = sentPackets;
      }
    } finally {
      await quiet();
    }
  });
});

/** Times at which a train of full frames arrives, ms from the first's start: the router's queue is empty before it. */
async function trainMs(packets: number): Promise<number[]> {
  const { stdout } = await box.hosts.server.run(
    ['ping', '-n', '-l', String(packets), '-c', String(packets), '-s', '1472', '-W', '2', box.addresses.client],
    { timeoutMs: 20_000 },
  );
  return [...stdout.matchAll(/time=([\d.]+) ms/g)].map(match => Number(match[1])).sort((a, b) => a - b);
}

describe('shapers', { skip }, () => {
  const slow = { rateBps: 2e6 };
  /** A full frame at 2 Mbit/s. */
  const frameMs = (1514 * 8) / 2e3;

  for (const backend of ['tc', 'tbf', 'netem'] as const) {
    test(`${backend} keeps the gaps of a train; netem alone keeps the first packet back`, async t => {
      assert.equal(await links.set({ ...plain, ...slow, backend }, 1), backend);
      await links.verify();
      await ping('server', 3);
      const firsts: number[] = [];
      const gaps: number[] = [];
      for (let k = 0; k < 5; k++) {
        const times = await trainMs(10);
        assert.equal(times.length, 10);
        firsts.push(times[0]!);
        // the second goes at once where credit is left
        gaps.push(...times.slice(3).map((time, i) => time - times[i + 2]!));
      }
      const [first, gap] = [median(firsts)!, median(gaps)!];
      t.diagnostic(`${backend}: the first of ten after ${first} ms, then one every ${gap} ms; ${frameMs} ms each`);
      assert.ok(Math.abs(gap - frameMs) < 1, `a packet every ${gap} ms`);
      assert.ok(
        backend === 'netem' ? first > frameMs && first < frameMs + 3 : first < 3,
        `the first after ${first} ms`,
      );
      const { sentPackets, droppedPackets, backlogPackets } = await links.counters();
      assert.deepEqual([sentPackets, droppedPackets, backlogPackets], [53, 0, 0]);
    });
  }

  test('netem takes another limit under way and no other rate; it has its delays by netem, too', async () => {
    await links.set({ ...withPaths({ downMs: 25 }), ...slow, backend: 'netem' }, 1);
    const far = await ping('server');
    assert.ok(far > 25 && far < 30, `${far} ms`);
    await links.change({ queue: { unit: 'packets', value: 5 } });
    await links.verify();
    const { stdout } = await box.hosts.server.run(
      ['ping', '-n', '-q', '-l', '30', '-c', '30', '-s', '1472', '-W', '1', box.addresses.client],
      { allowFailure: true, timeoutMs: 20_000 },
    );
    assert.ok(Number(/ (\d+) received/.exec(stdout)?.[1]) < 15, stdout);
    await assert.rejects(links.change({ rateBps: 4e6 }), {
      code: 'link-refused',
      message: 'netem cannot change its rate while packets wait',
    });
    await assert.rejects(links.set({ ...plain, queue: { unit: 'ms', value: 50 }, backend: 'netem' }, 1), {
      code: 'missing-kernel-feature',
      message: /only a FIFO limited in packets/,
    });
    await links.clear();
    assert.doesNotMatch((await inside('tc', 'qdisc', 'show')).stdout, /netem|tbf|clsact|htb/);
  });
});

/**
 * PIE's drop probability after one update of an idle queue (Linux 6.1 net/sched/sch_pie.c, pie_calculate_probability),
 * above 0.1.
 */
const idleUpdate = (probability: number) => ((probability - 0.125 * 0.015) * 63) / 64;

test('PIE updates one tick later than it is told: every 30 ms for 20', { skip }, async t => {
  await links.set(
    managed('pie', { aqm: { id: 'pie', title: 'PIE', params: aqms.get('pie')!.params.parse({ update: '20ms' }) } }),
    1,
  );
  const read = async () => {
    const fromMs = nowMs();
    const [leaf] = (await qdiscs('toClient')).filter(({ handle }) => handle === '10:') as unknown as { prob: number }[];
    return { probability: leaf!.prob, timeMs: (fromMs + nowMs()) / 2 };
  };
  const receiver = await startReceiver(box.hosts.client);
  const flood = box.hosts.other.start(
    'iperf3',
    ['iperf3', '-c', box.addresses.client, '-u', '-b', '90M', '-l', '1472', '-t', '60', '-i', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    await until(async () => ((await read()).probability > 0.6 ? true : undefined), 30_000, 'PIE to drop most');
  } finally {
    await flood.stop('SIGKILL');
    await receiver.stop('SIGKILL');
  }
  await until(
    async () => ((await links.counters()).backlogPackets === 0 ? true : undefined),
    5000,
    'the queue to drain',
  );
  const first = await read();
  await sleepUntil(first.timeMs + 1200);
  const last = await read();
  let updates = 0;
  for (let { probability } = first; probability > last.probability; updates++) probability = idleUpdate(probability);
  const everyMs = (last.timeMs - first.timeMs) / updates;
  t.diagnostic(`${updates} updates, one every ${everyMs.toFixed(1)} ms (${first.probability} to ${last.probability})`);
  assert.ok(last.probability > 0.1 && everyMs > 27 && everyMs < 33, `every ${everyMs} ms`);
});

test('the classifier loses the same packets in this kernel', {
  skip: skip !== false ? skip : existsSync(lossLoader) ? false : 'needs the native helper: npm run setup',
}, async () => {
  const loss = { kind: 'independent', ratio: 0.02, where: 'before' } as const;
  const [seed, count] = [7, 1500];
  await links.set({ ...plain, loss }, seed);
  await links.verify();
  const { stdout } = await box.hosts.server.run(
    ['ping', '-n', '-i', '0.002', '-c', String(count), '-W', '1', box.addresses.client],
    { allowFailure: true, timeoutMs: 60_000 },
  );
  const answered = new Set([...stdout.matchAll(/icmp_seq=(\d+) /g)].map(match => Number(match[1])));
  const lost = Array.from({ length: count }, (_, k) => k).filter(k => !answered.has(k + 1));
  const predicted = predictedLosses(
    seed,
    loss,
    { source: box.addresses.server, destination: box.addresses.client, protocol: icmp },
    count,
  );
  assert.ok(predicted.length > 10);
  assert.deepEqual(lost, predicted);
});
