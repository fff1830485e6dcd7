/** What the data dictionary says of a field. */

import { dictionary } from '../../../../harness/exchange/dictionary.ts';
import type { AllSeries } from '../../../../harness/exchange/series-table.ts';

/** Unit and description of a series' field; undefined where nothing describes it. */
export function describeField(
  series: AllSeries,
  id: string,
  path: string,
): { unit: string; about: string } | undefined {
  const table = dictionary([], series).find(one => one.id === id);
  const open = table?.open.find(({ prefix }) => path.startsWith(prefix));
  return table?.fields.find(({ name }) => name === path) ?? (open && { unit: '', about: open.about });
}
