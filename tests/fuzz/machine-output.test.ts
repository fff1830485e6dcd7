/** Whatever programs of the machine print, and people write: it is a reading whose numbers are numbers, or none. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { CoexistError, type ErrorCode } from '../../core/errors.ts';
import { checkTold, z } from '../../core/schema/schema.ts';
import { ipAddresses, ipLinks, ipRoutes, readIpJson } from '../../core/system/ip-json.ts';
import { parsePingLine } from '../../core/system/ping.ts';
import { readToldJson } from '../../core/system/printed-json.ts';
import { parseProcStat } from '../../core/system/proc-stat.ts';
import { parseDurationMs, parseQueueLimit, parseRateBps, parseRatio, parseSizeBytes } from '../../core/text/units.ts';
import { readReceiverLine } from '../../harness/services/iperf/sized-receiver-line.ts';
import { readReceived } from '../../harness/services/udp-flow/received.ts';
import { parseSsLine } from '../../harness/trial/collect/tcp-sockets.ts';
import { ivfFrame, ivfHeader, readIvf } from '../../server/media/ivf.ts';
import { bbr3Answers } from '../../shaper/bbr3/loader.ts';
import { readTelemetry } from '../../shaper/bbr3/telemetry.ts';
import type { linkAnswers } from '../../shaper/emulator/link-answers.ts';
import { readLinkAnswer } from '../../shaper/emulator/link-program.ts';
import { queueLogEnd } from '../../shaper/queue-log/recorder.ts';
import { captureEnd } from '../../shaper/recording/capture.ts';
import { readQdiscs } from '../../shaper/tc/json.ts';
import { parseTcRate } from '../../shaper/tc/shapers.ts';
import { nameServersIn } from '../../shaper/topology/dns-relay.ts';
import { refusedNetworksOf, refuser } from '../../shaper/topology/refused-networks.ts';
import { parseTrace } from '../../shaper/traces/opportunities.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261123;
const folder = mkdtempSync(join(tmpdir(), 'coexist-fuzz-'));
after(() => rmSync(folder, { recursive: true }));

const texts = (...originals: string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: damaged(originals.map(text => Buffer.from(text))).map(bytes => bytes.toString('latin1')) },
    { weight: 1, arbitrary: fc.string() },
  );

/** Every number in it is finite. */
function finite(value: unknown, of: string): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value), of);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) finite(part, of);
}

const readers: [what: string, originals: string[], read: (text: string) => unknown][] = [
  [
    'ss',
    [
      'ESTAB 0 0 10.0.1.2:5201 10.0.2.2:44772 cubic wscale:7,7 rto:204 rtt:50.1/0.2 mss:1448 cwnd:10 bytes_sent:100 bytes_acked:99 lost:3 pacing_rate 123456bps delivery_rate 99bps minrtt:50.0',
      '0 0 [::ffff:10.0.1.2]:80 [::1]:9 bbr bbr:(bw:1234bps,mrtt:50.1) version:3 rtt:1.5/1 minrtt:0.04',
    ],
    parseSsLine,
  ],
  ['ping', ['[1763894400.123456] 64 bytes from 10.0.2.2: icmp_seq=17 ttl=63 time=50.3 ms'], parsePingLine],
  [
    'tc',
    [
      'class htb 1:10 root leaf 10: prio 0 rate 40Mbit ceil 40Mbit burst 1600b cburst 1600b',
      'class htb 1:10 root rate 2.5Gbit ceil 1bit',
    ],
    parseTcRate,
  ],
  ['resolv.conf', ['# x\nnameserver 127.0.0.53\n nameserver fe80::1%eth0\noptions edns0\n'], nameServersIn],
  ['rates', ['40mbit', '1.5gbit', '-3kbit', '1e3bit'], parseRateBps],
  ['durations', ['200ms', '2.5s', '-1min', '.5s'], parseDurationMs],
  ['percentages', ['2%', '0.05%', '1e2%'], parseRatio],
  ['sizes', ['64kB', '1.5MB', '9bytes'], parseSizeBytes],
  ['queue limits', ['1000packets', '2bdp', '1.5MB', '300ms'], parseQueueLimit],
];
for (const [what, originals, read] of readers) {
  test(what, () => {
    for (const text of originals) assert.notEqual(read(text), undefined, text);
    fc.assert(
      fc.property(texts(...originals), text => finite(read(text), JSON.stringify(text))),
      effort(seed, 1000),
    );
  });
}

