/** What a TCP flow believes of its link, as its own host's `ss` tells. */
import { nowMs } from '../../../core/system/clock.ts';
import { sleepUntil } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import { tcpSockets } from '../../../harness/trial/collect/tcp-sockets.ts';
import { port, startReceiver } from './traffic.ts';

const everyMs = 50;

/**
 * One flow from server to client, without its first `leadMs`: BBR's estimate of the bandwidth, or of another congestion
 * control the rate at which its packets were delivered last; bit/s of TCP payload.
 */
export async function flowEstimatesBps(
  { server, client }: Readonly<Record<'server' | 'client', Host>>,
  address: string,
  congestionControl: string,
  { leadMs, windowMs }: { leadMs: number; windowMs: number },
): Promise<number[]> {
  const receiver = await startReceiver(client);
  const seconds = Math.ceil((leadMs + windowMs) / 1000) + 5;
  const sender = server.start(
    'iperf3',
    ['iperf3', '-c', address, '-p', String(port), '-C', congestionControl, '-t', String(seconds), '-i', '0'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const beginMs = nowMs();
  const estimatesBps: number[] = [];
  try {
    for (let atMs = beginMs + leadMs; atMs < beginMs + leadMs + windowMs; atMs += everyMs) {
      await sleepUntil(atMs);
      // iperf3's other socket carries next to nothing
      const [flow] = (await tcpSockets(server, port)).sort((a, b) => (b.bytesSent ?? 0) - (a.bytesSent ?? 0));
      if (flow?.congestionControl !== congestionControl)
        throw new Error(`the flow runs ${flow?.congestionControl}, not ${congestionControl}: ${sender.lastWords}`);
      const bps = flow.bandwidthBps ?? flow.deliveryBps;
      if (bps !== undefined && bps > 0) estimatesBps.push(bps);
    }
  } finally {
    await sender.stop('SIGKILL');
    await receiver.stop('SIGKILL');
  }
  return estimatesBps;
}
