/** Section with charts of the payoffs. */
import { object } from '../../../../core/schema/schema.ts';
import type { ReportSection } from '../../../report.ts';
import { curvesSection } from '../../curves.ts';
import type { GameReport } from '../../data.ts';

export const plugin: ReportSection<GameReport> = {
  id: 'curves',
  title: 'Payoffs and deviations',
  source: 'Mishra et al. (Nash equilibria of CUBIC and BBR)',
  params: object({}),
  order: 40,
  render: curvesSection,
};
