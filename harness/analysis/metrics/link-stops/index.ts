/** Metric: time for which the machine stopped the link while packets waited, from the log of every packet. */
import { object } from '../../../../core/schema/schema.ts';
import { linkStopsReading } from '../../derive/link-stops.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'link-stops',
  title: 'Stops of the link',
  source: 'own',
  params: object({}),
  reading: {
    needs: 'The queue log (`run.queueLog` not `off`) and a link with a rate (not one that follows a trace).',
    cannotTell: 'Stops while no packet waited, and those of 1 ms and less.',
    definitions: {
      'link-stop-max':
        'Longest time that the bottleneck in the direction of the subject stood still although packets waited, because ' +
        'the machine had stopped what forms the link; 0 if it never did.',
      'link-stopped': 'Sum of these times over the window.',
    },
  },
  quantities: [
    { id: 'link-stop-max', title: 'Link stood still, longest', unit: 'ms', better: null, of: 'link', perHop: true },
    { id: 'link-stopped', title: 'Link stood still, in all', unit: 'ms', better: null, of: 'link', perHop: true },
  ],
  async compute(record) {
    const reading = linkStopsReading(record);
    return { 'link-stop-max': reading?.longestMs ?? null, 'link-stopped': reading?.sumMs ?? null };
  },
};
