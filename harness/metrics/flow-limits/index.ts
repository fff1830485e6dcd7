/** How long TCP flows waited for their own sockets instead of for the link. */
import { object } from '../../../core/schema.ts';
import { FlowLimitMeter } from '../../derive/flow-limits.ts';
import type { FlowLimits } from '../../derive/flow-limits.ts';
import type { TrialRecord } from '../../record/trial-record.ts';
import type { MetricPlugin } from '../metric.ts';

async function limitsOf(record: TrialRecord): Promise<FlowLimits[]> {
  const meter = new FlowLimitMeter();
  for (const line of await record.tcp()) meter.tcp(line);
  return meter.within(record.window);
}

/** The most limited flow's; null where none tells. */
const most = (ratios: readonly number[]) => (ratios.length === 0 ? null : Math.max(...ratios));

export const plugin: MetricPlugin = {
  id: 'flow-limits',
  title: 'Limits of sockets',
  source: 'Linux, net/ipv4/tcp_output.c: tcp_chrono; ss(8): busy, sndbuf_limited, rwnd_limited',
  params: object({}),
  reading: {
    needs: 'TCP flows of `iperf`, of the application itself or of a flood.',
    cannotTell:
      'Why a receiver read slowly. HTTP services are not read every second, so their flows have no such values.',
    definitions: {
      'send-buffer-limited':
        "Share of the time with data to send in which the application's most limited TCP flow waited for room in its send buffer.",
      'receive-window-limited': "The same of waiting for the receiver's window.",
      'flood-send-buffer-limited': 'The first of these, of the flows of the flood.',
      'flood-receive-window-limited': 'The second, of the flows of the flood.',
    },
  },
  quantities: [
    { id: 'send-buffer-limited', title: 'Limited by the send buffer', unit: 'ratio', better: 'lower' },
    { id: 'receive-window-limited', title: "Limited by the receiver's window", unit: 'ratio', better: 'lower' },
    {
      id: 'flood-send-buffer-limited',
      title: 'Flood: limited by the send buffer',
      unit: 'ratio',
      better: null,
      of: 'all',
    },
    {
      id: 'flood-receive-window-limited',
      title: "Flood: limited by the receiver's window",
      unit: 'ratio',
      better: null,
      of: 'all',
    },
  ],
  async compute(record) {
    const own = await limitsOf(record);
    const flood = (await Promise.all(record.floods().map(limitsOf))).flat();
    return {
      'send-buffer-limited': most(own.map(flow => flow.sendBufferRatio)),
      'receive-window-limited': most(own.map(flow => flow.receiveWindowRatio)),
      'flood-send-buffer-limited': most(flood.map(flow => flow.sendBufferRatio)),
      'flood-receive-window-limited': most(flood.map(flow => flow.receiveWindowRatio)),
    };
  },
};
