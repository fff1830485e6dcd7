/**
 * coexist-link between real hosts: delay, a bottleneck, predicted losses, bad requests, and what is left when it dies.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until, within } from '../../core/system/deadline.ts';
import { Lease } from '../../core/system/lease.ts';
import type { LinkCounters } from '../../shaper/emulator/link-answers.ts';
import { LinkProgram, linkProgram } from '../../shaper/emulator/link-program.ts';
import type { LinkBottleneck, LinkConfig, LinkPath } from '../../shaper/emulator/link-types.ts';
import { farEnd } from '../../shaper/emulator/port-pairs.ts';
import { predictedLosses } from '../../shaper/tc/loss.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { cannotRun } from './support/run-command.ts';
import type { TwoSenders } from './support/two-senders.ts';

const skip = cannotRun ?? (existsSync(linkProgram) ? false : 'needs the native program: npm run setup');
const state = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
const log = join(state, 'queue.log');
const devices = { down: 'lineDown', up: 'lineUp' };

let lease: Lease;
let dumbbell: TwoSenders;
let link: LinkProgram;

const router = (...argv: string[]) => dumbbell.hosts.router.run(argv);
const ping = (...words: string[]) =>
  dumbbell.hosts.server.run(['ping', '-n', ...words, dumbbell.addresses.client], {
    allowFailure: true,
    timeoutMs: 60_000,
  });
const roundTripsMs = (stdout: string) => [...stdout.matchAll(/time=([\d.]+) ms/g)].map(match => Number(match[1]));
const quantile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))]!;

function paths(delayUs: number, down: Partial<LinkPath> = {}): LinkPath[] {
  return [
    { direction: 'down', peer: dumbbell.addresses.server, delayUs, ...down },
    { direction: 'up', peer: dumbbell.addresses.server, delayUs },
  ];
}

const config = (own: Partial<LinkConfig> = {}): LinkConfig => ({
  seed: 1,
  overheadBytes: 14,
  paths: paths(0),
  bottleneck: null,
  ...own,
});

const fifo = (own: Partial<LinkBottleneck> = {}): LinkBottleneck => ({
  rateBps: 8e6,
  limitPackets: 50,
  limitBytes: null,
  aqm: { kind: 'fifo' },
  ecn: false,
  ...own,
});

/** Everything that came in is somewhere. */
function assertConserved({ paths: counted, bottleneck, noRoomPackets, writeErrors }: LinkCounters): void {
  for (const path of counted) {
    assert.equal(
      path.inPackets + path.duplicatedPackets,
      path.outPackets + path.lostPackets + path.droppedPackets + path.waitingPackets,
      JSON.stringify(path),
    );
    assert.equal(
      path.inBytes + path.duplicatedBytes,
      path.outBytes + path.lostBytes + path.droppedBytes + path.waitingBytes,
      JSON.stringify(path),
    );
  }
  if (bottleneck !== null) {
    assert.equal(
      bottleneck.inPackets,
      bottleneck.sentPackets + bottleneck.overflowPackets + bottleneck.aqmDroppedPackets + bottleneck.backlogPackets,
      JSON.stringify(bottleneck),
    );
  }
  assert.deepEqual([noRoomPackets, writeErrors], [0, 0]);
}

/** Leads what goes to the client from the server side, and what comes from it, through the link. */
async function lead(): Promise<void> {
  await router('ip', 'route', 'replace', 'default', 'dev', devices.down, 'table', '101');
  await router('ip', 'route', 'replace', 'default', 'dev', devices.up, 'table', '102');
}

before(async () => {
  if (skip !== false) return;
  lease = Lease.open(state);
  dumbbell = await Dumbbell.build(lease, twoSenders);
  for (const device of ['toServer', 'toFlooder'])
    await router('ip', 'rule', 'add', 'pref', '101', 'iif', device, 'to', '10.0.2.0/24', 'lookup', '101');
  await router('ip', 'rule', 'add', 'pref', '102', 'iif', 'toClient', 'lookup', '102');
  link = await LinkProgram.start(dumbbell.hosts.router, { ...devices, log });
  await lead();
});

after(async () => {
  await link?.stop();
  await dumbbell?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
});

