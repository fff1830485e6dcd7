/** Metric: differences between the flows of an application, shown by the smallest and the largest value of a flow. */
import { object } from '../../../../core/schema/schema.ts';
import { tcpSeries } from '../../../record/series/tcp.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { dropShare, trafficOf } from '../../derive/queue-traffic.ts';
import { flowsBps } from '../../derive/rates.ts';
import type { MetricPlugin } from '../metric.ts';

function range(name: string, values: readonly number[] | null): Record<string, number | null> {
  const known = values ?? [];
  return {
    [`flow-${name}-least`]: known.length === 0 ? null : Math.min(...known),
    [`flow-${name}-most`]: known.length === 0 ? null : Math.max(...known),
  };
}

/** Returns the TCP flows in the queue log whose sockets were read, which leaves out the control flow of iperf3. */
async function dataFlows(records: readonly TrialRecord[]) {
  return (
    await Promise.all(
      records.map(async record => {
        const ports = new Set((await record.read(tcpSeries)).map(({ port }) => port));
        const isOwn = trafficOf([record]);
        return (record.file.queueLog?.flows ?? []).filter(flow => isOwn(flow) && ports.has(flow.sourcePort));
      }),
    )
  ).flat();
}

async function rangesOf(records: readonly TrialRecord[], seen: TrialRecord) {
  const flows = await dataFlows(records);
  return {
    ...range('goodput', await flowsBps(records, seen)),
    ...range(
      'queue-delay',
      flows.flatMap(({ delay }) => delay?.p50Ms ?? []),
    ),
    ...range('queue-loss', flows.map(dropShare)),
  };
}

const of = { better: null, together: true } as const;

export const plugin: MetricPlugin = {
  id: 'flows',
  title: 'The flows of an application',
  source: 'own; RFC 8868, section 3.1: rate, queue delay and loss of each flow at the bottleneck',
  params: object({}),
  reading: {
    needs: 'An application that tells what it received; the queue values need TCP flows of `iperf` and the queue log.',
    cannotTell: 'How the flows developed over time: each flow is one number per trial.',
    definitions: {
      'flow-goodput-least': 'Goodput of the flow with the lowest goodput. A call is one flow.',
      'flow-goodput-most': 'Goodput of the flow with the highest goodput.',
      'flow-queue-delay-least': 'Smallest of the median queue delays of the flows.',
      'flow-queue-delay-most': 'Largest of the median queue delays of the flows.',
      'flow-queue-loss-least': 'Smallest share of packets that the queue dropped, over the flows.',
      'flow-queue-loss-most': 'Largest share of packets that the queue dropped, over the flows.',
    },
  },
  quantities: [
    { id: 'flow-goodput-least', title: 'Goodput of the slowest flow', unit: 'bit/s', ...of },
    { id: 'flow-goodput-most', title: 'Goodput of the fastest flow', unit: 'bit/s', ...of },
    { id: 'flow-queue-delay-least', title: 'Median queue delay of a flow, smallest', unit: 'ms', ...of },
    { id: 'flow-queue-delay-most', title: 'Median queue delay of a flow, largest', unit: 'ms', ...of },
    { id: 'flow-queue-loss-least', title: 'Dropped by the queue, smallest share of a flow', unit: 'ratio', ...of },
    { id: 'flow-queue-loss-most', title: 'Dropped by the queue, largest share of a flow', unit: 'ratio', ...of },
  ],
  compute: record => rangesOf([record], record),
  computeTogether: rangesOf,
};
