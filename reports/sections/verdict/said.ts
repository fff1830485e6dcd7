/** A number within a sentence. */
import type { SummaryValue } from '../../../harness/summary/summary.ts';
import { formatInterval, formatValue } from '../../format.ts';

/** "59.9 fps [59.8, 60.0]". */
export function said(value: SummaryValue, unit: string): string {
  return `${formatValue(value.value, unit)}${value.low === null ? '' : ` ${formatInterval(value, unit)}`}`;
}
