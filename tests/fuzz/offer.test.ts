/**
 * Hostile offers. tests/golden/chromium-offer.sdp is what the project's page offers in Chromium 156: the starting point
 * of the damage. That nothing is thrown late is watched by the test runner, which fails a file with an uncaught
 * exception or rejection.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { until, within } from '../../core/system/deadline.ts';
import { maxMessageBytes } from '../../server/signaling/messages.ts';
import { Peer } from '../../server/transport/peer.ts';
import { effort } from './effort.ts';

const offer = readFileSync(new URL('../golden/chromium-offer.sdp', import.meta.url), 'utf8');
const deadlineMs = 20_000;

const words = [
  '',
  '0',
  '-1',
  '65536',
  '4294967296',
  '99999999999999999999',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  'H264/90000',
  'rtx/90000',
  'udp',
  'tcp',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.251',
  '::1',
  'x.local',
  'a.invalid',
  '127.0.0.1',
  'host',
  'srflx',
  'relay',
  'typ',
  'tcptype active',
  'sha-256',
  'UDP/TLS/RTP/SAVPF',
  'BUNDLE',
  'apt=108',
  '\0',
  'é',
  '😀',
  'x'.repeat(5000),
  ' '.repeat(3000),
  ';'.repeat(3000),
  ':'.repeat(3000),
  '1 '.repeat(3000),
];
const lines = [
  'a=group:BUNDLE 0 1 2',
  'a=group:BUNDLE',
  'a=ice-lite',
  'a=ice-options:renomination',
  'a=candidate:',
  'a=candidate:1 1 tcp 1 127.0.0.1 9 typ host tcptype active',
  'a=candidate:1 1 udp 1 ::1 9 typ host',
  'a=candidate:1 1 udp 1 x.local 9 typ host',
  'a=end-of-candidates',
  'a=ssrc:1',
  'a=ssrc:1 cname',
  'a=ssrc:x msid:y z',
  'a=ssrc-group:FID 1 2',
  'a=ssrc-group:',
  'a=rid:1 send',
  'a=simulcast:send 1;2 recv 3',
  'a=msid:a b',
  'a=msid',
  'a=sctpmap:5000 x 1',
  'a=sctp-port:x',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'm=',
  'm=video',
  'a=rtpmap:',
  'a=rtpmap:1 H264',
  'a=fmtp:',
  'a=fmtp:108',
  'a=fmtp:999 x=y',
  'a=rtcp-fb:',
  'a=rtcp-fb:* nack',
  'a=rtcp-fb:* ack ccfb',
  'a=rtcp-fb:108 ack ccfb',
  'a=extmap:',
  'a=extmap:x',
  'a=extmap:15 y',
  'c=IN',
  'c=',
  'o=',
  't=',
  'a=fingerprint:',
  'a=fingerprint:sha-256',
  'a=setup:',
  'a=setup:holdconn',
  'a=mid:',
  'a=rtcp:',
  'a=inactive',
  'a=sendrecv',
  '',
  'x',
  '=',
  'a',
  'a=',
];

type Change = (lines: string[]) => string[];
const at = fc.nat(60);
const change: fc.Arbitrary<Change> = fc.oneof(
  at.map(
    (i): Change =>
      given =>
        given.filter((_, k) => k !== i),
  ),
  fc.tuple(at, at).map(
    ([i, k]): Change =>
      given =>
        given.with(Math.min(i, given.length - 1), given[k] ?? ''),
  ),
  fc.tuple(at, fc.constantFrom(...lines)).map(
    ([i, line]): Change =>
      given =>
        given.toSpliced(i, 0, line),
  ),
  fc.tuple(at, fc.nat(10), fc.constantFrom(...words)).map(
    ([i, k, word]): Change =>
      given =>
        given.map((line, n) =>
          n === i
            ? line
                .split(/([ :=;])/)
                .map((part, p) => (p === k ? word : part))
                .join('')
            : line,
        ),
  ),
  fc.tuple(at, fc.nat(80)).map(
    ([i, length]): Change =>
      given =>
        given.map((line, n) => (n === i ? line.slice(0, length) : line)),
  ),
  fc.tuple(at, fc.nat(80), fc.nat(127)).map(
    ([i, k, code]): Change =>
      given =>
        given.map((line, n) => (n === i ? line.slice(0, k) + String.fromCharCode(code) + line.slice(k + 1) : line)),
  ),
  at.map(
    (i): Change =>
      given =>
        given.slice(0, i + 1),
  ),
  fc.tuple(at, fc.integer({ min: 2, max: 400 })).map(
    ([i, count]): Change =>
      given =>
        given.toSpliced(i, 0, ...Array<string>(count).fill(given[i] ?? '')),
  ),
);
const hostile = fc
  .tuple(fc.array(change, { minLength: 1, maxLength: 5 }), fc.constantFrom('\r\n', '\r\n', '\r\n', '\n'))
  .map(([changes, end]) =>
    changes
      .reduce((given, act) => (given.length === 0 ? [''] : act(given)), offer.split('\r\n'))
      .join(end)
      .slice(0, maxMessageBytes),
  );

/** Sockets that are open in this process. */
const udpSockets = () => process.getActiveResourcesInfo().filter(name => name === 'UDPWrap').length;

