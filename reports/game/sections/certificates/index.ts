/** Section with the verdict on each state and its evidence. */
import { object } from '../../../../core/schema/schema.ts';
import type { ReportSection } from '../../../report.ts';
import type { GameReport } from '../../data.ts';
import { certificatesSection } from '../../states.ts';

export const plugin: ReportSection<GameReport> = {
  id: 'certificates',
  title: 'Certificates',
  source: 'own',
  params: object({}),
  order: 60,
  render: certificatesSection,
};
