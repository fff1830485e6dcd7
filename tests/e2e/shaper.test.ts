/** The bottleneck, made for real: its queue, and losses that were predicted. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { median } from '../../core/stats/quantile.ts';
import { nowMs } from '../../core/system/clock.ts';
import { until, within } from '../../core/system/deadline.ts';
import type { LossModel } from '../../core/vocabulary/link.ts';
import { probeShaper } from '../../shaper/doctor/probes.ts';
import { lossLoader, predictedLosses } from '../../shaper/tc/loss.ts';
import { dumbbell, shapedLink, state } from './support/hosts.ts';
import { independent, tcLink } from './support/links.ts';
import { cannotRun } from './support/run-command.ts';
import { judgeSteadily } from './support/steady.ts';

const skip = cannotRun ?? (existsSync(lossLoader) ? false : 'needs the native helper: npm run setup');
const icmp = 1;
const spec = tcLink(40e6, { unit: 'packets', value: 1000 });
type Role = 'server' | 'router' | 'client' | 'other';

const on = (role: Role, ...argv: string[]) => dumbbell.hosts[role].run(argv);
const linkRefused = (message: RegExp) => ({ code: 'link-refused', message });

/** Packets that arrived at the router for the client. */
async function arrived(): Promise<number> {
  const links = JSON.parse((await on('router', 'ip', '-s', '-j', 'link')).stdout) as {
    ifname: string;
    stats64: { rx: { packets: number } };
  }[];
  return links
    .filter(link => ['toServer', 'toFlooder'].includes(link.ifname))
    .reduce((sum, link) => sum + link.stats64.rx.packets, 0);
}

/** The counters, and between which moments they were read. */
async function counters() {
  const fromMs = nowMs();
  const values = await shapedLink.counters();
  return {
    ...values,
    fromMs,
    toMs: nowMs(),
    accounted: values.sentPackets + values.droppedPackets + values.backlogPackets,
  };
}

/** The counters again and again for three seconds. */
async function readings(): Promise<Awaited<ReturnType<typeof counters>>[]> {
  const taken = [await counters()];
  await until(
    async () => {
      taken.push(await counters());
      return taken.at(-1)!.toMs - taken[0]!.fromMs > 3000 ? true : undefined;
    },
    15_000,
    'three seconds of flood',
  );
  return taken;
}

describe('queue', { skip }, () => {
  test('twice the rate fills the queue to its limit, and exactly the rate leaves it', context =>
    judgeSteadily(
      context,
      dumbbell.hosts.router,
      async () => {
        await shapedLink.set(spec, 1);
        await shapedLink.verify();
        const before = await arrived();
        const receiver = dumbbell.hosts.client.start('receiver', ['iperf3', '-s', '-1', '--forceflush']);
        await within(
          new Promise(resolve => receiver.process.stdout!.once('data', resolve)),
          10_000,
          'iperf3 -s to listen',
        );
        const flood = dumbbell.hosts.other.start(
          'flood',
          ['iperf3', '-c', dumbbell.addresses.client, '-u', '-b', '80M', '-l', '1472', '-t', '60', '-i', '0'],
          { stdio: 'ignore' },
        );
        try {
          await until(
            async () => ((await shapedLink.counters()).droppedPackets > 0 ? true : undefined),
            15_000,
            'the queue to be full',
          );
          // A wake-up that comes late loses its share of the rate, and a busy machine has many: nothing there makes a
          // link faster than asked, and a link that is slower than asked is so in every stretch.
          let most = 0;
          const backlogMedians: number[] = [];
          for (let stretch = 0; stretch < 5 && most <= 0.99 * spec.rateBps; stretch++) {
            const taken = await readings();
            const [first, last] = [taken[0]!, taken.at(-1)!];
            const backlogs = taken.map(reading => reading.backlogPackets);
            assert.ok(
              backlogs.every(packets => packets <= 1000),
              `the queue held up to ${Math.max(...backlogs)} packets`,
            );
            backlogMedians.push(Math.min(...backlogs) === 0 ? 0 : median(backlogs)!);
            // each reading was taken at some moment between two known ones
            const bits = (last.sentBytes - first.sentBytes) * 8;
            const least = (bits * 1000) / (last.toMs - first.fromMs);
            assert.ok(least < 1.01 * spec.rateBps, `at least ${least} bit/s left`);
            assert.ok(last.droppedPackets > first.droppedPackets);
            most = Math.max(most, (bits * 1000) / (last.fromMs - first.toMs));
          }
          await flood.stop();
          const end = await until(
            async () => {
              // a packet may come between the two readings
              const [reading, came] = [await counters(), (await arrived()) - before];
              return reading.backlogPackets === 0 && reading.accounted === came ? reading : undefined;
            },
            30_000,
            'the queue to drain, and all that came in to be sent or dropped',
          );
          assert.ok(end.sentBytes / end.sentPackets > 1400, 'full frames');
          return { most, backlogMedians };
        } finally {
          await flood.stop(); // or every test after this one would meet its packets
          await receiver.stop('SIGKILL');
        }
      },
      ({ most, backlogMedians }) => {
        assert.ok(
          backlogMedians.every(packets => packets > 950),
          `mostly ${backlogMedians.join(', ')} packets (0: it was empty once)`,
        );
        assert.ok(most > 0.99 * spec.rateBps, `at most ${most} bit/s left in any stretch`);
      },
    ));

  test('what comes in was sent, dropped, or waits', async () => {
    await shapedLink.set(tcLink(64e3, { unit: 'packets', value: 50 }), 1);
    const before = await arrived();
    // 100 pings of 1514 bytes: the link takes five a second
    await dumbbell.hosts.server.run(
      ['ping', '-q', '-f', '-c', '100', '-l', '100', '-s', '1472', '-W', '0.1', dumbbell.addresses.client],
      { allowFailure: true },
    );
    const { accounted, backlogPackets, droppedPackets, sentPackets } = await counters();
    assert.equal(accounted, (await arrived()) - before);
    assert.equal(accounted, 100);
    assert.ok(
      backlogPackets > 0 && droppedPackets > 0 && sentPackets > 0,
      `${sentPackets} sent, ${droppedPackets} dropped, ${backlogPackets} wait`,
    );
  });

  test('a limit in bytes or in time holds as many bytes', async () => {
    // 500 ms of 64 kbit/s are 4000 bytes: two frames of 1514
    for (const queue of [
      { unit: 'ms', value: 500 },
      { unit: 'bytes', value: 4000 },
    ] as const) {
      await shapedLink.set(tcLink(64e3, queue), 1);
      await shapedLink.verify();
      await dumbbell.hosts.server.run(
        ['ping', '-q', '-f', '-c', '20', '-l', '20', '-s', '1472', '-W', '0.1', dumbbell.addresses.client],
        { allowFailure: true },
      );
      const { backlogBytes, droppedPackets } = await shapedLink.counters();
      assert.ok([0, 1514, 2 * 1514].includes(backlogBytes), String(backlogBytes)); // some may have left by now
      assert.ok(droppedPackets > 10, String(droppedPackets));
    }
  });

  test('setting the link anew empties the queue and begins counting anew', async () => {
    await shapedLink.set(spec, 1);
    assert.deepEqual(await shapedLink.counters(), {
      sentBytes: 0,
      sentPackets: 0,
      droppedPackets: 0,
      markedPackets: 0,
      backlogBytes: 0,
      backlogPackets: 0,
      up: null,
      loss: [],
    });
  });
});

