/** Section with the time that media packets wait in the bottleneck queue, over time. */
import { object } from '../../../core/schema/schema.ts';
import { meanPerBin } from '../../../core/stats/binned.ts';
import { conditionLines } from '../../condition-lines.ts';
import { shownRecords } from '../../disturbed.ts';
import type { ReportSection } from '../../report.ts';

const binMs = 200;

export const plugin: ReportSection = {
  id: 'queue-delay-series',
  title: 'Queue delay of media packets',
  source: 'own',
  params: object({}),
  order: 52,
  render: report =>
    conditionLines(report, {
      title: 'Queue delay of media packets',
      unit: 'ms',
      binMs,
      recordsOf: ({ id }) => shownRecords(report, id).filter(record => record.file.queueLog !== null),
      perBin: async record => meanPerBin(await record.ownDelays(), record.window, binMs),
      about: `Time that media packets spend in the bottleneck queue, mean of each ${binMs} ms, from the queue log.`,
    }),
};
