/** Section on the path of the search. */
import { object } from '../../../../core/schema/schema.ts';
import type { ReportSection } from '../../../report.ts';
import type { GameReport } from '../../data.ts';
import { pathSection } from '../../states.ts';

export const plugin: ReportSection<GameReport> = {
  id: 'path',
  title: 'The path of the search',
  source: 'own',
  params: object({}),
  order: 70,
  render: pathSection,
};
