/** Traffic for comparing links: pings and iperf3 flows towards the client. */
import { once } from 'node:events';
import type { Child } from '../../../harness/base/command.ts';
import { sleep, within } from '../../../harness/base/deadline.ts';
import type { Host } from '../../../harness/base/host.ts';
import { median } from '../../../harness/stats/quantile.ts';

const port = 5201;

/** Round-trip times of the probes that were answered, ms. */
export async function pingMs(from: Host, address: string, { count, intervalS }: { count: number; intervalS: number }): Promise<number[]> {
  const { stdout } = await from.run(['ping', '-n', '-i', String(intervalS), '-c', String(count), '-W', '2', address], { allowFailure: true, timeoutMs: 30_000 + count * intervalS * 2000 });
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
  /** What the receiver got within the window. */
  goodputBps: number;
  /** Median of pings beside the flow. */
  rttMs: number;
  /** What the sender's TCP saw, smoothed, on average. */
  tcpRttMs: number;
};

type Iperf3Report = {
  end: { streams: { sender: { mean_rtt: number } }[]; sum_received: { bits_per_second: number }; sender_tcp_congestion: string };
};

/** One TCP flow from server to client, with pings beside it; the first `leadS` seconds do not count. */
export async function measureFlow(hosts: Readonly<Record<'server' | 'client', Host>>, address: string, { congestionControl, leadS, windowS }: { congestionControl: string; leadS: number; windowS: number }): Promise<FlowMeasured> {
  const receiver = await startReceiver(hosts.client);
  try {
    const [{ stdout }, rtts] = await Promise.all([
      hosts.server.run(['iperf3', '-c', address, '-p', String(port), '-C', congestionControl, '-O', String(leadS), '-t', String(windowS), '-J'], { timeoutMs: (leadS + windowS + 20) * 1000 }),
      sleep(leadS * 1000).then(() => pingMs(hosts.server, address, { count: windowS * 20, intervalS: 0.05 })),
    ]);
    const { end } = JSON.parse(stdout) as Iperf3Report;
    if (end.sender_tcp_congestion !== congestionControl) throw new Error(`the flow ran ${end.sender_tcp_congestion}, not ${congestionControl}`);
    return { goodputBps: end.sum_received.bits_per_second, rttMs: median(rtts)!, tcpRttMs: end.streams[0]!.sender.mean_rtt / 1000 };
  } finally {
    await receiver.stop('SIGKILL');
  }
}
