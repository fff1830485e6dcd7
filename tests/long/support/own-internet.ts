/**
 * A program: an Internet of the test's own. Words: the one address that every name has, and what it does: "pages"
 * there, "names" at the next word's.
 *
 *   /busy   fetches pieces of 100 kB for ever, shows a video element, and calls itself with a tone
 *   /quiet  does the same when its button is pressed
 *   /memory and /downloads take memory and begin downloads, without end
 */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';

const [address, part, nameServer] = process.argv.slice(2);
const headerBytes = 12;
const [typeA, classIn] = [1, 1];

/** RFC 1035, section 4.1: the question again, and for an A record its answer. */
function answerTo(query: Buffer): Buffer {
  let end = headerBytes;
  while (query[end] !== 0) end += query[end]! + 1;
  const question = query.subarray(headerBytes, end + 5);
  const isA = question.readUInt16BE(question.length - 4) === typeA;
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180, 2);
  [1, isA ? 1 : 0, 0, 0].forEach((count, k) => header.writeUInt16BE(count, 4 + 2 * k));
  const answer = Buffer.from([
    0xc0,
    headerBytes,
    0,
    typeA,
    0,
    classIn,
    0,
    0,
    0,
    60,
    0,
    4,
    ...address!.split('.').map(Number),
  ]);
  return Buffer.concat([header, question, ...(isA ? [answer] : [])]);
}

function serveNames(): void {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address: from }) => socket.send(answerTo(query), port, from));
  socket.bind(53, nameServer); // an answer counts from there alone
}

const script = `
const call = async () => {
  const audio = new AudioContext();
  const [tone, sent] = [audio.createOscillator(), audio.createMediaStreamDestination()];
  tone.connect(sent);
  tone.start();
  const [caller, callee] = [new RTCPeerConnection(), new RTCPeerConnection()];
  for (const [from, to] of [[caller, callee], [callee, caller]])
    from.onicecandidate = ({ candidate }) => candidate && to.addIceCandidate(candidate);
  callee.ontrack = ({ track }) => {
    const heard = Object.assign(new Audio(), { muted: true, srcObject: new MediaStream([track]) });
    void heard.play();
  };
  caller.addTrack(sent.stream.getAudioTracks()[0]);
  await caller.setLocalDescription();
  await callee.setRemoteDescription(caller.localDescription);
  await callee.setLocalDescription();
  await caller.setRemoteDescription(callee.localDescription);
};
const begin = async () => {
  void call();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 320, height: 180 });
  setInterval(() => canvas.getContext('2d').fillRect(Math.random() * 320, 0, 9, 9), 100);
  const video = document.querySelector('video');
  video.srcObject = canvas.captureStream(10);
  await video.play();
  for (;;) await (await fetch('http://pieces.live.test/piece?' + Math.random())).arrayBuffer();
};`;
const page = (how: string) =>
  '<!doctype html><title>own</title><video muted width=640 height=360></video>' +
  `<button onclick="begin()">begin</button><script>${script}${how}</script>`;
const piece = Buffer.alloc(100_000, 7);
const answers: Record<string, [type: string, body: string | Buffer]> = {
  '/busy': ['text/html', page('begin()')],
  '/quiet': ['text/html', page('')],
  '/memory': [
    'text/html',
    '<!doctype html><script>const all = []; setInterval(() => all.push(new Uint8Array(2 ** 26).fill(1)), 20)</script>',
  ],
  '/downloads': [
    'text/html',
    '<!doctype html><a id="a" download="x" href="/piece">x</a><script>setInterval(() => a.click(), 100)</script>',
  ],
  '/piece': ['application/octet-stream', piece],
};

function servePages(): void {
  createServer((request, response) => {
    const [type, body] = answers[new URL(request.url!, 'http://live.test').pathname] ?? ['text/plain', ''];
    response.writeHead(body === '' ? 404 : 200, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'access-control-allow-origin': '*',
    });
    response.end(body);
  }).listen(80, address);
}

if (part === 'names') serveNames();
else servePages();
process.stdout.write('ready\n');