describe('random loss', { skip }, () => {
  const count = 1000;

  /** Which of `count` pings from server to client have no answer. */
  async function unanswered(): Promise<number[]> {
    const { stdout } = await dumbbell.hosts.server.run(
      ['ping', '-n', '-i', '0.001', '-c', String(count), '-W', '1', dumbbell.addresses.client],
      { allowFailure: true, timeoutMs: 60_000 },
    );
    const answered = new Set([...stdout.matchAll(/icmp_seq=(\d+) /g)].map(match => Number(match[1])));
    return Array.from({ length: count }, (_, k) => k).filter(k => !answered.has(k + 1));
  }

  for (const [lossRatio, seed] of [
    [0.02, 1],
    [0.005, 1_704_381_886_358_269],
  ] as const) {
    test(`at ${lossRatio * 100} % exactly the predicted packets are lost`, async () => {
      await shapedLink.set({ ...spec, loss: independent(lossRatio) }, seed);
      await shapedLink.verify();
      const lost = await unanswered();
      const { server: source, client: destination } = dumbbell.addresses;
      const predicted = predictedLosses(seed, independent(lossRatio), { source, destination, protocol: icmp }, count);
      assert.ok(predicted.length > 0);
      assert.deepEqual(lost, predicted);
      // an IP packet of 84 bytes in an Ethernet frame
      assert.deepEqual((await shapedLink.counters()).loss, [
        {
          source,
          destination,
          protocol: icmp,
          packets: count,
          bytes: count * 98,
          lostPackets: lost.length,
          lostBytes: lost.length * 98,
        },
      ]);
    });
  }

  for (const where of ['before', 'after'] as const) {
    test(`Gilbert-Elliott ${where} the queue: exactly the predicted packets are lost`, async () => {
      const model = {
        kind: 'gilbert-elliott',
        toBadRatio: 0.02,
        toGoodRatio: 0.2,
        badLossRatio: 0.9,
        goodLossRatio: 0.005,
        where,
      } as const;
      const seed = 9;
      await shapedLink.set({ ...spec, loss: model }, seed);
      await shapedLink.verify();
      const lost = await unanswered();
      const { server: source, client: destination } = dumbbell.addresses;
      assert.deepEqual(lost, predictedLosses(seed, model, { source, destination, protocol: icmp }, count));
      assert.ok(
        lost.some((k, i) => lost[i + 3] === k + 3),
        'four in a row',
      );
      assert.deepEqual((await shapedLink.counters()).loss, [
        {
          source,
          destination,
          protocol: icmp,
          packets: count,
          bytes: count * 98,
          lostPackets: lost.length,
          lostBytes: lost.length * 98,
        },
      ]);
    });
  }

  test('each sender has losses of its own', async () => {
    const seed = 5;
    await shapedLink.set({ ...spec, loss: independent(0.5) }, seed);
    await Promise.all(
      (['server', 'other'] as const).map(role =>
        dumbbell.hosts[role].run(['ping', '-q', '-i', '0.001', '-c', '200', '-W', '0.2', dumbbell.addresses.client], {
          allowFailure: true,
        }),
      ),
    );
    const { loss } = await shapedLink.counters();
    const { addresses } = dumbbell;
    for (const role of ['server', 'other'] as const) {
      const flow = loss.find(({ source }) => source === addresses[role])!;
      assert.equal(flow.packets, 200);
      assert.equal(
        flow.lostPackets,
        predictedLosses(
          seed,
          independent(0.5),
          { source: addresses[role], destination: addresses.client, protocol: icmp },
          200,
        ).length,
      );
    }
    assert.notEqual(loss[0]!.lostPackets, loss[1]!.lostPackets); // as predicted under this seed
  });
});

