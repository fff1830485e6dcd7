/** Section with the differences between this cycle and the cycle before. */
import { object } from '../../../../core/schema/schema.ts';
import type { ReportSection } from '../../../report.ts';
import { changesSection } from '../../changes.ts';
import type { PairsReport } from '../../data.ts';

export const plugin: ReportSection<PairsReport> = {
  id: 'changes',
  title: 'Since the last cycle',
  source: 'own',
  params: object({}),
  order: 10,
  render: report => changesSection(report),
};
