/** Loads the report of a kind of study, a plug-in in the folder of reports/ that has the name of the kind. */
import { loadPlugin, type Plugin } from '../../core/plugins.ts';

/** Returns the report of a kind. `R`: type of this report. */
export async function loadReport<R extends Plugin>(kind: string): Promise<R> {
  return (await loadPlugin<R>(new URL('../../reports/', import.meta.url), kind, 'report'))!;
}
