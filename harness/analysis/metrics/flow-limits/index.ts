/** Metric: time in which buffers and windows of the sockets limited TCP flows, and not the link. */
import { object } from '../../../../core/schema/schema.ts';
import { tcpSeries } from '../../../record/series/tcp.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { FlowLimitMeter, type FlowLimits } from '../../derive/flow-limits.ts';
import type { MetricPlugin } from '../metric.ts';

async function limitsOf(record: TrialRecord): Promise<FlowLimits[]> {
  const meter = new FlowLimitMeter();
  for (const line of await record.read(tcpSeries)) meter.tcp(line);
  return meter.within(record.window);
}

/** Returns the value of the flow that was limited most; null without values. */
const most = (ratios: readonly number[]) => (ratios.length === 0 ? null : Math.max(...ratios));

export const plugin: MetricPlugin = {
  id: 'flow-limits',
  title: 'Limits of sockets',
  source: 'Linux, net/ipv4/tcp_output.c: tcp_chrono; ss(8): busy, sndbuf_limited, rwnd_limited',
  params: object({}),
  reading: {
    needs: 'TCP flows of `iperf`.',
    cannotTell: 'Why a receiver read slowly. Flows of HTTP services are read at their end alone: only a note tells.',
    definitions: {
      'send-buffer-limited':
        'Share of the time with data to send in which a TCP flow waited for room in its send buffer: of the flow, over all floods, that waited most.',
      'receive-window-limited': "The same of waiting for the receiver's window.",
    },
  },
  quantities: [
    {
      id: 'send-buffer-limited',
      title: 'TCP flows: limited by the send buffer, most',
      unit: 'ratio',
      better: null,
      of: 'all',
    },
    {
      id: 'receive-window-limited',
      title: "TCP flows: limited by the receiver's window, most",
      unit: 'ratio',
      better: null,
      of: 'all',
    },
  ],
  async compute(record) {
    const flows = (await Promise.all([record, ...record.floods()].map(limitsOf))).flat();
    return {
      'send-buffer-limited': most(flows.map(flow => flow.sendBufferRatio)),
      'receive-window-limited': most(flows.map(flow => flow.receiveWindowRatio)),
    };
  },
};
