/**
 * Limits that keep a TCP flow from filling the network: the receiver's window, and the buffer of the sender's socket.
 * Linux counts the time in which a sender had data (busy), and the parts of this time in which the window and in which
 * the buffer was the limit (tcp_chrono_start in net/ipv4/tcp_output.c). The rest of the time the congestion window was
 * the limit.
 */
import { limitedFlowRatio } from '../../../core/system/machine-settings.ts';
import type { TcpRecord } from '../../record/series/tcp.ts';
import type { TransportFlow } from '../../record/transport.ts';
import type { Window } from '../../record/trial-record.ts';

/**
 * Shares of the time in which a flow had data to send, during which the send buffer or the receive window limited the
 * flow.
 */
export type FlowLimits = { port: number; sendBufferRatio: number; receiveWindowRatio: number };

type Reading = { timeMs: number; busyMs: number; sendBufferMs: number; receiveWindowMs: number };

const growthRatio = (from: number, to: number, busyMs: number) => Math.min(1, Math.max(0, to - from) / busyMs);

/** Collects the readings of all flows of one application. */
export class FlowLimitMeter {
  readonly #flows = new Map<number, Reading[]>();

  tcp({ end, port, timeMs, busyMs, sendBufferLimitedMs = 0, receiveWindowLimitedMs = 0 }: TcpRecord): void {
    if (end !== 'sender' || busyMs === undefined) return;
    const readings = this.#flows.get(port) ?? [];
    readings.push({ timeMs, busyMs, sendBufferMs: sendBufferLimitedMs, receiveWindowMs: receiveWindowLimitedMs });
    this.#flows.set(port, readings);
  }

  /**
   * Returns the shares of each flow between its first and its last reading in the window. Leaves out flows that had
   * nothing to send between the two readings.
   */
  within({ startMs, endMs }: Window): FlowLimits[] {
    return [...this.#flows].flatMap(([port, all]) => {
      const readings = all.filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs);
      const [first, last] = [readings[0], readings.at(-1)];
      if (first === undefined || last === undefined || last.busyMs <= first.busyMs) return [];
      const busyMs = last.busyMs - first.busyMs;
      return [
        {
          port,
          sendBufferRatio: growthRatio(first.sendBufferMs, last.sendBufferMs, busyMs),
          receiveWindowRatio: growthRatio(first.receiveWindowMs, last.receiveWindowMs, busyMs),
        },
      ];
    });
  }

  /**
   * Returns a sentence for each limit that flows met. `flows`: readings at the end of the flows, used if no flow was
   * read in the window.
   */
  notes(window: Window, flows: readonly TransportFlow[] = []): string[] {
    const read = this.within(window);
    return limitNotes(read.length > 0 ? read : limitsSinceStart(flows));
  }
}

/** Shortest time with data to send from which shares are computed, ms. */
const leastBusyMs = 1000;

/** Returns the shares over the whole life of flows that are read only at their end, as those of HTTP services are. */
function limitsSinceStart(flows: readonly TransportFlow[]): FlowLimits[] {
  return flows.flatMap(({ port, limits }) =>
    limits === undefined || limits.busyMs < leastBusyMs
      ? []
      : [
          {
            port,
            sendBufferRatio: limits.sendBufferLimitedMs / limits.busyMs,
            receiveWindowRatio: limits.receiveWindowLimitedMs / limits.busyMs,
          },
        ],
  );
}

const percent = (ratio: number) => `${Math.round(ratio * 100)} %`;

function limitNotes(flows: readonly FlowLimits[]): string[] {
  const causes = [
    ['sendBufferRatio', 'for room in its send buffer (net.ipv4.tcp_wmem)'],
    ['receiveWindowRatio', "for the receiver's window (net.ipv4.tcp_rmem, or a receiver that is slow to read)"],
  ] as const;
  return causes.flatMap(([of, what]) => {
    const limited = flows.filter(flow => flow[of] > limitedFlowRatio);
    if (limited.length === 0) return [];
    const most = percent(Math.max(...limited.map(flow => flow[of])));
    const who =
      flows.length === 1 ? 'its TCP flow' : `${limited.length} of ${flows.length} TCP flows, the most limited of them`;
    return [`${who} waited ${most} of its time ${what}: not the link alone limited it`];
  });
}
