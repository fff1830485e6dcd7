/**
 * The media server as a process: what its owner, its page and strangers may do to it. It needs no root, no browser and
 * no network but loopback.
 */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { RTCPeerConnection, RTCRtpCodecParameters, RTCRtpHeaderExtensionParameters } from 'werift';
import { loadPlugins, pick } from '../../core/plugins.ts';
import { seededRandom } from '../../core/random.ts';
import { sleep, until, within } from '../../core/system/deadline.ts';
import { readJsonl } from '../../core/system/jsonl.ts';
import { generateClip } from '../../harness/media/generate-clip.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import type { LoadCommand, OpenCommand } from '../../server/control/protocol.ts';
import { extensionUri } from '../../server/rtp/header-extensions.ts';
import { askNoStunServer } from '../../server/transport/werift-internals.ts';
import { testFolder } from '../runner/test-names.ts';
import { sharedStart } from '../unit/support/shared-start.ts';
import { MediaServerProcess, signal } from './support/media-server-process.ts';

const deadlineMs = 60_000;
const directory = testFolder();
const clip = join(directory, 'clip.mp4');
const goodOffer = readFileSync(new URL('../golden/chromium-offer.sdp', import.meta.url), 'utf8');
const gcc = pick(
  await loadPlugins<ControllerPlugin>(new URL('../../server/congestion/', import.meta.url), 'controller'),
  'gcc',
  'controller',
);

const load = (path = clip, port = 0): LoadCommand => ({
  type: 'load',
  clip: { path, width: 320, height: 180, maxSeconds: 1 },
  encoder: { name: 'libx264', preset: null, threads: 1 },
  listen: { host: '127.0.0.1', port },
  scratch: directory,
});
const open = (token: string, record = directory): OpenCommand => ({
  type: 'open',
  token,
  recordDirectory: record,
  stream: {
    frameRate: 30,
    startBps: 500e3,
    minBps: 100e3,
    maxBps: 1e6,
    controller: { id: 'gcc', params: gcc.params.parse({}) },
    feedback: 'transport-cc',
    protectionRatio: 0,
    degradation: 'none',
    playoutDelay: null,
    pacerLimitMs: 300,
  },
});
const offer = (sdp: string) => JSON.stringify({ type: 'offer', sdp });

const servers: MediaServerProcess[] = [];
function start(): MediaServerProcess {
  const server = new MediaServerProcess();
  servers.push(server);
  return server;
}

let loaded: Promise<{ server: MediaServerProcess; url: string }> | undefined;
/** One that has loaded the clip, for all tests after which it has to answer the next. */
function startLoaded(): Promise<{ server: MediaServerProcess; url: string }> {
  loaded ??= (async () => {
    const server = start();
    const { url } = await server.ask(load(), 'loaded');
    return { server, url };
  })();
  return loaded;
}

sharedStart(
  () => {
    av.Log.setLevel(C.AV_LOG_QUIET);
    return generateClip(clip, 12);
  },
  async () => {
    for (const server of servers) await server.child.stop('SIGKILL');
  },
);
after(() => rmSync(directory, { recursive: true }));

/** It answers the page that does it right, in a viewing of its own. */
async function answersWell(server: MediaServerProcess, url: string, token: string): Promise<void> {
  const { answers } = await signal(url, token, offer(goodOffer));
  assert.deepEqual(
    answers.map(({ type }) => type),
    ['answer'],
    JSON.stringify(answers),
  );
  assert.match(answers[0]!.sdp!, /a=rtpmap:108 H264\/90000/);
  await server.ask({ type: 'close' }, 'closed');
}

test('it says what it loaded, tells the time, and ends with its input', async () => {
  const server = start();
  const { url, clip: loaded, encoder } = await server.ask(load(), 'loaded');
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const { width, height, frameRate, codec, frames, seconds } = loaded;
  assert.deepEqual([width, height, frameRate, codec, frames, seconds], [1280, 720, 60, 'h264', 12, 0.2]);
  assert.deepEqual(encoder, { codec: 'libx264', preset: 'ultrafast', passedOver: [] });
  const { timeMs } = await server.ask({ type: 'clock' }, 'clock');
  assert.ok(Math.abs(timeMs - Date.now()) < deadlineMs);
  assert.equal(await server.end(), 0);
});

test('it ends with its input also while it loads, and with SIGTERM', async () => {
  const loading = start();
  loading.write(`${JSON.stringify(load())}\n`);
  assert.equal(await loading.end(), 0);
  const running = start();
  await running.ask(load(), 'loaded');
  running.child.process.kill('SIGTERM');
  assert.equal((await within(running.child.ended, deadlineMs, 'its end')).status, 0);
});

