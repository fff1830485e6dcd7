/** Series page.jsonl: delays of the page of the viewer, once a second. */
import { z } from '../../../core/schema/schema.ts';
import { flag, ms, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const punctuality = {
  mainThreadDelayMaxMs: ms('longest time since the last record that its main thread was kept from a timer'),
  visible: flag('whether the browser took the page to be visible'),
};

export const pageSeries = new Series(
  { id: 'page', of: 'application', title: "Punctuality of the viewer's page", pace: 'once a second' },
  z.object({ timeMs: time('when the page was asked'), ...punctuality }),
);

export type PageRecord = RecordOf<typeof pageSeries>;