const addresses = [
  { ifname: 'lo', addr_info: [{ family: 'inet', local: '127.0.0.1', prefixlen: 8 }] },
  { ifname: 'eth0', addr_info: [{ family: 'inet', local: '203.0.113.2', prefixlen: 24 }, { local: '10.1.2.3' }] },
];
const routes = [
  { dst: 'default', gateway: '203.0.113.1', dev: 'eth0', flags: [] },
  { dst: '198.51.100.0/24', dev: 'eth0' },
  { type: 'blackhole', dst: '192.0.2.1', cache: ['redirected'] },
];
const links = [
  { ifname: 'eth0', stats64: { rx: { bytes: 100, packets: 2, errors: 0 }, tx: { bytes: 5, packets: 1 } } },
];

/** What stands there after some damage, to the values or to the text. */
const printed = <T>(original: T) =>
  fc.oneof(
    { weight: 3, arbitrary: changed([original]).map(value => JSON.stringify(value)) },
    { weight: 1, arbitrary: texts(JSON.stringify(original), '') },
  );

/** What it reads, or undefined where it refuses in a line. */
function readOrRefused<T>(read: () => T, codes: readonly ErrorCode[] = ['command-failed']): T | undefined {
  try {
    return read();
  } catch (error) {
    assert.ok(error instanceof CoexistError && codes.includes(error.code), String(error));
    assert.ok(!error.message.includes('\n') && error.message.length < 1000, error.message);
    return undefined;
  }
}

test('ip: links, whose counters are numbers', () => {
  fc.assert(
    fc.property(printed(links), text => {
      for (const { stats64 } of readOrRefused(() => readIpJson(text, ipLinks)) ?? []) finite(stats64?.rx.bytes, text);
    }),
    effort(seed, 700),
  );
});

const qdiscs = [
  { kind: 'htb', handle: '1:', root: true, options: { r2q: 10 }, bytes: 10, packets: 1, drops: 0, backlog: 0, qlen: 0 },
  { kind: 'bfifo', handle: '10:', parent: '1:10', options: { limit: 250_000 }, bytes: 10, packets: 1, drops: 2 },
  { kind: 'netem', handle: '1:', root: true, options: { limit: 9, rate: { rate: '5000000', cellsize: 0 } }, qlen: 0 },
];

test('tc: queue disciplines, whose counters are numbers', () => {
  assert.deepEqual(readQdiscs(JSON.stringify(qdiscs)), qdiscs);
  assert.deepEqual(readQdiscs(''), []);
  const seen = { read: 0, refused: 0 };
  fc.assert(
    fc.property(printed(qdiscs), text => {
      const read = readOrRefused(() => readQdiscs(text));
      seen[read === undefined ? 'refused' : 'read']++;
      for (const { kind, bytes, drops, qlen, options } of read ?? []) {
        assert.equal(typeof kind, 'string');
        for (const value of [bytes, drops, qlen, options?.limit])
          assert.ok(value === undefined || (Number.isFinite(value) && value >= 0), text);
      }
    }),
    effort(seed, 700),
  );
  assert.ok(seen.read > 17 && seen.refused > 17, JSON.stringify(seen));
});

test('ip: whatever addresses and routes there are, networks are refused that can be', () => {
  const seen = { read: 0, refused: 0 };
  fc.assert(
    fc.property(printed(addresses), printed(routes), (own, known) => {
      const networks = readOrRefused(() =>
        refusedNetworksOf(readIpJson(own, ipAddresses), readIpJson(known, ipRoutes)),
      );
      if (networks === undefined) return void seen.refused++;
      seen.read++;
      const isRefused = refuser(networks);
      assert.ok(['127.0.0.1', '10.0.0.1', '169.254.169.254'].every(isRefused), networks.join());
      assert.ok(!isRefused('1.1.1.1') || own !== JSON.stringify(addresses) || known !== JSON.stringify(routes));
    }),
    effort(seed, 700),
  );
  assert.ok(seen.read > 17 && seen.refused > 17, JSON.stringify(seen));
});

