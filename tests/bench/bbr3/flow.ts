/** One flow over one link, and everything that was seen of it. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { nowMs } from '../../../core/system/clock.ts';
import { sleep, sleepUntil, within } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import type { BackendId, Link } from '../../../core/vocabulary/link.ts';
import { tcpSockets } from '../../../harness/trial/collect/tcp-sockets.ts';
import { bbr3Loader } from '../../../shaper/bbr3/loader.ts';
import { type Bbr3Event, type Bbr3Sample, watchBbr3 } from '../../../shaper/bbr3/telemetry.ts';
import { type BenchNetwork, payloadBytes } from './network.ts';
import { Stream } from './stream.ts';

export type Flow = {
  congestionControl: string;
  link: Link;
  /** What formed it. */
  backend: BackendId;
  seconds: number;
  /** When the times of `queue` and `windows` are 0, on the harness's clock. */
  beginMs: number;
  /** What the receiver took, bit/s over the flow's time. */
  goodputBps: number;
  /** Of the packets sent. */
  retransmittedRatio: number;
  /** By the bottleneck's queue. */
  droppedPackets: number;
  /** Ten a second. */
  queue: { timeS: number; packets: number }[];
  /** The window as `ss` shows it, ten a second. */
  windows: { timeS: number; packets: number }[];
  /**
   * The flow's own estimates of the bandwidth, of TCP payload, bit/s: ten a second, of BBRv3 from its account, of BBRv1
   * from `ss`.
   */
  estimatesBps: number[];
  /** BBRv3's own account; times are from the flow's begin. */
  model: { last: Bbr3Sample; events: (Bbr3Event & { timeS: number })[] } | null;
};

/** What the application does: as much as it can for so long, or steps of [seconds, bit/s] (paced-sender.mjs). */
export type Traffic = { seconds: number } | { steps: [seconds: number, bps: number][] };

const port = 5201;
const everyMs = 100;
const pacedSender = fileURLToPath(new URL('paced-sender.mjs', import.meta.url));

const secondsOf = (traffic: Traffic) =>
  'seconds' in traffic ? traffic.seconds : traffic.steps.reduce((sum, [step]) => sum + step, 0);

type Sent = { localPort: number; sentBytes: number; receivedBytes: number; retransmits: number; seconds: number };

/** `streamBps`: of packets that the server's host sends beside it, all the time. */
export async function runFlow(
  network: BenchNetwork,
  link: Link,
  congestionControl: string,
  traffic: Traffic,
  { streamBps = 0 }: { streamBps?: number } = {},
): Promise<Flow> {
  const backend = await network.link.set(link, 1);
  await network.link.verify();
  const beginMs = nowMs();
  let running = true;
  const told = { samples: [] as Bbr3Sample[], events: [] as Bbr3Event[] };
  const teller = watchBbr3(network.dumbbell.hosts.other, bbr3Loader, everyMs, {
    sample: sample => told.samples.push(sample),
    event: event => told.events.push(event),
    counters: () => {},
  });
  const seen = watchPath(network, beginMs, () => running);
  const stream = streamBps > 0 ? await Stream.start(network, streamBps, secondsOf(traffic)) : undefined;
  let sent: Sent;
  try {
    sent = await ('seconds' in traffic
      ? sendByIperf3(network, congestionControl, traffic.seconds)
      : sendInSteps(network, congestionControl, traffic.steps));
    await sleep(3 * everyMs); // so that its end is told, too
  } finally {
    running = false;
    await stream?.stop();
    await teller.stop();
  }
  const { queue, windows, bbrEstimatesBps } = await seen;
  const { droppedPackets } = await network.link.counters();
  const model = congestionControl === 'bbr3' ? modelOf(told, network.dumbbell.addresses.other, sent.localPort) : null;
  const estimatesBps =
    model === null
      ? bbrEstimatesBps
      : told.samples
          .filter(({ socket }) => socket === model.last.socket)
          .flatMap(({ maxBandwidthBps }) => maxBandwidthBps ?? []);
  return {
    congestionControl,
    link,
    backend,
    seconds: sent.seconds,
    beginMs,
    goodputBps: (sent.receivedBytes * 8) / sent.seconds,
    retransmittedRatio: sent.retransmits / (sent.sentBytes / payloadBytes),
    droppedPackets,
    queue,
    windows,
    estimatesBps: estimatesBps.filter(bps => bps > 0),
    model,
  };
}