describe('coexist-link', { skip }, () => {
  test('a delay of 25 ms each way is there, and little more', async () => {
    await link.set(config());
    const { stdout: without } = await ping('-i', '0.01', '-c', '100');
    await link.set(config({ paths: paths(25_000) }));
    const { stdout } = await ping('-i', '0.01', '-c', '200');
    const added = roundTripsMs(stdout);
    assert.equal(added.length, 200);
    assert.ok(Math.min(...added) >= 50, String(Math.min(...added)));
    // on a busy machine a packet may be late; most are not
    const error = quantile(added, 0.5) - 50 - quantile(roundTripsMs(without), 0.5);
    assert.ok(error > -0.2 && error < 1, `${error} ms more than asked for`);
    const counters = await link.read();
    assertConserved(counters);
    for (const path of counters.paths)
      assert.deepEqual([path.inPackets, path.outPackets, path.inBytes], [200, 200, 200 * 98]);
    assert.equal(counters.lateness.packets, 400);
    assert.ok(counters.lateness.p50Us <= counters.lateness.p99Us && counters.lateness.p99Us <= counters.lateness.maxUs);
  });

  test('a bottleneck serves one packet after the other and drops what does not fit', async () => {
    await link.set(config({ paths: paths(5000), bottleneck: fifo({ rateBps: 2e6 }) }));
    // 100 pings of 1514 bytes at once: 6.056 ms each
    const { stdout } = await ping('-i', '0.001', '-l', '100', '-c', '100', '-s', '1472', '-W', '1');
    const trips = roundTripsMs(stdout);
    assert.ok(trips.length >= 50 && trips.length < 100, `${trips.length} came back`);
    // 50 in queue and service: the last waits for them all
    assert.ok(Math.max(...trips) > 10 + 49 * 6.056, String(Math.max(...trips)));
    const counters = await link.read();
    assertConserved(counters);
    assert.equal(counters.bottleneck!.inPackets, 100);
    assert.equal(counters.bottleneck!.sentPackets, trips.length);
    assert.equal(counters.bottleneck!.overflowPackets, 100 - trips.length);
    assert.equal(counters.paths[0]!.droppedPackets, 100 - trips.length);
  });

  test('the way back has a bottleneck of its own', async () => {
    await link.set(config({ bottleneck: fifo({ rateBps: 20e6, limitPackets: 100 }), up: fifo({ rateBps: 2e6 }) }));
    // 60 pings of 1514 bytes at once: 0.6 ms each there, 6.056 ms each back, where 50 find room
    const { stdout } = await ping('-i', '0.001', '-l', '60', '-c', '60', '-s', '1472', '-W', '1');
    const trips = roundTripsMs(stdout);
    const counters = await link.read();
    assertConserved(counters);
    assert.ok(trips.length >= 50 && trips.length < 60, `${trips.length} came back`);
    assert.ok(Math.max(...trips) > 49 * 6.056, String(Math.max(...trips)));
    assert.deepEqual(
      [
        counters.bottleneck!.sentPackets,
        counters.up!.inPackets,
        counters.up!.sentPackets,
        counters.up!.overflowPackets,
      ],
      [60, 60, trips.length, 60 - trips.length],
    );
    await link.rate(40e6, 'up');
    assert.ok(
      Math.max(...roundTripsMs((await ping('-i', '0.001', '-l', '10', '-c', '10', '-s', '1472', '-W', '1')).stdout)) <
        60,
    );
  });

  test('the rate can be changed, by request and by schedule from start', async () => {
    await link.set(config({ bottleneck: fifo({ rateBps: 8e6, schedule: [{ atUs: 0, rateBps: 80e3 }] }) }));
    // 100 bytes: 0.1 ms at 8 Mbit/s, 10 ms at 80 kbit/s, 5 ms at 160 kbit/s; never less, and on a busy machine somewhat
    // more
    const assertTrip = async (leastMs: number) => {
      const trip = quantile(roundTripsMs((await ping('-c', '5', '-i', '0.1', '-s', '58')).stdout), 0.5);
      assert.ok(trip >= leastMs && trip < leastMs + 5, `${trip} ms, not ${leastMs}`);
    };
    await assertTrip(0.1);
    assert.ok((await link.start()) > 0);
    await assertTrip(10);
    await link.rate(160e3);
    await assertTrip(5);
  });

  test('exactly the predicted packets are lost', async () => {
    const [count, seed, ratio] = [1000, 1_704_381_886_358_269, 0.02];
    await link.set(config({ seed, paths: paths(1000, { loss: { kind: 'independent', ratio, where: 'before' } }) }));
    const { stdout } = await ping('-i', '0.001', '-c', String(count), '-W', '1');
    const answered = new Set([...stdout.matchAll(/icmp_seq=(\d+) /g)].map(match => Number(match[1])));
    const lost = Array.from({ length: count }, (_, k) => k).filter(k => !answered.has(k + 1));
    const flow = { source: dumbbell.addresses.server, destination: dumbbell.addresses.client, protocol: 1 };
    const predicted = predictedLosses(seed, { kind: 'independent', ratio }, flow, count);
    assert.ok(predicted.length > 5);
    assert.deepEqual(lost, predicted);
    const counters = await link.read();
    assertConserved(counters);
    assert.deepEqual(counters.flows, [
      { ...flow, packets: count, bytes: count * 98, lostPackets: lost.length, lostBytes: lost.length * 98 },
    ]);
  });

  test('every kind of queue and every feature at once: the books are right', async () => {
    for (const kind of ['fifo', 'confucius-like', 'codel', 'fq-codel', 'pie', 'dualpi2']) {
      await link.set(
        config({
          paths: paths(3000, {
            jitter: { maxUs: 2000 },
            reorder: { ratio: 0.05, delayUs: 1500 },
            duplicateRatio: 0.05,
            loss: {
              kind: 'gilbert-elliott',
              toBadRatio: 0.02,
              toGoodRatio: 0.3,
              badLossRatio: 0.5,
              goodLossRatio: 0.001,
              where: 'after',
            },
          }),
          bottleneck: fifo({ rateBps: 4e6, aqm: { kind }, ecn: !['fifo', 'confucius-like'].includes(kind) }),
        }),
      );
      await ping('-q', '-i', '0.001', '-l', '20', '-c', '400', '-s', '1000', '-W', '0.5');
      const counters = await link.read();
      assertConserved(counters);
      assert.equal(counters.paths[0]!.inPackets, 400, kind);
      assert.ok(counters.paths[0]!.duplicatedPackets > 0 && counters.paths[0]!.lostPackets > 0, kind);
    }
  });

  test('a wrong field is named, the old configuration stays, and the program goes on', async () => {
    await link.set(config({ paths: paths(20_000) }));
    const refused = (own: object, message: string) =>
      assert.rejects(link.set({ ...config(), ...own }), {
        code: 'link-refused',
        message: `the link refused its configuration: ${message}`,
      });
    await refused({ bottleneck: fifo({ rateBps: 0 }) }, 'set.bottleneck.rateBps: must be more than 0');
    await refused(
      { paths: [{ direction: 'down', peer: 'server', delayUs: 1 }] },
      'set.paths[0].peer: must be an IPv4 address',
    );
    await refused({ delay: 5 }, 'set.delay: is not known here');
    await refused(
      { bottleneck: fifo({ trace: { file: join(state, 'none') } }) },
      'set.bottleneck.trace.file: No such file or directory',
    );
    await assert.rejects(link.rate(1e6), {
      code: 'link-refused',
      message: /rate: there is no bottleneck with a rate$/,
    });
    const trips = roundTripsMs((await ping('-c', '3', '-i', '0.1')).stdout);
    assert.ok(trips.length === 3 && trips.every(trip => trip >= 40), String(trips));
    assert.equal((await link.read()).paths[0]!.inPackets, 3);
  });

  test('questions asked at once are answered in their order', async () => {
    await link.set(config());
    const [, counters, startedNs, refused] = await Promise.all([
      link.set(config({ seed: 2 })),
      link.read(),
      link.start(),
      link.rate(1).catch(error => error as Error),
    ]);
    assert.equal(counters.paths.length, 2);
    assert.ok(startedNs > 0);
    assert.match(String(refused), /there is no bottleneck/);
  });

  test('lines that are no requests are answered with an error', async () => {
    const child = dumbbell.hosts.router.start(
      'link',
      [linkProgram, '--down', farEnd(devices.down), '--up', farEnd(devices.up), '--priority', '0'],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    let text = '';
    child.process.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.process.stdin!.write(`nope\n{"read":1}\n{"x":${'1'.repeat(1 << 20)}}\n\n{"read":true}\n`);
    const lines = await until(
      () => (text.split('\n').length === 6 ? text.split('\n') : undefined),
      10_000,
      'five answers',
    );
    assert.match(lines[1]!, /^\{"error":"not JSON: .*, at byte \d+"\}$/);
    assert.deepEqual(lines.slice(2, 4), ['{"error":"read: must be true"}', '{"error":"a line of more than 1 MiB"}']);
    assert.match(lines[0]!, /^\{"ready":true,"scheduling":"normal","memory":"(un)?locked"\}$/);
    assert.match(lines[4]!, /^\{"counters":/);
    child.process.stdin!.end();
    assert.deepEqual(await within(child.ended, 5000, 'its end'), { status: 0, signal: null });
  });

  test('what cannot be started says why', async () => {
    const said = async (...words: string[]) => {
      const { status, stdout, stderr } = await dumbbell.hosts.router.run([linkProgram, ...words], {
        allowFailure: true,
      });
      return [status, stdout, stderr];
    };
    const usage = 'usage: coexist-link --down DEVICE --up DEVICE [--log FILE] [--priority 0..99]\n';
    for (const words of [
      [],
      ['--down', 'a'],
      ['--down', 'a', '--up', 'a'],
      ['--down', 'a', '--up', 'sixteenCharacters'],
      ['--down', 'a', '--up', 'b', '--priority', '100'],
      ['--down', 'a', '--up', 'b', 'c'],
    ]) {
      assert.deepEqual(await said(...words), [1, '', usage], words.join(' '));
    }
    assert.deepEqual(await said('--down', 'otherDown', '--up', devices.up), [
      2,
      '',
      'coexist-link: otherDown: no such device: No such device\n',
    ]);
    assert.deepEqual(await said('--down', devices.down, '--up', devices.up, '--log', '/nowhere/log'), [
      2,
      '',
      'coexist-link: /nowhere/log: No such file or directory\n',
    ]);
    await assert.rejects(LinkProgram.start(dumbbell.hosts.router, { down: 'sixteenWithFar', up: 'otherUp' }), {
      code: 'missing-kernel-feature',
      message: /not a valid ifname/,
    });
  });

  test('killed, everybody who waits hears of it, and another takes its place', async () => {
    const exist = async () => (await router('ip', '-j', 'link')).stdout.includes(devices.down);
    assert.ok(await exist());
    const own = (await dumbbell.hosts.router.processIds()).filter(
      pid => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'coexist-link\n',
    );
    assert.equal(own.length, 1);
    process.kill(own[0]!, 'SIGKILL');
    await assert.rejects(within(link.failed, 5000, 'its failure'), {
      code: 'link-died',
      message: 'coexist-link ended by SIGKILL',
    });
    await assert.rejects(link.read(), { code: 'link-died' });
    await link.stop();
    assert.equal(await exist(), false, 'its devices go with it');
    link = await LinkProgram.start(dumbbell.hosts.router, { ...devices, log });
    await lead();
    assert.equal(roundTripsMs((await ping('-c', '1')).stdout).length, 1);
  });

  test('stopped, it ends with status 0, and its log is whole', async () => {
    await link.set(config({ bottleneck: fifo({ limitPackets: 5 }) }));
    await ping('-q', '-i', '0.001', '-l', '20', '-c', '100', '-s', '1472', '-W', '0.5');
    const { bottleneck, log: logged } = await link.read();
    await link.stop();
    const bytes = readFileSync(log);
    assert.equal(bytes.subarray(0, 8).toString('latin1'), 'CXQLOG1\0');
    assert.deepEqual([bytes.readUInt32LE(8), bytes.readUInt32LE(12)], [64, 2]);
    const events = [0, 0, 0, 0, 0];
    for (let at = 64; at < bytes.length; at += 64) events[bytes[at + 37]!]!++;
    assert.deepEqual(events, [0, bottleneck!.sentPackets, bottleneck!.sentPackets, bottleneck!.overflowPackets, 0]);
    assert.ok(bottleneck!.overflowPackets > 0);
    assert.deepEqual(logged, { records: (bytes.length - 64) / 64, lost: 0 });
    await assert.rejects(link.read(), { code: 'link-died', message: 'coexist-link ended with status 0' });
  });
});
