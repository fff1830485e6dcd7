/**
 * Program that sends packets at a constant rate to the host from which the last hello packet came. It stops sending if
 * no hello packet comes for too long.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readConfig } from '../shared/program-config.ts';
import { packet } from './packet.ts';

export type SenderConfig = { host: string; port: number; rateBps: number; packetBytes: number };

/** Interval of timer ticks, ms. */
const tickMs = 1;
/**
 * Longest part of a pause, ms, whose packets are sent at once after the pause. It limits the burst after the machine
 * was busy.
 */
const mostBehindMs = 50;
/** Longest time without a hello packet, ms. The receiver sends one each second. */
const silenceMs = 5000;

const { host, port, rateBps, packetBytes } = readConfig<SenderConfig>();
const everyMs = (packetBytes * 8000) / rateBps;
const socket = createSocket('udp4');
let peer: { address: string; port: number } | undefined;
let heardMs = 0;
let number = 0;
let dueMs = 0;

socket.on('error', error => {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
socket.on('message', (_, { address, port: from }) => {
  heardMs = performance.now();
  if (peer === undefined) dueMs = heardMs;
  peer = { address, port: from };
});
setInterval(() => {
  const nowMs = performance.now();
  if (peer !== undefined && nowMs > heardMs + silenceMs) peer = undefined;
  if (peer === undefined) return;
  dueMs = Math.max(dueMs, nowMs - mostBehindMs);
  for (; dueMs <= nowMs; dueMs += everyMs)
    socket.send(packet(number++, packetBytes), peer.port, peer.address, () => {}); // an unsent packet counts as missing
}, tickMs);
socket.bind(port, host);
await once(socket, 'listening');
process.stdout.write('listening\n');
