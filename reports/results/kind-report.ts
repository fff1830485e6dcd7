/** Port of the reports of a kind of study. */
import type { Plugin } from '../../core/plugins.ts';
import type { Figure } from './figures.ts';

/** Text of a results page, and the figures in the page. */
export type ResultsPage = { text: string; figures: readonly Figure[] };

/**
 * Report of a kind of study: a plug-in in the folder of reports/ that has the name of the kind. `R`: data of the
 * report.
 */
export type KindReport<R extends { plan: unknown }> = Plugin & {
  /** Returns the report as one HTML page that opens from disk, and lines about the result for the terminal. */
  render(report: R): Promise<{ page: string; lines: string[] }>;
  /**
   * Returns the result as a Markdown page. `html`: text of the report. `command`: command that repeats the study; null if
   * none does. `figures`: figures that the report contains.
   */
  page(
    html: string,
    plan: R['plan'],
    command: string | null,
    figures: readonly Figure[],
    addressOf: (figure: Figure) => string,
  ): ResultsPage;
};
