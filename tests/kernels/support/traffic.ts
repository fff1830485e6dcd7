/** Traffic for comparing links: pings and iperf3 flows towards the client. */
import { once } from 'node:events';
import { median } from '../../../core/stats/quantile.ts';
import { nowMs } from '../../../core/system/clock.ts';
import type { Child } from '../../../core/system/command.ts';
import { sleep, sleepUntil, within } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import { type TcpSocket, tcpSockets } from '../../../harness/trial/collect/tcp-sockets.ts';

export const port = 5201;

/** Round-trip times of the probes that were answered, ms. */
export async function pingMs(
  from: Host,
  address: string,
  { count, intervalS }: { count: number; intervalS: number },
): Promise<number[]> {
  const { stdout } = await from.run(['ping', '-n', '-i', String(intervalS), '-c', String(count), '-W', '2', address], {
    allowFailure: true,
    timeoutMs: 30_000 + count * intervalS * 2000,
  });
  return [...stdout.matchAll(/time=([\d.]+) ms/g)].map(match => Number(match[1]));
}

/** An iperf3 that serves one test, and listens by now. */
export async function startReceiver(client: Host): Promise<Child> {
  const receiver = client.start('iperf3 receiver', ['iperf3', '-s', '-1', '-p', String(port), '--forceflush']);
  await within(once(receiver.process.stdout!, 'data'), 10_000, `iperf3 -s to listen: ${receiver.lastWords}`);
  receiver.process.stdout!.resume();
  return receiver;
}

export type FlowMeasured = {
  /** What the receiver's TCP got, without what it got twice. */
  goodputBps: number;
  /** Median of pings beside the flow. */
  rttMs: number;
  /** Median of what the sender's TCP saw, smoothed. */
  tcpRttMs: number;
  /** Before the window, and within it. */
  startDrops: number;
  drops: number;
};

export type FlowTiming = {
  /** Time for slow start, and for what it overflowed. */
  leadMs: number;
  windowMs: number;
};

/** The flow's socket at one end: iperf3's other one carries next to nothing. */
async function dataSocket(host: Host, key: 'bytesSent' | 'bytesReceived'): Promise<TcpSocket & { timeMs: number }> {
  const fromMs = nowMs();
  const [socket] = (await tcpSockets(host, port)).sort((a, b) => (b[key] ?? 0) - (a[key] ?? 0));
  if (socket === undefined) throw new Error(`no flow at the ${host.name}`);
  return { ...socket, timeMs: (fromMs + nowMs()) / 2 };
}

/**
 * One TCP flow from server to client, with pings beside it, measured over a window. `drops`: those of the link by now.
 */
export async function measureFlow(
  { server, client }: Readonly<Record<'server' | 'client', Host>>,
  address: string,
  congestionControl: string,
  { leadMs, windowMs }: FlowTiming,
  drops: () => Promise<number>,
): Promise<FlowMeasured> {
  const receiver = await startReceiver(client);
  const sender = server.start(
    'iperf3',
    [
      'iperf3',
      '-c',
      address,
      '-p',
      String(port),
      '-C',
      congestionControl,
      '-t',
      String(Math.ceil((leadMs + windowMs) / 1000) + 10),
      '-i',
      '0',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    await sleep(leadMs);
    const startDrops = await drops();
    const first = await dataSocket(client, 'bytesReceived');
    const pings = pingMs(server, address, { count: Math.floor(windowMs / 50), intervalS: 0.05 });
    const tcpRtts: number[] = [];
    for (let atMs = first.timeMs + 500; atMs < first.timeMs + windowMs; atMs += 500) {
      await sleepUntil(atMs);
      const socket = await dataSocket(server, 'bytesSent');
      if (socket.congestionControl !== congestionControl)
        throw new Error(`the flow runs ${socket.congestionControl}, not ${congestionControl}: ${sender.lastWords}`);
      tcpRtts.push(socket.rttMs!);
    }
    await sleepUntil(first.timeMs + windowMs);
    const last = await dataSocket(client, 'bytesReceived');
    const endDrops = await drops();
    return {
      goodputBps: ((last.bytesReceived! - first.bytesReceived!) * 8000) / (last.timeMs - first.timeMs),
      rttMs: median(await pings)!,
      tcpRttMs: median(tcpRtts)!,
      startDrops,
      drops: endDrops - startDrops,
    };
  } finally {
    await sender.stop('SIGKILL');
    await receiver.stop('SIGKILL');
  }
}
