/** Section with the paper's statements. Left out if a chart over the buffer already shows them. */
import { object } from '../../../../core/schema/schema.ts';
import type { ReportSection } from '../../../report.ts';
import { overBuffer } from '../../curves.ts';
import type { GameReport } from '../../data.ts';
import { statements } from '../../data.ts';

export const plugin: ReportSection<GameReport> = {
  id: 'published',
  title: 'What the paper says',
  source: 'Mishra et al. (Nash equilibria of CUBIC and BBR)',
  params: object({}),
  order: 30,
  render: report => (overBuffer(report) === null ? statements(report) : null),
};
