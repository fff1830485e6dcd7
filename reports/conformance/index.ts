/** Report of a conformance study. */
import { object } from '../../core/schema/schema.ts';
import { counted } from '../../core/text/counted.ts';
import { percent } from '../../core/text/units.ts';
import { sourceWords } from '../../core/vocabulary/source-words.ts';
import { html } from '../html.ts';
import { renderSections } from '../render.ts';
import type { KindReport } from '../results/kind-report.ts';
import { pageOfSections } from '../results/sections-page.ts';
import type { ConformanceReport } from './data.ts';
import { conformanceStyle } from './style.ts';

function method({ summary, plan: { run, source } }: ConformanceReport): string {
  const voided = summary.trials.filter(({ metrics }) => metrics === null).length;
  const said = sourceWords(source);
  return (
    `${said === null ? '' : `${said}. `}Planned: ${counted(run.repeats, 'trial')} of each case and sender. ` +
    `${summary.trials.length - voided} of ${counted(summary.trials.length, 'trial')} count. An expectation is decided if ` +
    `the interval of the median covers at least ${percent(summary.confidence)} and lies on one side of the bound; with ` +
    'fewer than six trials the interval is their range. A case is failed if any expectation failed, and passed if all passed.'
  );
}

export const plugin: KindReport<ConformanceReport> = {
  id: 'conformance',
  title: 'Report of a conformance study',
  source: 'RFC 8867; RFC 8836',
  params: object({}),
  render: report => {
    const { plan, versions, createdMs } = report;
    const { title, question, source, changes } = plan;
    const said = [html`<p>${method(report)}</p>`];
    const head = { title, question, source, changes, versions, createdMs, said, style: conformanceStyle };
    return renderSections(new URL('sections/', import.meta.url), report, head);
  },
  page: (page, _plan, command, figures, addressOf) => pageOfSections(page, pageSections, command, figures, addressOf),
};

/** Ids of the sections that a results page shows. */
const pageSections = ['matrix', 'measures'];
