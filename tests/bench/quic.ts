/**
 * What the QUIC tunnel costs: processor time of each end at 2 and at 20 Mbit/s, and the delay that it adds without load.
 *
 *   npm run bench:quic [-- REPEATS]
 *
 * Both ends run over the loopback, between two sockets of this process, in both modes, under each stack that is built;
 * CUBIC of noq, NewReno of quic-go. The limits are 4 % and 15 % of a core for an end, and 0.3 ms for the median of the
 * one-way delay beyond that of the same sockets without a tunnel.
 */
import type { Socket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import { median } from '../../core/stats/quantile.ts';
import { sleep, until } from '../../core/system/deadline.ts';
import { type TunnelStack, tunnelMend, tunnelPrograms, tunnelStacks } from '../../harness/tunnels/quic/programs.ts';
import { type End, tunnel, udp, waitMs } from '../e2e/support/tunnel-ends.ts';
import { atMost, isReached, tableLine } from './shaper/row.ts';
import { runBench } from './support/bench.ts';

const repeats = Number(process.argv[2] ?? 3);
const packetBytes = 1200;
const loadMs = 5000;
/** Packets a second without load. */
const idleRate = 100;
const limits = { slow: 0.04, fast: 0.15, delayMs: 0.3 };
const controls: Record<TunnelStack, string> = { noq: 'cubic', 'quic-go': 'newreno' };

/** Sends packets with their time in them at an even rate, and returns how long each took, ms. */
async function delays(from: Socket, port: number, to: Socket, rateBps: number, forMs: number): Promise<number[]> {
  const took: number[] = [];
  const take = (bytes: Buffer) => took.push(performance.now() - bytes.readDoubleBE(0));
  to.on('message', take);
  const startMs = performance.now();
  const everyMs = (packetBytes * 8000) / rateBps;
  for (let sent = 0; ; ) {
    const nowMs = performance.now() - startMs;
    if (nowMs >= forMs) break;
    for (; sent * everyMs <= nowMs; sent++) {
      const packet = Buffer.alloc(packetBytes);
      packet.writeDoubleBE(performance.now(), 0);
      from.send(packet, port, '127.0.0.1');
    }
    await sleep(1);
  }
  await sleep(200); // what is under way arrives
  to.off('message', take);
  return took;
}

/** Processor time that an end has used since its start, ms. */
const cpuMs = (end: End) => Number(end.last['cpuMs']);

/** Share of a core of each end under that load. */
async function load(stack: TunnelStack, mode: string, rateBps: number): Promise<{ server: number; client: number }> {
  const { near, far, server, browser, udpPort, close } = await tunnel(stack, mode, controls[stack]);
  try {
    const flowPort = await opened(server, browser, udpPort);
    const before = { server: cpuMs(near), client: cpuMs(far), timeMs: performance.now() };
    const arrived = await delays(server, flowPort, browser, rateBps, loadMs);
    const tookMs = performance.now() - before.timeMs;
    const wanted = (rateBps * loadMs) / 8000 / packetBytes;
    if (arrived.length < 0.95 * wanted)
      throw new CoexistError('trials-failed', `only ${arrived.length} of ${Math.round(wanted)} packets arrived`);
    return { server: (cpuMs(near) - before.server) / tookMs, client: (cpuMs(far) - before.client) / tookMs };
  } finally {
    close();
  }
}

/** Sends a packet up, by which the flow is known; returns the port of the server's end for it. */
async function opened(server: Socket, browser: Socket, udpPort: number): Promise<number> {
  let port: number | undefined;
  server.once('message', (_, { port: from }) => {
    port = from;
  });
  browser.send(Buffer.alloc(10), udpPort, '127.0.0.1');
  return until(() => port, waitMs, 'a packet to pass');
}

/** Median one-way delay through the tunnel beyond that of the same sockets, ms. */
async function addedDelay(stack: TunnelStack, mode: string): Promise<number> {
  const [a, b] = [await udp(), await udp()];
  const plain = await delays(a.socket, b.port, b.socket, idleRate * packetBytes * 8, loadMs / 2);
  for (const { socket } of [a, b]) socket.close();
  const { server, browser, udpPort, close } = await tunnel(stack, mode, controls[stack]);
  try {
    const flowPort = await opened(server, browser, udpPort);
    const through = await delays(server, flowPort, browser, idleRate * packetBytes * 8, loadMs / 2);
    return median(through)! - median(plain)!;
  } finally {
    close();
  }
}

const percent = (ratio: number) => `${(ratio * 100).toFixed(1)} %`;
const milliseconds = (ms: number) => `${ms.toFixed(3)} ms`;

await runBench(async () => {
  const built = tunnelStacks.filter(stack => existsSync(tunnelPrograms[stack]));
  if (built.length === 0)
    throw new CoexistError('missing-program', 'the QUIC tunnel is not built', { hint: tunnelMend });
  let allKept = true;
  const print = (what: string, limit: number, format: (value: number) => string, values: readonly number[]) => {
    const outcomes = values.map(value => ({ value, reached: value <= limit }));
    process.stdout.write(`${tableLine(atMost(what, limit, format), outcomes, 0)}\n`);
    allKept &&= isReached(outcomes);
  };
  for (const stack of built) {
    for (const mode of ['datagram', 'stream']) {
      const label = `${stack}, ${mode}`;
      for (const [rateBps, limit] of [
        [2e6, limits.slow],
        [20e6, limits.fast],
      ] as const) {
        const loads: { server: number; client: number }[] = [];
        for (let k = 0; k < repeats; k++) loads.push(await load(stack, mode, rateBps));
        for (const end of ['server', 'client'] as const)
          print(
            `${label}, ${rateBps / 1e6} Mbit/s: CPU of the ${end}'s end`,
            limit,
            percent,
            loads.map(of => of[end]),
          );
      }
      const added: number[] = [];
      for (let k = 0; k < repeats; k++) added.push(await addedDelay(stack, mode));
      print(`${label}: added one-way delay without load, median`, limits.delayMs, milliseconds, added);
    }
  }
  return allKept;
});
