import assert from 'node:assert/strict';
import { createSocket, Socket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { after, test } from 'node:test';
import { RTCPeerConnection, RTCRtpCodecParameters, RTCRtpHeaderExtensionParameters, type RtpPacket } from 'werift';
import { seededRandom } from '../../../../core/random.ts';
import { until, within } from '../../../../core/system/deadline.ts';
import { extensionUri, transportSequence } from '../../../../server/rtp/header-extensions.ts';
import { Peer } from '../../../../server/transport/peer.ts';
import { askNoStunServer } from '../../../../server/transport/werift-internals.ts';

const chromiumOffer = readFileSync(new URL('../../../golden/chromium-offer.sdp', import.meta.url), 'utf8');
const voiceOffer = readFileSync(new URL('../../../golden/chromium-voice-offer.sdp', import.meta.url), 'utf8');
const deadlineMs = 30_000;

const refused = (sdp: string, message: RegExp) => assert.rejects(Peer.answer(sdp), { code: 'usage', message });

test("Chromium's offer is answered with one stream of H.264, its repair and our extensions", async () => {
  const { peer, answerSdp } = await Peer.answer(chromiumOffer);
  const { stream } = peer;
  await peer.close();
  assert.deepEqual([stream.payloadType, stream.rtxPayloadType, stream.mid], [108, 109, '0']);
  assert.deepEqual(
    stream.extensions,
    new Map([
      [extensionUri.absoluteSendTime, 2],
      [extensionUri.transportSequence, 4],
      [extensionUri.playoutDelay, 5],
      [extensionUri.mid, 9],
    ]),
  );
  for (const line of [
    'a=sendonly',
    'a=setup:active',
    'a=mid:0',
    'a=rtcp-mux',
    'a=rtpmap:108 H264/90000',
    'a=fmtp:109 apt=108',
    'a=rtcp-fb:108 transport-cc',
    'a=rtcp-fb:108 nack',
    `a=ssrc-group:FID ${stream.ssrc} ${stream.rtxSsrc}`,
  ])
    assert.ok(answerSdp.split('\r\n').includes(line), line);
});

test("for a controller that goes by the receiver's estimate REMB is negotiated, and nothing transport-wide", async () => {
  const { peer, answerSdp } = await Peer.answer(chromiumOffer, { feedback: 'remb' });
  const { stream } = peer;
  await peer.close();
  assert.deepEqual(
    stream.extensions,
    new Map([
      [extensionUri.absoluteSendTime, 2],
      [extensionUri.playoutDelay, 5],
      [extensionUri.mid, 9],
    ]),
  );
  assert.deepEqual(
    answerSdp
      .split('\r\n')
      .filter(line => line.startsWith('a=rtcp-fb:'))
      .map(line => line.replace(/^a=rtcp-fb:\d+ /, ''))
      .sort(),
    ['ccm fir', 'goog-remb', 'nack', 'nack pli'],
  );
  assert.ok(!answerSdp.includes(extensionUri.transportSequence));
});

const protectedOffer = chromiumOffer
  .replace('SAVPF 108 109', 'SAVPF 108 109 110')
  .replace(
    'a=fmtp:109 apt=108',
    'a=fmtp:109 apt=108\r\na=rtpmap:110 flexfec-03/90000\r\na=rtcp-fb:110 goog-remb\r\na=rtcp-fb:110 transport-cc\r\n' +
      'a=fmtp:110 repair-window=10000000',
  );

test("error correction, where it is wanted and offered: a stream of its own, grouped with the media's", async () => {
  const { peer, answerSdp } = await Peer.answer(protectedOffer, { isProtected: true });
  const { ssrc, protection } = peer.stream;
  await peer.close();
  assert.equal(protection?.payloadType, 110);
  const lines = answerSdp.split('\r\n');
  for (const line of ['a=rtpmap:110 flexfec-03/90000', `a=ssrc-group:FEC-FR ${ssrc} ${protection.ssrc}`])
    assert.ok(lines.includes(line), line);
  const cname = (of: number) =>
    lines
      .find(line => line.startsWith(`a=ssrc:${of} cname:`))
      ?.split(':')
      .at(-1);
  assert.ok(cname(ssrc) !== undefined && cname(protection.ssrc) === cname(ssrc));
});

test('no error correction unasked; where it is not offered the wish is refused', async () => {
  const { peer, answerSdp } = await Peer.answer(protectedOffer);
  assert.equal(peer.stream.protection, undefined);
  await peer.close();
  assert.ok(!/flexfec|FEC-FR/.test(answerSdp));
  await assert.rejects(Peer.answer(chromiumOffer, { isProtected: true }), { code: 'usage', message: /no FlexFEC/ });
});

test('without that wish no REMB is asked for', async () => {
  const { peer, answerSdp } = await Peer.answer(chromiumOffer);
  await peer.close();
  assert.ok(!answerSdp.includes('goog-remb'));
});

test('an offer without REMB or send times is refused where they are needed', async () => {
  for (const line of ['a=rtcp-fb:108 goog-remb\r\n', `a=extmap:2 ${extensionUri.absoluteSendTime}\r\n`]) {
    assert.ok(chromiumOffer.includes(line));
    await assert.rejects(Peer.answer(chromiumOffer.replace(line, ''), { feedback: 'remb' }), {
      code: 'usage',
      message: /no REMB/,
    });
  }
});

test('no STUN server is asked: nobody is spoken to by name', async t => {
  const send = t.mock.method(Socket.prototype, 'send');
  const { peer, answerSdp } = await Peer.answer(chromiumOffer, { extraHostAddresses: ['127.0.0.1'] });
  const candidates = answerSdp.split('\r\n').filter(line => line.startsWith('a=candidate:'));
  assert.ok(candidates.length > 0 && candidates.every(line => line.includes(' typ host')), candidates.join('\n'));
  await until(() => send.mock.callCount() > 0 || undefined, deadlineMs, 'the first connectivity check');
  await peer.close();
  for (const call of send.mock.calls)
    assert.ok(isIP(String((call.arguments as unknown[])[2])) !== 0, String(call.arguments));
});

test('a voice is answered beside the video: Opus and RED, with feedback and the extensions that it needs', async () => {
  const { peer, answerSdp } = await Peer.answer(voiceOffer, { media: ['video', 'audio'] });
  const { stream, voice } = peer;
  await peer.close();
  assert.deepEqual([stream.payloadType, voice?.payloadType, voice?.redPayloadType, voice?.mid], [108, 111, 63, '1']);
  assert.notEqual(voice!.ssrc, stream.ssrc);
  assert.deepEqual(
    voice!.extensions,
    new Map([
      [extensionUri.absoluteSendTime, 2],
      [extensionUri.transportSequence, 4],
      [extensionUri.mid, 9],
    ]),
  );
  const audio = answerSdp.slice(answerSdp.indexOf('m=audio')).split('\r\n');
  for (const line of ['a=sendonly', 'a=rtpmap:111 opus/48000/2', 'a=rtcp-fb:111 transport-cc', 'a=fmtp:63 111/111'])
    assert.ok(audio.includes(line), line);
  assert.ok(answerSdp.includes('a=group:BUNDLE 0 1') && !answerSdp.includes('a=msid:'));
});

test('video and voice belong to one stream if they are to be played in sync', async () => {
  const { peer, answerSdp } = await Peer.answer(voiceOffer, { media: ['video', 'audio'], inSync: true });
  await peer.close();
  assert.deepEqual(
    answerSdp.split('\r\n').filter(line => line.startsWith('a=msid:')),
    ['a=msid:coexist 0', 'a=msid:coexist 1'],
  );
});

test('a voice alone is answered, too; one that is not offered, or without Opus, is refused', async () => {
  const alone = voiceOffer.replace(/m=video[^]*(?=m=audio)/, '').replace('BUNDLE 0 1', 'BUNDLE 1');
  const { peer } = await Peer.answer(alone, { media: ['audio'] });
  assert.equal(peer.voice?.payloadType, 111);
  await peer.close();
  for (const [sdp, message] of [
    [chromiumOffer, /no audio section/],
    [voiceOffer.replaceAll('opus', 'pcmu'), /no Opus|refused/],
  ] as const)
    await assert.rejects(Peer.answer(sdp, { media: ['video', 'audio'] }), { code: 'usage', message });
});

test('a browser without RTX is served without repair', async () => {
  const { peer } = await Peer.answer(
    chromiumOffer.replace('SAVPF 108 109', 'SAVPF 108').replace(/a=rtpmap:109.*\r\na=fmtp:109.*\r\n/, ''),
  );
  assert.equal(peer.stream.rtxPayloadType, undefined);
  await peer.close();
});

test('an extension id that a one-byte header cannot hold is not used', async () => {
  const { peer } = await Peer.answer(chromiumOffer.replace('a=extmap:4 ', 'a=extmap:15 '));
  assert.deepEqual([...peer.stream.extensions.values()].sort(), [2, 5, 9]);
  await peer.close();
});

test('feedback by RFC 8888, where it is wanted and offered: without transport-wide feedback and its extension', async () => {
  const offer = chromiumOffer.replace('a=rtcp-fb:108 goog-remb', 'a=rtcp-fb:* ack ccfb\r\na=rtcp-fb:108 goog-remb');
  const { peer, answerSdp } = await Peer.answer(offer, { feedback: 'ccfb' });
  await peer.close();
  assert.equal(peer.feedback, 'ccfb');
  assert.deepEqual(
    answerSdp.split('\r\n').filter(line => /ccfb|transport/.test(line)),
    ['a=rtcp-fb:* ack ccfb'],
  );
  assert.deepEqual([...peer.stream.extensions.values()].sort(), [2, 5, 9]);
  const perType = await Peer.answer(offer.replace('rtcp-fb:* ack', 'rtcp-fb:108 ack'), { feedback: 'ccfb' });
  await perType.peer.close();
  assert.deepEqual(
    perType.answerSdp.split('\r\n').filter(line => /ccfb|transport/.test(line)),
    ['a=rtcp-fb:108 ack ccfb'],
  );
  const unasked = await Peer.answer(offer);
  await unasked.peer.close();
  assert.equal(unasked.peer.feedback, 'transport-cc');
  assert.deepEqual(
    unasked.answerSdp.split('\r\n').filter(line => /ccfb|transport-cc/.test(line)),
    ['a=rtcp-fb:108 transport-cc'],
  );
  await assert.rejects(Peer.answer(chromiumOffer, { feedback: 'ccfb' }), {
    code: 'usage',
    message: /no feedback by RFC 8888/,
  });
});

test('an offer is refused with its reason', async () => {
  await refused('v=0 garbage', /no video section/);
  await refused(chromiumOffer.replaceAll('H264', 'VP8'), /refused/);
  await refused(
    chromiumOffer.replace('packetization-mode=1', 'packetization-mode=0'),
    /no H\.264 in packetization mode 1/,
  );
  await refused(chromiumOffer.replace('a=mid:0\r\n', ''), /refused/);
});

/** A viewer in this process, connected over the loopback interface. */
async function connect() {
  const viewer = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    codecs: {
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/H264',
          clockRate: 90000,
          rtcpFeedback: [{ type: 'transport-cc' }],
          parameters: 'packetization-mode=1;profile-level-id=42e01f',
        }),
        new RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90000, rtcpFeedback: [] }),
      ],
    },
    headerExtensions: { video: [new RTCRtpHeaderExtensionParameters({ uri: extensionUri.transportSequence })] },
  });
  after(() => viewer.close()); // also if no connection is made: the process would not end
  const transceiver = viewer.addTransceiver('video', { direction: 'recvonly' });
  const { dtlsTransport } = transceiver;
  askNoStunServer(transceiver);
  const received: RtpPacket[] = [];
  await viewer.setLocalDescription(await viewer.createOffer());
  const { peer, answerSdp } = await Peer.answer(viewer.localDescription!.sdp, { extraHostAddresses: ['127.0.0.1'] });
  after(() => peer.close());
  const connected = new Promise<void>(resolve => {
    peer.onConnected = resolve;
  });
  await viewer.setRemoteDescription({ type: 'answer', sdp: answerSdp });
  await within(connected, deadlineMs, 'the connection');
  await until(() => (dtlsTransport.srtcp === undefined ? undefined : true), deadlineMs, "the viewer's keys");
  dtlsTransport.onRtp.subscribe(packet => received.push(packet));
  const sendRtcp = (bytes: Buffer) => dtlsTransport.iceTransport.connection.send(dtlsTransport.srtcp.encrypt(bytes));
  const port = Number(/^a=candidate:.* 127\.0\.0\.1 (\d+) typ host/m.exec(answerSdp)![1]);
  return { peer, received, sendRtcp, port };
}

