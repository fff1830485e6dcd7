/** Renders the report of a study of any kind as one HTML page. Each section is a plug-in. */
import { messageOf } from '../core/errors.ts';
import { loadPlugins } from '../core/plugins.ts';
import type { Versions } from '../harness/record/versions.ts';
import { changedNote, changedTitle } from './changed.ts';
import { type Html, html } from './html.ts';
import type { JudgedReport } from './judged-report.ts';
import { contents, renderPage } from './page/page.ts';
import type { ReportSection } from './report.ts';

/** Head of a report. */
type Head = {
  title: string;
  question: string;
  /** Source of the study. A section that reproduces a figure of this paper names the figure in its heading. */
  source: string;
  /** Assignments of `--set`, as the user wrote them. */
  changes?: readonly string[] | undefined;
  versions: Versions;
  createdMs: number;
  /** Paragraphs on link and method, above the facts on the machine. */
  said: readonly (Html | null)[];
  /** Styles in addition to those of every report (page/style.css). */
  style?: Html;
};

/**
 * Returns the content of a section. If the section throws, returns the error as content, so that the other sections are
 * still rendered.
 */
async function rendered<R>(section: ReportSection<R>, report: R): Promise<Html | null> {
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
 * heading names this figure. `of`: source of the study.
 */
function headingOf<R>(section: ReportSection<R>, report: R, of: string): { title: string; heading: string } {
  const { source } = section;
  const title = section.heading?.(report) ?? section.title;
  const author = figureOfPaper.exec(source)?.[1];
  const isOfPaper = author !== undefined && of.startsWith(author);
  return { title, heading: isOfPaper ? `${title} (${source})` : title };
}

/** Returns the element of a section: its heading, and `content` below. */
export function framed<R>(section: ReportSection<R>, report: R, content: Html, of: string): Html {
  return html`<section id="${section.id}"><h2>${headingOf(section, report, of).heading}</h2>${content}</section>`;
}

/**
 * Returns the lines that a section prints on the terminal. If the section throws, returns a line with the error,
 * because the run is over and has a report.
 */
function linesOf<R>(section: ReportSection<R>, report: R): string[] {
  try {
    return section.lines?.(report) ?? [];
  } catch (error) {
    return [`${section.title} failed: ${messageOf(error)}`];
  }
}

/**
 * Returns the report as an HTML page, and the lines for the terminal. `folder`: URL of the folder that holds the
 * sections of the kind, with a final slash. Every report has those of judged/ as well.
 */
export async function renderSections<R extends JudgedReport>(
  folder: URL,
  report: R,
  { title, question, source, changes, versions, createdMs, said, style }: Head,
): Promise<{ page: string; lines: string[] }> {
  const ofAll = new URL('judged/', import.meta.url);
  const loaded = await Promise.all([ofAll, folder].map(url => loadPlugins<ReportSection<R>>(url, 'report section')));
  const sections = loaded.flatMap(plugins => [...plugins.values()]).sort((a, b) => a.order - b.order);
  const shown: { id: string; title: string; markup: Html }[] = [];
  for (const section of sections) {
    const content = await rendered(section, report);
    if (content !== null) {
      const { title: own } = headingOf(section, report, source);
      shown.push({ id: section.id, title: own, markup: framed(section, report, content, source) });
    }
  }
  const ofRun = changedTitle(title, changes);
  const [first, ...others] = shown.map(({ markup }) => markup);
  const facts = [
    new Date(createdMs).toISOString().slice(0, 10),
    `Linux ${versions.kernel}`,
    versions.browser ?? 'no browser',
    `${versions.processor}, ${versions.cores} cores`,
    `Coexist ${versions.coexist}${versions.commit === null ? '' : ` (${versions.commit})`}`,
  ];
  // the answer comes before the list of the other sections
  const body = html`${style === undefined ? null : html`<style>${style}</style>`}<header><h1>${ofRun}</h1><p class="question">${question}</p>${changedNote(changes)}
${said}
<p class="facts">${facts.join(' \u00b7 ')}</p></header>
<main id="report" tabindex="-1">${first}${contents(shown)}${others}</main>`;
  return { page: await renderPage(ofRun, body), lines: sections.flatMap(section => linesOf(section, report)) };
}
