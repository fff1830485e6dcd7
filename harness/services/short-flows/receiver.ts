/**
 * Program that fetches files over short connections, in bursts with pauses between them. The line "begin" on its
 * standard input starts it. It answers every other line with what it has received and the connections that have ended
 * since the last answer. If a connection is refused or breaks, the program exits with the reason.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from '../../../core/system/clock.ts';
import { readConfig } from '../shared/program-config.ts';
import { type BurstOptions, burstsOf } from './bursts.ts';
import type { Received } from './received.ts';

export type ReceiverConfig = BurstOptions & {
  host: string;
  port: number;
  sources: number;
  /** Number of sources that begin with a burst; the others begin with a pause. */
  on: number;
  seed: number;
};

const { host, port, sources, on, seed, ...options } = readConfig<ReceiverConfig>();
const state: Received = { receivedBytes: 0, open: 0, ended: [] };
const give = (reason: string) => {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
};

function fetchFile(bytes: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const beginMs = nowMs();
  let received = 0;
  state.open++;
  const take = (count: number) => {
    received += count;
    state.receivedBytes += count;
    if (received < bytes) return true;
    const endMs = nowMs();
    state.open--;
    state.ended.push({ endMs, durationMs: endMs - beginMs, bytes: received });
    socket.end();
    resolve();
    return true;
  };
  const socket = connect({ host, port, onread: { buffer: Buffer.alloc(1 << 16), callback: take } });
  socket.on('connect', () => socket.write(`${bytes}\n`));
  socket.on('error', error => give(`a connection broke: ${error.message}`));
  socket.on('close', () => {
    if (received < bytes) give(`a connection was closed after ${received} of ${bytes} bytes`);
  });
  return promise;
}

async function run(source: number): Promise<void> {
  for (const { pauseMs, sizes } of burstsOf(options, seed, source, source < on)) {
    await sleep(pauseMs);
    await Promise.all(sizes.map(fetchFile));
  }
}

createInterface(process.stdin).on('line', line => {
  if (line === 'begin') for (let source = 0; source < sources; source++) void run(source);
  else process.stdout.write(`${JSON.stringify({ ...state, ended: state.ended.splice(0) })}\n`);
});
process.stdout.write('listening\n');
