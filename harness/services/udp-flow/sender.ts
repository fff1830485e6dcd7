/**
 * Program that sends packets at an even rate, which changes at given times, to the host from which the last hello packet
 * came. The times count from the first hello packet. It stops sending if no hello packet comes for too long.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readConfig } from '../shared/program-config.ts';
import { type Course, nextPacketMs } from './course.ts';
import { packet } from './packet.ts';

export type SenderConfig = { host: string; port: number } & Course;

/** Interval of timer ticks, ms. */
const tickMs = 1;
/**
 * Longest part of a pause, ms, whose packets are sent at once after the pause. It limits the burst after the machine
 * was busy.
 */
const mostBehindMs = 50;
/** Longest time without a hello packet, ms. The receiver sends one each second. */
const silenceMs = 5000;

const { host, port, ...course } = readConfig<SenderConfig>();
const socket = createSocket('udp4');
let peer: { address: string; port: number } | undefined;
let heardMs = 0;
let number = 0;
/** Time of the first hello packet, and time of the next packet after it, ms. */
let beginMs: number | undefined;
let dueMs = 0;

socket.on('error', error => {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
socket.on('message', (_, { address, port: from }) => {
  heardMs = performance.now();
  beginMs ??= heardMs;
  if (peer === undefined) dueMs = heardMs - beginMs;
  peer = { address, port: from };
});
setInterval(() => {
  const nowMs = performance.now();
  if (peer !== undefined && nowMs > heardMs + silenceMs) peer = undefined;
  if (peer === undefined || beginMs === undefined) return;
  const sinceMs = nowMs - beginMs;
  dueMs = Math.max(dueMs, sinceMs - mostBehindMs);
  for (; dueMs <= sinceMs; dueMs = nextPacketMs(course, dueMs))
    socket.send(packet(number++, course.packetBytes), peer.port, peer.address, () => {}); // an unsent one is missing
}, tickMs);
socket.bind(port, host);
await once(socket, 'listening');
process.stdout.write('listening\n');