test('bad commands are told and do no harm', async () => {
  const server = start();
  const bad = [
    'no JSON',
    '{',
    'null',
    '[]',
    '{}',
    '{"type":"fly"}',
    '{"type":"load"}',
    '{"type":"close","now":true}',
    JSON.stringify({ ...load(), listen: { host: 7, port: 0 } }),
    JSON.stringify({ ...load(), encoder: { name: 'mpeg1', preset: null, threads: 1 } }),
    JSON.stringify({ ...open('t'), token: null }),
    '[['.repeat(1000),
  ];
  for (const line of bad) {
    const { code, message } = await server.ask(line, 'error');
    assert.equal(code, 'server-failed', line);
    assert.ok(message.length > 0);
  }
  assert.match((await server.ask(open('early'), 'error')).message, /the command "open" came before "load"/);
  server.write('x'.repeat(5_000_000)); // a line too long is dropped with its end
  server.write('\n');
  await server.ask({ type: 'close' }, 'closed');
  await server.ask(load(), 'loaded');
  assert.match((await server.ask(load(), 'error')).message, /loaded already/);
  assert.equal(await server.end(), 0);
});

test('a clip that is none, an encoder that is not there, a port that is taken; then it loads what is right, on the same port', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await until(() => listener.listening || undefined, deadlineMs, 'a port');
  const { port } = listener.address() as AddressInfo;
  const server = start();
  assert.equal((await server.ask(load(clip, port), 'error')).code, 'port-taken');
  await new Promise(resolve => listener.close(resolve));
  const text = join(directory, 'text.mp4');
  writeFileSync(text, 'no video');
  for (const path of [join(directory, 'missing.mp4'), text, directory]) {
    const { code, message, hint } = await server.ask(load(path, port), 'error');
    assert.equal(code, 'bad-clip');
    assert.ok(message.includes(path) && hint !== null);
  }
  assert.equal(
    (await server.ask({ ...load(clip, port), clip: { path: clip, width: 1e6, height: 1e6, maxSeconds: 1 } }, 'error'))
      .code,
    'no-memory',
  );
  assert.equal((await server.ask(load(clip, port), 'loaded')).url, `http://127.0.0.1:${port}/`);
  assert.equal(await server.end(), 0);
});

test('hostile signalling: it stays up and answers the next good offer', async () => {
  const { server, url } = await startLoaded();
  assert.equal((await signal(url, 'early', offer(goodOffer))).code, 1006); // no trial is open
  await server.ask(open('right'), 'opened');
  assert.equal((await signal(url, 'wrong', offer(goodOffer))).code, 1006);
  for (const data of [
    'x'.repeat(10_000_000),
    Buffer.alloc(100),
    '',
    '{',
    'null',
    '{"type":"offer"}',
    '{"type":"offer","sdp":7}',
    '{"type":"bye","__proto__":{}}',
    JSON.stringify({ type: 'bye', ['é'.repeat(200)]: 1 }),
    offer('v=0 garbage that is no SDP'),
    offer(`v=0\r\n${'a=x\r\n'.repeat(13_000)}`),
    offer(`v=0\r\n${'m=video 9 UDP/TLS/RTP/SAVPF 108\r\n'.repeat(1500)}`),
    offer(goodOffer.replace('a=rtpmap:108 H264/90000', Array(2000).fill('a=rtpmap:108 H264/90000').join('\r\n'))),
    offer(goodOffer.replaceAll('H264', 'VP8')),
    offer(goodOffer.replace(/a=ice-.*\r\n/g, '')),
    offer(goodOffer.replace('a=mid:0\r\n', '')),
    offer(goodOffer.replace('a=fmtp:108', 'a=fmtp:107')),
  ]) {
    const { answers } = await signal(url, 'right', data);
    assert.ok(
      answers.every(({ type }) => type === 'error'),
      JSON.stringify(answers),
    );
  }
  assert.ok(server.child.alive);
  await answersWell(server, url, 'right');
});

test('damaged offers, some of which it takes: each viewing can be closed, and the next is served', async () => {
  const random = seededRandom(9);
  const below = (limit: number) => Math.floor(random.next() * limit);
  const { server, url } = await startLoaded();
  let taken = 0;
  for (let i = 0; i < 60; i++) {
    const lines = goodOffer.split('\r\n');
    for (let k = 0; k < 3; k++) {
      const at = below(lines.length);
      if (below(2) === 0) lines.splice(at, 1);
      else
        lines[at] =
          `${lines[at]!.slice(0, below(40))}${String.fromCharCode(32 + below(95))}${lines[at]!.slice(below(60))}`;
    }
    await server.ask(open(`token ${i}`), 'opened');
    const { answers } = await signal(url, `token ${i}`, offer(lines.join('\r\n')));
    if (answers.some(({ type }) => type === 'answer')) taken++;
    if (i % 2 === 0) await server.ask({ type: 'close' }, 'closed'); // the other half is replaced by the next
  }
  assert.ok(taken > 5 && taken < 55, `${taken} of 60 taken`);
  await server.ask(open('last'), 'opened');
  await answersWell(server, url, 'last');
});

