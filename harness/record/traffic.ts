/** Traffic of an application at the bottleneck, in the record of a trial. */
import { udpProtocol } from '../../core/vocabulary/udp.ts';
import type { TrialFile } from './trial-file.ts';

/** Traffic of an application at the bottleneck: packets and bytes sent, packets dropped and late, and mean queue delay. */
type AllTraffic = {
  sentPackets: number;
  sentBytes: number;
  droppedPackets: number;
  delayMeanMs: number | null;
  udpPackets: number;
  lateUdpPackets: number;
};

/** Returns the traffic of an application in the window, all protocols together. Null if the trial has no queue log. */
export function trafficOf({ queueLog }: Pick<TrialFile, 'queueLog'>, name: string): AllTraffic | null {
  if (queueLog === null) return null;
  const all = queueLog.traffic.filter(({ application, direction }) => application === name && direction === undefined);
  const media = all.filter(({ protocol }) => protocol === udpProtocol);
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  const sentPackets = sum(all.map(traffic => traffic.sentPackets));
  return {
    sentPackets,
    sentBytes: sum(all.map(({ sentBytes }) => sentBytes)),
    droppedPackets: sum(all.flatMap(traffic => Object.values(traffic.droppedPackets))),
    delayMeanMs:
      sentPackets === 0
        ? null
        : sum(all.map(traffic => traffic.sentPackets * (traffic.delay?.meanMs ?? 0))) / sentPackets,
    udpPackets: sum(media.map(traffic => traffic.sentPackets)),
    lateUdpPackets: sum(media.map(({ latePackets }) => latePackets)),
  };
}

/**
 * Returns the throughput of an application in the window, bit/s with headers. The queue log is used if there is one, otherwise
 * the counters of the client's network device. Null if the throughput is unknown.
 */
export function throughputBps(
  file: Pick<TrialFile, 'queueLog' | 'applications' | 'phases'>,
  name: string,
): number | null {
  const { phases } = file;
  if (phases === null) return null;
  const traffic = trafficOf(file, name);
  if (traffic !== null) return (traffic.sentBytes * 8000) / (phases.windowEndMs - phases.windowStartMs);
  const received = file.applications.find(application => application.name === name)?.received ?? null;
  if (received === null) return null;
  return ((received.after.bytes - received.before.bytes) * 8000) / (received.after.timeMs - received.before.timeMs);
}