/** A PLI that differs from the viewer's own reports. */
const pictureLoss = Buffer.from('81ce00020000000100000002', 'hex');

/** Sends the PLI until it arrives: a full socket may drop it. */
async function pictureLossArrives(): Promise<void> {
  let arrived = false;
  peer.onRtcp = bytes => {
    arrived ||= bytes.equals(pictureLoss);
  };
  await until(
    async () => {
      await sendRtcp(pictureLoss);
      return arrived || undefined;
    },
    deadlineMs,
    'the PLI',
  );
}

const { peer, received, sendRtcp, port } = await connect();

test('a packet arrives as it was sent, and its size on the wire is told', async () => {
  const id = peer.stream.extensions.get(extensionUri.transportSequence)!;
  const payload = Buffer.from('6501020304', 'hex');
  const sizeBytes = peer.sendRtp(
    {
      ssrc: peer.stream.ssrc,
      payloadType: peer.stream.payloadType,
      sequence: 4321,
      timestamp: 90_000,
      marker: true,
      extensions: [{ id, payload: transportSequence(77) }],
    },
    payload,
  );
  const { header, payload: arrived } = await until(
    () => received.find(({ header: { sequenceNumber } }) => sequenceNumber === 4321),
    deadlineMs,
    'the packet',
  );
  assert.deepEqual(arrived, payload);
  assert.deepEqual(
    [header.ssrc, header.payloadType, header.timestamp, header.marker],
    [peer.stream.ssrc, peer.stream.payloadType, 90_000, true],
  );
  assert.deepEqual(
    header.extensions.map(extension => [extension.id, extension.payload.toString('hex')]),
    [[id, '004d']],
  );
  // IPv4 20, UDP 8, RTP 12, extensions 4 + 1 + 2 + 1, payload, tag of AES-GCM
  assert.equal(sizeBytes, 20 + 8 + 12 + 8 + payload.length + 16);
});

