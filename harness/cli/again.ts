/** The command that goes on with a study. */
import { shownWord } from '../../core/text/shell.ts';
import { describeUrl } from '../queue/store.ts';
import type { OptionValues, StudyKind } from '../studies/study.ts';

/** `values`: options that its user has to give again, as the folder does not say them, or may be a stranger's. */
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