/** An answer, or undefined where the offer was refused with a reason. Anything else is a fault. */
async function attempt(sdp: string): Promise<Peer | undefined> {
  const answer = await within(Peer.answer(sdp), deadlineMs, 'the answer').catch((error: unknown) => {
    assert.ok(error instanceof CoexistError && error.code === 'usage' && error.message.length > 0, String(error));
  });
  if (answer === undefined) return undefined;
  const { peer, answerSdp } = answer;
  try {
    const { payloadType, rtxPayloadType, extensions } = peer.stream;
    assert.ok(answerSdp.startsWith('v=0') && answerSdp.length < 1e6, `${answerSdp.length}`);
    assert.ok(payloadType >= 0 && payloadType <= 127 && (rtxPayloadType === undefined || rtxPayloadType <= 127));
    assert.ok([...extensions.values()].every(id => id >= 1 && id <= 14));
  } catch (error) {
    await peer.close(); // or it would try to connect for ever
    throw error;
  }
  return peer;
}

test('damaged offers are answered or refused, soon, and leave nothing behind', async () => {
  const open: Peer[] = [];
  let [answered, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(hostile, async sdp => {
      const peer = await attempt(sdp);
      if (peer === undefined) {
        refused++;
        return;
      }
      answered++;
      open.push(peer); // some live for a while, so that they begin to connect
      if (open.length > 20) await open.shift()!.close();
    }),
    effort(20, 600),
  );
  await Promise.all(open.map(peer => peer.close()));
  assert.ok(answered > 100 && refused > 100, `${answered} answered, ${refused} refused`);
  await until(() => udpSockets() === 0 || undefined, deadlineMs, 'all sockets to close');
});

test('offers that would fill the memory or never connect are refused at once', async () => {
  const map = 'a=rtpmap:108 H264/90000';
  const section = offer.slice(offer.indexOf('m=video'));
  const bad = {
    // werift's answer to n descriptions of one payload type with m feedback kinds has n x n x m parts
    'one payload type 2500 times': offer.replace(map, Array(2500).fill(map).join('\r\n')),
    'one payload type 100 times, 2500 kinds of feedback': offer
      .replace(map, Array(100).fill(map).join('\r\n'))
      .replace('a=rtcp-fb:108 nack\r\n', 'a=rtcp-fb:108 nack\r\n'.repeat(2400)),
    'one payload type 100 times, 300 kinds of feedback': offer
      .replace(map, Array(100).fill(map).join('\r\n'))
      .replace('a=rtcp-fb:108 nack\r\n', 'a=rtcp-fb:108 nack\r\n'.repeat(300)),
    '128 payload types, 2400 kinds of feedback': offer
      .replace('108 109', Array.from({ length: 128 }, (_, i) => i).join(' '))
      .replace(map, Array.from({ length: 128 }, (_, i) => `a=rtpmap:${i} H264/90000`).join('\r\n'))
      .replace('a=rtcp-fb:108 nack\r\n', 'a=rtcp-fb:* nack\r\n'.repeat(2400)),
    '40 sections': offer + section.repeat(39),
    '700 names to look up': offer.replace(
      /a=candidate.*\r\n/,
      Array.from({ length: 700 }, (_, i) => `a=candidate:1 1 udp 1 ${i}.local 9 typ host\r\n`).join(''),
    ),
    'no credentials': offer.replace(/a=ice-pwd.*\r\n/, ''),
    'no fingerprint': offer.replace(/a=fingerprint.*\r\n/, ''),
  };
  for (const [what, sdp] of Object.entries(bad))
    assert.equal(await attempt(sdp.slice(0, maxMessageBytes)), undefined, what);
});

test('the most that passes is answered soon', async () => {
  const types = Array.from({ length: 128 }, (_, i) => i);
  const all = offer
    .replace('108 109', types.join(' '))
    .replace(/a=(rtpmap|fmtp):10[89].*\r\n/g, '')
    .replace(
      'a=rtcp-fb:108 nack\r\n',
      types.map(type => `a=rtpmap:${type} H264/90000\r\na=fmtp:${type} packetization-mode=1\r\n`).join('') +
        'a=rtcp-fb:* nack\r\n'.repeat(200),
    );
  const candidates = Array.from(
    { length: 450 },
    (_, i) => `a=candidate:${i} 1 udp 1 10.0.${i >> 8}.${i & 255} 9 typ host`,
  );
  for (const sdp of [all, offer.replace('a=rtcp-mux', `${candidates.join('\r\n')}\r\na=rtcp-mux`)]) {
    await ((await attempt(sdp)) ?? assert.fail('was refused')).close();
  }
});