test('a second page is refused while one watches; after close the token is worth nothing', async () => {
  const { server, url } = await startLoaded();
  await server.ask(open('one'), 'opened');
  assert.equal((await signal(url, 'one', offer(goodOffer))).answers[0]!.type, 'answer');
  assert.match((await signal(url, 'one', offer(goodOffer))).answers[0]!.message!, /another browser watches already/);
  await server.ask({ type: 'close' }, 'closed');
  assert.equal((await signal(url, 'one', offer(goodOffer))).code, 1006);
  await server.ask(open('two'), 'opened');
  await answersWell(server, url, 'two');
});

/** The server offers no loopback addresses. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find(address => address?.family === 'IPv4' && !address.internal)?.address;

test('a viewer gets frames, strangers do not disturb, and the record is written', {
  skip: ownAddress === undefined && 'there is no network interface but loopback',
}, async () => {
  const server = start();
  const { url } = await server.ask(load(), 'loaded');
  const record = join(directory, 'record');
  mkdirSync(record);
  await server.ask(open('viewer', record), 'opened');
  const viewer = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv6: false,
    codecs: {
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/H264',
          clockRate: 90000,
          rtcpFeedback: [{ type: 'transport-cc' }, { type: 'nack' }],
          parameters: 'packetization-mode=1;profile-level-id=42e01f',
        }),
        new RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90000, rtcpFeedback: [] }),
      ],
    },
    headerExtensions: { video: [new RTCRtpHeaderExtensionParameters({ uri: extensionUri.transportSequence })] },
  });
  try {
    const transceiver = viewer.addTransceiver('video', { direction: 'recvonly' });
    const { dtlsTransport } = transceiver;
    askNoStunServer(transceiver);
    const timestamps = new Set<number>();
    dtlsTransport.onRtp.subscribe(({ header }) => timestamps.add(header.timestamp));
    await viewer.setLocalDescription(await viewer.createOffer());
    const { answers } = await signal(url, 'viewer', offer(viewer.localDescription!.sdp));
    const answer = answers[0]!.sdp!;
    await viewer.setRemoteDescription({ type: 'answer', sdp: answer });
    await server.next('connected');
    await until(() => timestamps.size >= 20 || undefined, deadlineMs, '20 frames');

    const port = Number(/^a=candidate:.* (\d+) typ host/m.exec(answer)![1]);
    const random = seededRandom(4);
    const stranger = createSocket('udp4');
    for (let i = 0; i < 300; i++) {
      const bytes = Buffer.from(
        Uint8Array.from({ length: 1 + Math.floor(random.next() * 300) }, () => Math.floor(random.next() * 256)),
      );
      bytes[0] = [0, 22, 23, 128, 144, 129][i % 6]!;
      await new Promise(resolve => stranger.send(bytes, port, ownAddress, resolve));
    }
    stranger.close();
    const soFar = timestamps.size;
    await until(() => timestamps.size >= soFar + 20 || undefined, deadlineMs, '20 more frames');
    await server.ask({ type: 'pause', isPaused: true }, 'paused');
    await sleep(150); // what the pacer held has left
    const held = timestamps.size;
    await sleep(500);
    assert.equal(timestamps.size, held, 'no frame comes while the media pause');
    assert.equal(viewer.connectionState, 'connected');
    await server.ask({ type: 'pause', isPaused: false }, 'paused');
    await until(() => timestamps.size >= held + 10 || undefined, deadlineMs, '10 frames after the pause');
    const { sample } = await server.next('sample');
    assert.ok(sample.framesEncoded > 0 && sample.sentPackets > 0 && sample.keyFrames >= 1, JSON.stringify(sample));
    await server.ask({ type: 'close' }, 'closed');
    assert.deepEqual(readdirSync(record).sort(), [
      'controller.jsonl',
      'frames.sent.jsonl',
      'packets.jsonl',
      'probes.jsonl',
      'rtt.jsonl',
    ]);
    assert.ok((await readJsonl(join(record, 'frames.sent.jsonl'))).length >= 40);
    assert.ok((await readJsonl(join(record, 'packets.jsonl'))).length >= 40);
  } finally {
    await viewer.close();
  }
  assert.equal(await server.end(), 0);
});

test('a controller that is not there is told at once', async () => {
  const { server } = await startLoaded();
  const command = open('viewer');
  command.stream.controller.id = 'none-such';
  assert.match((await server.ask(command, 'error')).message, /no controller named "none-such"/);
  await server.ask(open('viewer'), 'opened');
  await server.ask({ type: 'close' }, 'closed');
});

test('after all of that it ends with its input, and has said nothing', async () => {
  const { server } = await startLoaded();
  assert.equal(await server.end(), 0);
  assert.equal(server.child.stderr, '');
});