/** Every number in it is finite and not negative. */
function countsOnly(value: unknown, of: string): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0, of);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) countsOnly(part, of);
}

const host = { name: 'right-2' };
const identity = {
  version: 3,
  draft: 'draft-ietf-ccwg-bbr-05',
  objectSha256: 'a5'.repeat(32),
  budget: 'kernel',
  telemetry: true,
  forRuns: true,
  congControlArguments: 4,
};
const model = {
  timeMs: 1234.567,
  socket: 7,
  maxBandwidthBps: 8e6,
  shortTermBandwidthBps: null,
  pacingBps: 16e6,
  minRttMs: 50.1,
  congestionWindowPackets: 80,
  inFlightPackets: 40,
  longTermInFlightPackets: null,
  shortTermInFlightPackets: 4,
  rounds: 9,
  deliveredPackets: 1000,
  lostPackets: 3,
};
const sample = {
  ...model,
  budget: 'kernel',
  version: 3,
  source: '10.0.1.2',
  sourcePort: 5201,
  destination: '10.0.2.2',
  destinationPort: 44772,
  beginMs: 1000.5,
  ended: false,
  state: 'probe-rtt',
  bandwidthBps: 8e6,
  rttMs: null,
  extraAckedPackets: 0,
  lossRounds: 1,
  transitions: 5,
  probeRttEpisodes: 1,
  acknowledgments: 500,
  ringHits: 499,
  ringMisses: 1,
  lostPacketsSeen: 3,
};
const event = {
  ...model,
  number: 1,
  event: 'plateau',
  from: 'startup',
  to: 'drain',
  pacingGainPercent: 277,
  probeWaitMs: 0,
};
const queue = Object.fromEntries(
  ['in', 'sent', 'overflow', 'aqmDropped', 'backlog', 'marked', 'duplicated', 'lost', 'dropped', 'out', 'waiting']
    .flatMap(name => [`${name}Packets`, `${name}Bytes`])
    .map((name, i) => [name, i * 1000]),
);
const counters = {
  paths: [{ direction: 'up', peer: '10.0.1.2', ...queue }],
  bottleneck: queue,
  up: null,
  flows: [
    {
      source: '10.0.1.2',
      destination: '10.0.2.2',
      protocol: 17,
      packets: 9,
      bytes: 9000,
      lostPackets: 1,
      lostBytes: 1000,
    },
  ],
  lateness: { p50Us: 1.5, p99Us: 20, maxUs: 100.5, packets: 9 },
  passedPackets: 0,
  passedBytes: 0,
  ignoredPackets: 2,
  noRoomPackets: 0,
  writeErrors: 0,
  log: { records: 18, lost: 0 },
  cpuMs: 12.5,
};
const loaded = { done: true, loaded: true, already: true, ...identity, runs: 5, runTimeNs: 900 };
const loader = (command: keyof typeof bbr3Answers) => (text: string) =>
  readToldJson(`coexist-bbr3 ${command} on ${host.name}`, text, bbr3Answers[command], 'service-failed');
/** As the reader of lines has it: what is no JSON comes no further. */
const line = (read: (said: unknown) => unknown) => (text: string) =>
  read(readToldJson('a program', text, z.unknown(), 'link-died'));
const ofLink = (request: keyof typeof linkAnswers) =>
  line(told => readLinkAnswer(`coexist-link on ${host.name}`, request, told));

