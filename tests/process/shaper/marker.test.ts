/** Marks on the wire: packets that leave a network namespace, as they come out of the router's other side. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Lease } from '../../../core/system/lease.ts';
import { dscpOf, ecnOf } from '../../../core/vocabulary/ecn.ts';
import { udpProtocol } from '../../../core/vocabulary/udp.ts';
import { checkMarker, Marker, type MarkRule } from '../../../shaper/marking/marker.ts';
import { Capture, captureProgram } from '../../../shaper/recording/capture.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import { cannotRun } from '../../e2e/support/run-command.ts';
import type { TwoSenders } from '../../e2e/support/two-senders.ts';

const skip = cannotRun ?? (existsSync(captureProgram) ? false : 'needs the native helpers: npm run setup');
const state = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
after(() => rmSync(state, { recursive: true, force: true }));

const [mediaPort, otherPort] = [50_000, 50_001];
const kinds = { rtp: '8060', rtcp: '80c8', stun: '0001' } as const;
type Kind = keyof typeof kinds;

/** Program that sends datagrams, each a port and the first bytes, to an address. */
const sender = `
  const { createSocket } = require('node:dgram');
  const [address, ...packets] = process.argv.slice(1);
  (async () => {
    for (const packet of packets) {
      const [port, start] = packet.split(':');
      const socket = createSocket('udp4');
      await new Promise(resolve => socket.bind(Number(port), resolve));
      const bytes = Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(100)]);
      await new Promise(resolve => socket.send(bytes, 9, address, resolve));
      socket.close();
    }
  })();
`;

type Seen = { port: number; kind: Kind; ecn: string; dscp: number; isSound: boolean };

/** Sum of the header's words in ones' complement: 0xffff for a header with the right checksum (RFC 1071). */
function headerSum(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum;
}

/** Returns the UDP packets of a pcap file with Ethernet headers. */
function packetsIn(file: string): Seen[] {
  const bytes = readFileSync(file);
  const seen: Seen[] = [];
  for (let at = 24; at + 16 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 8);
    const ip = bytes.subarray(at + 16 + 14, at + 16 + length);
    at += 16 + length;
    if (ip[9] !== udpProtocol) continue;
    const start = ip.subarray(28, 30).toString('hex');
    const kind = (Object.keys(kinds) as Kind[]).find(name => kinds[name] === start);
    if (kind === undefined) continue;
    const service = ip[1]!;
    const isSound = headerSum(ip.subarray(0, 20)) === 0xffff;
    seen.push({ port: ip.readUInt16BE(20), kind, ecn: ecnOf(service), dscp: dscpOf(service), isSound });
  }
  return seen;
}

describe('the marker of a host', { skip }, () => {
  let lease: Lease;
  let dumbbell: TwoSenders;

  before(async () => {
    lease = Lease.open(state);
    dumbbell = await Dumbbell.build(lease, twoSenders);
  });
  after(async () => {
    await dumbbell?.remove();
    lease?.release();
  });

  /** Sends one packet of each kind from both ports; returns what came out, and how many packets the marker changed. */
  async function send(rule: MarkRule, name: string): Promise<{ seen: Seen[]; changed: number | null }> {
    const { server, router } = dumbbell.hosts;
    const file = join(state, `${name}.pcap`);
    const capture = await Capture.start(router, 'toClient', file);
    const marker = await Marker.start(server, dumbbell.addresses.client, rule);
    const packets = [mediaPort, otherPort].flatMap(port => Object.values(kinds).map(start => `${port}:${start}`));
    await server.run([process.execPath, '-e', sender, dumbbell.addresses.client, ...packets]);
    const changed = await marker.stop();
    await capture.stop();
    return { seen: packetsIn(file), changed };
  }
  const outcome = (seen: readonly Seen[]) =>
    Object.fromEntries(seen.map(({ port, kind, ecn, dscp }) => [`${port} ${kind}`, `${ecn} ${dscp}`]));

  test('ECT(1) on RTP packets of the port, and on nothing else', async () => {
    await checkMarker();
    const { seen, changed } = await send(
      { protocol: udpProtocol, port: mediaPort, onlyRtp: true, ecn: { from: 'not-ect', to: 'ect1' } },
      'media',
    );
    const not = 'not-ect 0';
    assert.deepEqual(outcome(seen), {
      '50000 rtp': 'ect1 0',
      '50000 rtcp': not,
      '50000 stun': not,
      '50001 rtp': not,
      '50001 rtcp': not,
      '50001 stun': not,
    });
    assert.equal(changed, 1);
    assert.ok(
      seen.every(({ isSound }) => isSound),
      'a header with a wrong checksum',
    );
  });

  test('a DSCP on all packets, which the router forwards as it is', async () => {
    const { seen, changed } = await send({ protocol: null, port: null, dscp: 46 }, 'dscp');
    assert.equal(seen.length, 6);
    for (const { ecn, dscp, isSound } of seen) assert.deepEqual([ecn, dscp, isSound], ['not-ect', 46, true]);
    assert.ok(changed! >= 6);
  });

  test('after its end nothing is marked, and nothing is left at the device', async () => {
    const { seen, changed } = await send(
      { protocol: udpProtocol, port: mediaPort, ecn: { from: 'ect0', to: 'ect1' } },
      'none',
    );
    assert.deepEqual([new Set(seen.map(({ ecn }) => ecn)), changed], [new Set(['not-ect']), 0]);
    const { stdout } = await dumbbell.hosts.server.run(['tc', 'filter', 'show', 'dev', 'eth0', 'egress']);
    assert.equal(stdout.trim(), '');
  });

  test('a device or rule that does not exist is refused with the reason', async () => {
    await assert.rejects(
      Marker.start(dumbbell.hosts.server, dumbbell.addresses.client, { protocol: null, port: null, dscp: 64 }),
      { code: 'missing-kernel-feature', message: /usage: coexist-marker/ },
    );
  });
});
