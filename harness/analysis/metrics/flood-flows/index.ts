/** Metric: differences between the flows of a flood, shown by the smallest and the largest value of a flow. */
import { object } from '../../../../core/schema/schema.ts';
import { tcpSeries } from '../../../record/series/tcp.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { dropShare, floodsOf } from '../../derive/queue-traffic.ts';
import { floodFlowsBps } from '../../derive/rates.ts';
import type { MetricPlugin } from '../metric.ts';

function range(name: string, values: readonly number[] | null): Record<string, number | null> {
  const known = values ?? [];
  return {
    [`flood-flow-${name}-least`]: known.length === 0 ? null : Math.min(...known),
    [`flood-flow-${name}-most`]: known.length === 0 ? null : Math.max(...known),
  };
}

/** Returns the flood's data flows in the queue log, without the control connection of iperf3. */
async function dataFlows(record: TrialRecord) {
  const logged = record.file.queueLog?.flows ?? [];
  return (
    await Promise.all(
      record.floods().map(async flood => {
        const ports = new Set((await flood.read(tcpSeries)).map(({ port }) => port));
        return logged.filter(flow => floodsOf({ floods: () => [flood] })(flow) && ports.has(flow.sourcePort));
      }),
    )
  ).flat();
}

export const plugin: MetricPlugin = {
  id: 'flood-flows',
  title: 'The flows of the flood',
  source: 'own; RFC 8868, section 3.1: rate, queue delay and loss of each flow at the bottleneck',
  params: object({}),
  reading: {
    needs: 'A flood; the queue values need the queue log.',
    cannotTell: 'How the flows developed over time: each flow is one number per trial.',
    definitions: {
      'flood-flow-goodput-least': 'Goodput of the flow with the lowest goodput.',
      'flood-flow-goodput-most': 'Goodput of the flow with the highest goodput.',
      'flood-flow-queue-delay-least': 'Smallest of the median queue delays of the flows.',
      'flood-flow-queue-delay-most': 'Largest of the median queue delays of the flows.',
      'flood-flow-queue-loss-least': 'Smallest share of packets that the queue dropped, over the flows.',
      'flood-flow-queue-loss-most': 'Largest share of packets that the queue dropped, over the flows.',
    },
  },
  quantities: [
    {
      id: 'flood-flow-goodput-least',
      title: "Goodput of the flood's slowest flow",
      unit: 'bit/s',
      better: null,
      of: 'all',
    },
    {
      id: 'flood-flow-goodput-most',
      title: "Goodput of the flood's fastest flow",
      unit: 'bit/s',
      better: null,
      of: 'all',
    },
    {
      id: 'flood-flow-queue-delay-least',
      title: "Median queue delay of the flood's flows, smallest",
      unit: 'ms',
      better: null,
      of: 'all',
    },
    {
      id: 'flood-flow-queue-delay-most',
      title: "Median queue delay of the flood's flows, largest",
      unit: 'ms',
      better: null,
      of: 'all',
    },
    {
      id: 'flood-flow-queue-loss-least',
      title: "Dropped by the queue, smallest share of the flood's flows",
      unit: 'ratio',
      better: null,
      of: 'all',
    },
    {
      id: 'flood-flow-queue-loss-most',
      title: "Dropped by the queue, largest share of the flood's flows",
      unit: 'ratio',
      better: null,
      of: 'all',
    },
  ],
  async compute(record) {
    const flows = await dataFlows(record);
    return {
      ...range('goodput', await floodFlowsBps(record)),
      ...range(
        'queue-delay',
        flows.flatMap(({ delay }) => delay?.p50Ms ?? []),
      ),
      ...range('queue-loss', flows.map(dropShare)),
    };
  },
};