describe('what somebody changed is noticed', { skip }, () => {
  const cases: Record<string, { loss?: LossModel; change: string[]; message: RegExp }> = {
    'the rate': {
      change: [
        'tc',
        'class',
        'change',
        'dev',
        'toClient',
        'parent',
        '1:',
        'classid',
        '1:10',
        'htb',
        'rate',
        '39mbit',
        'ceil',
        '39mbit',
      ],
      message: /htb has the rate 39000000 bit\/s, not 40000000$/,
    },
    'the limit': {
      change: ['tc', 'qdisc', 'change', 'dev', 'toClient', 'parent', '1:10', 'handle', '10:', 'pfifo', 'limit', '999'],
      message: /the queue is pfifo with limit 999, not pfifo with 1000$/,
    },
    'the kind of queue': {
      change: [
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
        '1000000',
      ],
      message: /the queue is missing, not pfifo with 1000$/,
    },
    'the loss': {
      loss: independent(0.02),
      change: ['tc', 'filter', 'delete', 'dev', 'toClient', 'egress'],
      message: /the loss classifier is missing$/,
    },
    'the whole queue': {
      change: ['tc', 'qdisc', 'delete', 'dev', 'toClient', 'root'],
      message: /the root queue discipline of toClient is (noqueue|missing), not htb$/,
    },
  };
  for (const [name, { loss = null, change, message }] of Object.entries(cases)) {
    test(name, async () => {
      await shapedLink.set({ ...spec, loss }, 1);
      await shapedLink.verify();
      await on('router', ...change);
      await assert.rejects(
        shapedLink.verify(),
        linkRefused(new RegExp(`^the link is not what was asked for: .*${message.source}`)),
      );
    });
  }

  test('a queue that is gone has no counters', async () => {
    await shapedLink.set(spec, 1);
    await on('router', 'tc', 'qdisc', 'delete', 'dev', 'toClient', 'root');
    await assert.rejects(shapedLink.counters(), linkRefused(/the bottleneck queue is gone/));
  });

  test('cleared, there is nothing left of it', async () => {
    await shapedLink.set({ ...spec, loss: independent(0.02) }, 1);
    await shapedLink.clear();
    assert.doesNotMatch((await on('router', 'tc', 'qdisc', 'show', 'dev', 'toClient')).stdout, /htb|fifo limit|clsact/);
    await shapedLink.clear();
  });
});

test('the doctor tries all of it and leaves nothing', { skip }, async () => {
  const own = (process.env['COEXIST_STATE_DIR'] = mkdtempSync(join(state, 'doctor-')));
  const capabilities = await probeShaper();
  const ids = capabilities.map(({ id }) => id);
  for (const id of [
    'root',
    'namespaces',
    'default-link',
    'bottleneck',
    'tbf',
    'netem-rate',
    'loss',
    'netem',
    'line',
    'emulator',
    'aqm-codel',
    'aqm-dualpi2',
  ])
    assert.ok(ids.includes(id), id);
  assert.match(
    capabilities.find(({ id }) => id === 'default-link')!.found,
    /^emulator, serialising: .*; (real-time|normal) priority.*, memory (not )?locked.*; takes .* of a core at 40 Mbit/,
  );
  for (const { id, works, found, required } of capabilities) {
    // netem and CAKE are the kernel's own, mahimahi's shells are installed or not: another machine may have them
    if (required || !['netem', 'netem-rate', 'aqm-cake', 'mahimahi'].includes(id)) assert.ok(works, `${id}: ${found}`);
  }
  assert.deepEqual(readdirSync(own), []);
});
