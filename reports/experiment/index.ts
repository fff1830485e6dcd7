/** Report of an experiment. Its sections are those of reports/sections/. */
import { object } from '../../core/schema/schema.ts';
import { html } from '../html.ts';
import { linksLine } from '../link-words.ts';
import { renderSections } from '../render.ts';
import type { ReportData } from '../report.ts';
import { figuresOfPage } from '../results/figures.ts';
import type { KindReport } from '../results/kind-report.ts';
import { resultsPage } from '../results/page.ts';

export const plugin: KindReport<ReportData> = {
  id: 'experiment',
  title: 'Report of an experiment',
  source: 'own',
  params: object({}),
  render: report => {
    const { plan, versions, createdMs } = report;
    const said = [html`<p class="facts">Link: ${linksLine(report)}</p>`];
    return renderSections(new URL('../sections/', import.meta.url), report, { ...plan, versions, createdMs, said });
  },
  page: (page, plan, command, figures, addressOf) => ({
    text: resultsPage(page, plan, command, figures, addressOf),
    figures: figuresOfPage(figures).shown,
  }),
};
