/** Section with a row for each state. */
import { object } from '../../../../core/schema/schema.ts';
import type { ReportSection } from '../../../report.ts';
import type { GameReport } from '../../data.ts';
import { costsSection } from '../../states.ts';

export const plugin: ReportSection<GameReport> = {
  id: 'costs',
  title: 'Payoffs and link use of each state',
  source: 'own',
  params: object({}),
  order: 80,
  render: costsSection,
};
