/** Section with heat maps of all pairs. */
import { object } from '../../../../core/schema/schema.ts';
import type { ReportSection } from '../../../report.ts';
import type { PairsReport } from '../../data.ts';
import { matricesSection } from '../../matrices.ts';

export const plugin: ReportSection<PairsReport> = {
  id: 'matrix',
  title: 'Shares of the link',
  source: 'Philip et al., SIGCOMM 2024',
  params: object({}),
  order: 20,
  render: matricesSection,
};
