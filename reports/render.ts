/** Renders the report of a run as one HTML page. Each section is a plug-in. */
import { messageOf } from '../core/errors.ts';
import { loadPlugins } from '../core/plugins.ts';
import { changedNote } from './changed.ts';
import { type Html, html } from './html.ts';
import { linksLine } from './link-words.ts';
import { contents, renderPage } from './page/page.ts';
import type { ReportData, ReportSection } from './report.ts';

/**
 * Returns the content of a section. If the section throws, returns the error as content, so that the other sections are
 * still rendered.
 */
async function rendered(section: ReportSection, report: ReportData): Promise<Html | null> {
  try {
    return await section.render(report);
  } catch (error) {
    return html`<p class="note">This section failed: ${messageOf(error)}</p>`;
  }
}

/** Matches a source that is a figure of a paper, such as "Juntima et al., Figure 4". The group is the first author. */
const figureOfPaper = /^(\p{L}+) et al\., Figure /u;

/**
 * Returns title and heading of a section. If the section reproduces a figure of the paper that the study follows, the
 * heading names this figure.
 */
function headingOf(section: ReportSection, report: ReportData): { title: string; heading: string } {
  const { source } = section;
  const title = section.heading?.(report) ?? section.title;
  const author = figureOfPaper.exec(source)?.[1];
  const isOfPaper = author !== undefined && report.plan.source.startsWith(author);
  return { title, heading: isOfPaper ? `${title} (${source})` : title };
}

/** Returns the element of a section: its heading, and `content` below. */
export function framed(section: ReportSection, report: ReportData, content: Html): Html {
  return html`<section id="${section.id}"><h2>${headingOf(section, report).heading}</h2>${content}</section>`;
}

/**
 * Returns the lines that a section prints on the terminal. If the section throws, returns a line with the error,
 * because the run is over and has a report.
 */
function linesOf(section: ReportSection, report: ReportData): string[] {
  try {
    return section.lines?.(report) ?? [];
  } catch (error) {
    return [`${section.title} failed: ${messageOf(error)}`];
  }
}

/** Returns the report as an HTML page, and the lines for the terminal. */
export async function renderReport(report: ReportData): Promise<{ page: string; lines: string[] }> {
  const { plan, versions, createdMs } = report;
  const sections = [
    ...(await loadPlugins<ReportSection>(new URL('sections/', import.meta.url), 'report section')).values(),
  ].sort((a, b) => a.order - b.order);
  const shown: { id: string; title: string; markup: Html }[] = [];
  for (const section of sections) {
    const content = await rendered(section, report);
    if (content !== null) {
      const { title } = headingOf(section, report);
      shown.push({ id: section.id, title, markup: framed(section, report, content) });
    }
  }
  const [first, ...others] = shown.map(({ markup }) => markup);
  const facts = [
    new Date(createdMs).toISOString().slice(0, 10),
    `Linux ${versions.kernel}`,
    versions.browser ?? 'no browser',
    `Coexist ${versions.coexist}`,
  ];
  // the answer comes before the list of the other sections
  const body = html`<header><h1>${plan.title}</h1><p class="question">${plan.question}</p>${changedNote(plan.changes)}
<p class="facts">Link: ${linksLine(report)}</p>
<p class="facts">${facts.join(' \u00b7 ')}</p></header>
<main id="report" tabindex="-1">${first}${contents(shown)}${others}</main>`;
  return {
    page: await renderPage(plan.title, body),
    lines: sections.flatMap(section => linesOf(section, report)),
  };
}
