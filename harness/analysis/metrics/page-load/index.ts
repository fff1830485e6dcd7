/** Metric: page load times, and the share of failed loads. */
import { object } from '../../../../core/schema/schema.ts';
import { serviceSeries } from '../../../record/series/service.ts';
import { pageLoadQuantities, pageLoads } from '../../derive/page-loads.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'page-load',
  title: 'Page loads',
  source: 'own; the load by what is above the fold as in Philip et al., SIGCOMM 2024, section 5',
  params: object({}),
  reading: {
    needs: '`web-page`; of `live-url` only the load event and the loads that failed.',
    cannotTell: 'How long a reader waits for what they came for: no page says which part that is.',
    definitions: {
      'page-load':
        'Median, over the loads that began in the window or lasted all of it, of the time from the start of the ' +
        'navigation until 95 % of what is visible without scrolling had its final look. A load that the end of the ' +
        'trial cut off counts as longer than it lasted, one that failed as longer than any other. A trial in which no page loaded has none.',
      'load-event':
        'Median time from the start of the navigation to the `load` event of the page, also where no page loaded.',
      'failed-loads': 'Share of the loads begun in the window that failed.',
    },
  },
  quantities: pageLoadQuantities,
  compute: async record => ({ ...pageLoads(await record.read(serviceSeries), record.window) }),
};
