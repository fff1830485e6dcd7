/** Builds the command that continues a study. */
import { shownWord } from '../../core/text/shell.ts';
import { describeUrl } from '../queue/store.ts';
import type { OptionValues, StudyKind } from '../studies/study.ts';

/**
 * Returns the command that continues a study. `values`: options that the user has to give again, because the study's
 * folder does not have them, or may come from a stranger.
 */
export function againCommand(
  { id, allows = [] }: Pick<StudyKind, 'id' | 'allows'>,
  path: string,
  values: OptionValues,
): string {
  const { hosts, queue } = values;
  return [
    `npm run ${id} -- --resume ${shownWord(path)}`,
    ...(hosts === undefined ? [] : [`--hosts ${shownWord(String(hosts))}`]),
    ...allows.filter(name => values[name] === true).map(name => `--${name}`),
    ...(queue === undefined ? [] : [`--queue ${describeUrl(String(queue))}`]),
  ].join(' ');
}
