import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyHash, selfSigned } from '../../../../../core/system/self-signed.ts';
import type { QuicConnection } from '../../../../../harness/services/shared/http3-program.ts';
import { QuicFlows, quicSwitches } from '../../../../../harness/services/shared/http3-server.ts';

const connection = (changes: Partial<QuicConnection> = {}): QuicConnection => ({
  port: 8101,
  peerPort: 40_000,
  congestionControl: 'bbr3',
  congestionWindowBytes: 100_000,
  rttMs: 50,
  sentBytes: 1e6,
  sentPackets: 900,
  lostPackets: 3,
  lostBytes: 3600,
  congestionEvents: 1,
  ...changes,
});
const flows = (asked: string) => new QuicFlows(asked, 'coexist-http3 0.1.0, noq 1.4.0');

test('a flow is a connection to a port of content that has carried some', () => {
  const reading = flows('bbr3').read([
    connection({ port: 8100, peerPort: 1 }),
    connection({ peerPort: 2, sentBytes: 9000 }),
    connection(),
  ])!;
  assert.deepEqual(
    reading.flows.map(({ startMs: _startMs, ...flow }) => flow),
    [
      {
        port: 40_000,
        congestionControl: 'bbr3',
        retransmittedBytes: null,
        sentBytes: 1e6,
        receivedBytes: null,
        quic: {
          congestionWindowBytes: 100_000,
          rttMs: 50,
          sentPackets: 900,
          lostPackets: 3,
          lostBytes: 3600,
          congestionEvents: 1,
        },
      },
    ],
  );
  assert.equal(reading.label, 'QUIC BBRv3');
  assert.match(
    reading.evidence,
    /noq 1\.4\.0: the state of each connection is that of its bbr3, which noq calls experimental$/,
  );
  assert.match(flows('cubic').read([connection({ congestionControl: 'cubic' })])!.evidence, /is that of its cubic$/);
});

test('it began when it was seen first', () => {
  const read = flows('bbr3');
  const first = read.read([connection()])!.flows[0]!.startMs;
  assert.deepEqual(
    read.read([connection(), connection({ peerPort: 3 })])!.flows.map(({ startMs }) => startMs === first),
    [true, false],
  );
});

test('without one there is nothing to say', () => assert.equal(flows('bbr3').read([connection({ port: 8100 })]), null));

test('one that has something else is a failure, not a reading', () => {
  assert.throws(() => flows('cubic').read([connection()]), {
    code: 'service-failed',
    message: 'a QUIC connection of the service uses bbr3, not cubic',
  });
});

test('a browser is told to speak QUIC with these origins, and whose key is right', () => {
  const { cert } = selfSigned('10.0.1.2');
  assert.deepEqual(quicSwitches(['https://10.0.1.2:8100', 'https://10.0.1.2:8101'], cert), [
    '--enable-quic',
    '--origin-to-force-quic-on=10.0.1.2:8100,10.0.1.2:8101',
    `--ignore-certificate-errors-spki-list=${keyHash(cert)}`,
  ]);
});
