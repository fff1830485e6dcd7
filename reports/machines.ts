/** Notes for studies whose trials ran on several machines. A reader needs these notes before any number. */
import { counted } from '../core/text/counted.ts';
import type { MachineSummary } from '../harness/analysis/summary/summary.ts';
import { mostNamed } from './format.ts';
import { type Html, html } from './html.ts';
import type { ReportData } from './report.ts';

/** Counts the trials of a condition on each machine: "5 of 6 on a, 1 of 6 on b". */
function placesOf(id: string, { conditions }: MachineSummary): string {
  const trials = Object.entries(conditions.find(condition => condition.id === id)!.trials).filter(([, n]) => n > 0);
  const all = trials.reduce((sum, [, n]) => sum + n, 0);
  return trials
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${n} of ${all} on ${name}`)
    .join(', ');
}

/**
 * Returns a warning about conditions that ran on other machines than their baseline. Null if there are no such
 * conditions.
 */
function mixedUp({ summary: { conditions } }: ReportData, machines: MachineSummary): Html | null {
  if (machines.mixedUp.length === 0) return null;
  const titled = (id: string) => conditions.find(condition => condition.id === id)!;
  const said = machines.mixedUp.slice(0, mostNamed).map(id => {
    const { title, baseline } = titled(id);
    return `${title} (${placesOf(id, machines)}) and ${titled(baseline).title} (${placesOf(baseline, machines)})`;
  });
  const more = machines.mixedUp.length - said.length;
  const pairs = `${said.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
  return html`<b>Machine and condition are mixed up:</b> ${pairs} had at least half of their trials on different
machines, so their medians may differ because the machines do. Only pairs of trials on one machine are compared. `;
}

/**
 * Describes pairs of trials that are left out of comparisons: "3 pairs of trials are left out (Lossy), because ...".
 * Null if no pair is left out.
 */
function leftOut({ summary: { conditions, comparisons } }: ReportData): string | null {
  const apart = comparisons.filter(comparison => comparison.apart > 0);
  const count = apart.reduce((sum, comparison) => sum + comparison.apart, 0);
  if (count === 0) return null;
  const titles = apart.map(({ condition }) => conditions.find(({ id }) => id === condition)!.title);
  const of = titles.length <= mostNamed ? titles.join(', ') : `${titles.length} conditions`;
  return (
    `${counted(count, 'pair of trials is', 'pairs of trials are')} left out (${of}), ` +
    'because the two trials of a repeat ran on different machines. '
  );
}

/** Returns all notes on machines. Null if one machine ran all trials. */
export function machinesNote(report: ReportData): Html | null {
  const { machines } = report.summary;
  if (machines === null) return null;
  const mixed = mixedUp(report, machines);
  const ran = `${machines.machines.length} machines ran the trials`;
  return html`<p class="note${mixed === null ? null : ' warning'}">${mixed}${leftOut(report)}${ran};
<a href="#machines">Machines</a> shows how much their values differ.</p>`;
}