test('RTCP comes in as raw bytes', async () => {
  await pictureLossArrives();
});

test('what a receiver of RTCP throws is not swallowed', async () => {
  const fault = new Error('a fault in a controller');
  const listeners = process.rawListeners('uncaughtException') as NodeJS.UncaughtExceptionListener[];
  process.removeAllListeners('uncaughtException');
  try {
    const thrown = new Promise(resolve => process.once('uncaughtException', resolve));
    peer.onRtcp = () => {
      throw fault;
    };
    await sendRtcp(pictureLoss);
    assert.equal(await within(thrown, deadlineMs, 'the fault'), fault);
  } finally {
    peer.onRtcp = () => {};
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
});

test('strangers that send garbage to the port disturb nothing', async () => {
  const random = seededRandom(3);
  const socket = createSocket('udp4');
  const send = (bytes: Buffer) => new Promise(resolve => socket.send(bytes, port, '127.0.0.1', resolve));
  for (let i = 0; i < 600; i++) {
    const bytes = Buffer.from(
      Uint8Array.from({ length: Math.floor(random.next() * 200) }, () => Math.floor(random.next() * 256)),
    );
    // the first byte distinguishes STUN, DTLS and RTP (RFC 7983)
    if (bytes.length > 0) bytes[0] = [0, 20, 22, 23, 128, 144][i % 6]!;
    if (bytes.length > 1 && i % 12 >= 6) bytes[1] = 200 + (i % 8);
    await send(bytes);
  }
  socket.close();
  await pictureLossArrives();
  const before = received.length;
  await until(
    () => {
      peer.sendRtp(
        {
          ssrc: peer.stream.ssrc,
          payloadType: peer.stream.payloadType,
          sequence: 4322,
          timestamp: 1,
          marker: false,
          extensions: [],
        },
        Buffer.from([1]),
      );
      return received.length > before || undefined;
    },
    deadlineMs,
    'a packet after the garbage',
  );
});

test('after close nothing is sent, and closing again does nothing', async () => {
  await peer.close();
  assert.equal(
    peer.sendRtp(
      { ssrc: 1, payloadType: 108, sequence: 0, timestamp: 0, marker: false, extensions: [] },
      Buffer.alloc(1),
    ),
    0,
  );
  peer.sendRtcp(pictureLoss);
  await peer.close();
});