const ownPrograms: [what: string, code: ErrorCode, originals: object[], read: (text: string) => unknown][] = [
  ['coexist-bbr3 status', 'service-failed', [loaded, { done: true, loaded: false }], loader('status')],
  [
    'coexist-bbr3 hold',
    'service-failed',
    [loaded, { done: false, kind: 'busy', reason: 'it is there' }],
    loader('hold'),
  ],
  ['coexist-bbr3 unload', 'service-failed', [{ done: true, was: true }], loader('unload')],
  [
    "BBRv3's telemetry",
    'service-failed',
    [
      { sample },
      { event },
      { ...identity, counters: { sockets: 7, storeFailures: 0, events: 1 } },
      { missedEvents: 3 },
    ],
    line(said => readTelemetry(said, host)),
  ],
  ['coexist-link read', 'link-died', [{ counters }], ofLink('read')],
  ['coexist-link start', 'link-died', [{ started: true, timeNs: 123_456_789 }], ofLink('start')],
  [
    'the queue log',
    'probe-died',
    [{ records: 12, lost: 0, unreported: 1, cpuMs: 1.5 }],
    line(said => checkTold(queueLogEnd, said, 'the queue log', 'probe-died')),
  ],
  [
    'the capture',
    'probe-died',
    [{ packets: 4, drops: 5 }],
    line(said => checkTold(captureEnd, said, 'the capture', 'probe-died')),
  ],
  [
    'the receiver of iperf',
    'service-failed',
    [{ begun: 40_000 }, { over: 40_000, durationMs: 1234.5, bytes: 64_000 }],
    text => readReceiverLine(text, host),
  ],
  [
    'the receiver of udp-flow',
    'service-failed',
    [{ packets: 5, bytes: 500, latePackets: 1, missingPackets: 1 }],
    text => readReceived(text, host),
  ],
];
for (const [what, code, originals, read] of ownPrograms) {
  test(`${what}: numbers in their ranges, or the end of a trial`, () => {
    for (const original of originals) read(JSON.stringify(original));
    const seen = { read: 0, refused: 0 };
    fc.assert(
      fc.property(fc.oneof(...originals.map(printed)), text => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const told = readOrRefused(() => read(text), isJson ? [code, 'link-refused'] : [code, 'link-died']);
        seen[told === undefined ? 'refused' : 'read']++;
        countsOnly(told, text);
      }),
      effort(seed, 1500),
    );
    assert.ok(seen.read > 5 && seen.refused > 100, JSON.stringify(seen));
  });
}

test('/proc/stat: cores are counted', () => {
  const original =
    'cpu  100 2 300 4000 50 6 7 8 0 0\ncpu0 50 1 150 2000 25 3 3 4 0 0\ncpu1 50 1 150 2000 25 3 4 4 0 0\nintr 5\n';
  assert.equal(parseProcStat(original).cores, 2);
});

test('traces: whole and in order, or refused with the line', () => {
  const originals = ['0\n1\n1\n5\n10\n', '3\n', '0\r\n7\r\n', '\ufeff# x\n 1\r2 # y\n\n4294967295'];
  fc.assert(
    fc.property(
      fc.oneof(
        texts(...originals).map(text => Buffer.from(text)),
        anyBytes(200),
      ),
      bytes => {
        try {
          const { timesMs, facts } = parseTrace(bytes, 'x.trace');
          finite(facts, String(bytes));
          assert.ok(facts.opportunities > 0 && facts.periodMs > 0 && facts.lowestRateBps <= facts.highestRateBps);
          assert.ok(timesMs.every((timeMs, k) => k === 0 || timeMs >= timesMs[k - 1]!));
        } catch (error) {
          assert.ok(error instanceof CoexistError && error.code === 'bad-definition', String(error));
        }
      },
    ),
    effort(seed, 1000),
  );
});

test('IVF: frames that lie in the file, or a refusal', () => {
  const original = Buffer.concat([
    ivfHeader({ width: 64, height: 32, frameRate: 30 }),
    ivfFrame(0, Buffer.from('first')),
    ivfFrame(2, Buffer.alloc(0)),
    ivfFrame(3, Buffer.from('third frame')),
  ]);
  const path = join(folder, 'video.ivf');
  fc.assert(
    fc.property(fc.oneof(damaged([original]), anyBytes(200)), bytes => {
      writeFileSync(path, bytes);
      try {
        const read = [...readIvf(path)];
        assert.ok(read.reduce((sum, { data }) => sum + data.length, 0) <= bytes.length);
        for (const { number } of read) assert.ok(Number.isFinite(number));
      } catch (error) {
        assert.ok(error instanceof CoexistError && error.code === 'bad-run-folder', String(error));
      }
    }),
    effort(seed, 500),
  );
});
