/** Data of a report without thresholds and claims. */
import type { JudgedReport } from '../../../../reports/judged-report.ts';

export const unjudged: JudgedReport = {
  judged: { thresholds: [], claims: [], quantities: [], conditions: [], parties: [] },
};