async function sendByIperf3(network: BenchNetwork, congestionControl: string, seconds: number): Promise<Sent> {
  const { hosts, addresses } = network.dumbbell;
  const server = hosts.client.start('iperf3 receiver', ['iperf3', '-s', '-1', '-p', String(port), '--forceflush']);
  try {
    await within(once(server.process.stdout!, 'data'), 5000, 'iperf3 -s to listen');
    server.process.stdout!.resume();
    await network.link.start();
    const { stdout } = await hosts.other.run(
      ['iperf3', '-c', addresses.client, '-p', String(port), '-C', congestionControl, '-t', String(seconds), '-J'],
      { timeoutMs: (seconds + 30) * 1000 },
    );
    const { start, end } = JSON.parse(stdout) as {
      start: { connected: { local_port: number }[] };
      end: { sum_sent: { bytes: number; retransmits: number }; sum_received: { bytes: number; seconds: number } };
    };
    return {
      localPort: start.connected[0]!.local_port,
      sentBytes: end.sum_sent.bytes,
      retransmits: end.sum_sent.retransmits,
      receivedBytes: end.sum_received.bytes,
      seconds: end.sum_received.seconds,
    };
  } finally {
    await server.stop();
  }
}

/** Sets sysctls of a host, by name. Returns their values before. */
async function setOn(host: Pick<Host, 'run'>, values: Record<string, string>): Promise<Record<string, string>> {
  const before: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    before[name] = (await host.run(['sysctl', '-n', name])).stdout.trim();
    await host.run(['sysctl', '-q', '-w', `${name}=${value}`]);
  }
  return before;
}

/** The sender's own host decides on the congestion control there, for programs that do not choose one. */
async function sendInSteps(network: BenchNetwork, congestionControl: string, steps: [number, number][]): Promise<Sent> {
  const { hosts, addresses } = network.dumbbell;
  const before = await setOn(hosts.other, {
    'net.ipv4.tcp_congestion_control': congestionControl,
    // Node fills any send buffer. The usual one on the hosts of a trial holds more than a slow link carries in the time
    // that the sender may take to drain it.
    'net.ipv4.tcp_wmem': '4096 16384 4194304',
  });
  const receiver = hosts.client.start('receiver', [
    process.execPath,
    '-e',
    `
    let bytes = 0;
    require('net')
      .createServer(socket => socket
        .on('data', data => { bytes += data.length; })
        .on('close', () => { process.stdout.write(bytes + '\\n'); process.exit(); }))
      .listen(${port}, () => process.stdout.write('listening\\n'));`,
  ]);
  try {
    await within(once(receiver.process.stdout!, 'data'), 5000, 'the receiver to listen');
    let received = '';
    receiver.process.stdout!.on('data', data => {
      received += data;
    });
    await network.link.start();
    const beginMs = nowMs();
    const { stdout } = await hosts.other.run(
      [process.execPath, pacedSender, addresses.client, String(port), JSON.stringify(steps)],
      { timeoutMs: (secondsOf({ steps }) + 30) * 1000 },
    );
    await within(receiver.ended, 30_000, 'the receiver to take everything');
    const seconds = (nowMs() - beginMs) / 1000; // what waits at the end of the last step is sent, too
    const receivedBytes = Number(received.trim());
    return { localPort: Number(stdout.trim()), sentBytes: receivedBytes, retransmits: 0, receivedBytes, seconds };
  } finally {
    await receiver.stop();
    await setOn(hosts.other, before);
  }
}

async function watchPath(
  network: BenchNetwork,
  beginMs: number,
  running: () => boolean,
): Promise<Pick<Flow, 'queue' | 'windows'> & { bbrEstimatesBps: number[] }> {
  const queue: Flow['queue'] = [];
  const windows: Flow['windows'] = [];
  const bbrEstimatesBps: number[] = [];
  for (let k = 1; running(); k++) {
    await sleepUntil(beginMs + k * everyMs);
    if (!running()) break;
    const [counters, sockets] = await Promise.all([
      network.link.counters(),
      tcpSockets(network.dumbbell.hosts.other, port),
    ]);
    const timeS = (nowMs() - beginMs) / 1000;
    queue.push({ timeS, packets: counters.backlogPackets });
    const data = sockets.find(socket => (socket.bytesSent ?? 0) > 10_000);
    if (data?.congestionWindowPackets !== undefined) windows.push({ timeS, packets: data.congestionWindowPackets });
    if (data?.bandwidthBps !== undefined) bbrEstimatesBps.push(data.bandwidthBps);
  }
  return { queue, windows, bbrEstimatesBps };
}

function modelOf(
  { samples, events }: { samples: Bbr3Sample[]; events: Bbr3Event[] },
  source: string,
  localPort: number,
): Flow['model'] {
  const last = samples.findLast(sample => sample.source === source && sample.sourcePort === localPort);
  if (last === undefined) throw new Error(`BBRv3 knows nothing of the flow from port ${localPort}: it was not used`);
  return {
    last,
    events: events
      .filter(event => event.socket === last.socket)
      .map(event => ({ ...event, timeS: (event.timeMs - last.beginMs) / 1000 })),
  };
}
