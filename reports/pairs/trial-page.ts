/** Page of a trial with its verdict and links to its files, for web servers that do not list folders. */
import { formatSize } from '../../core/text/units.ts';
import { verdictWords } from '../../core/vocabulary/verdict-words.ts';
import type { TrialFile } from '../../harness/record/trial-file.ts';
import { html } from '../html.ts';
import { stillDocument } from '../page/still-page.ts';

/** A file of the trial. `path`: relative to the trial's folder. */
export type TrialPageFile = { path: string; bytes: number };

type TrialPage = {
  /** Name of the trial's folder. */
  name: string;
  /** Titles of the services in the trial, the first side first. */
  services: readonly string[];
  link: string;
  file: Pick<TrialFile, 'verdict' | 'phases' | 'attempt'>;
  files: readonly TrialPageFile[];
  reportHref: string;
};

const style = `:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 32px 24px; max-width: 760px; font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 24px; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 16px 0; width: 100%; font-size: 14px; }
th, td { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid #8884; }
td + td, th + th { text-align: right; font-variant-numeric: tabular-nums; }`;

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

export function renderTrialPage({
  name,
  services,
  link,
  file: { verdict, phases, attempt },
  files,
  reportHref,
}: TrialPage): string {
  const sorted = [...files].sort(
    (a, b) => folderOf(a.path).localeCompare(folderOf(b.path), 'en') || a.path.localeCompare(b.path, 'en'),
  );
  const time = (ms: number) => new Date(ms).toISOString();
  const window =
    phases === null
      ? 'It had no window.'
      : `Measured from ${time(phases.windowStartMs)} to ${time(phases.windowEndMs)}.`;
  const findings = verdict.findings.map(({ message }) => html`<li>${message}</li>`);
  const hrefOf = (path: string) => path.split('/').map(encodeURIComponent).join('/');
  const rows = sorted.map(
    ({ path, bytes }) => html`<tr><td><a href="${hrefOf(path)}">${path}</a></td><td>${formatSize(bytes)}</td></tr>`,
  );
  const body = html`<h1>${name}</h1>
<p>${services.join(' beside ')}, ${link}${attempt === 1 ? '' : `, try ${attempt}`}. ${window}
<a href="${reportHref}">The report</a></p>
<p>Verdict: ${verdictWords[verdict.status]}.</p>
${findings.length === 0 ? null : html`<ul>${findings}</ul>`}
<table><thead><tr><th>File</th><th>Size</th></tr></thead>
<tbody>${rows}</tbody></table>
<p>Series are lines of JSON, with units in the names.</p>`;
  return stillDocument(name, style, body);
}
