/** The command that goes on with a study. */
import { shownWord } from '../../core/shell.ts';
import { describeUrl } from '../queue/store.ts';

/** What its user has to say again, as the folder does not say it, or may be a stranger's. */
type Again = {
  hosts?: string;
  queue?: string;
  'trust-scripts'?: boolean;
  'private-networks'?: boolean;
};

export function againCommand(command: 'experiment' | 'game' | 'pairs', path: string, values: Again): string {
  const { hosts, queue } = values;
  return [
    `npm run ${command} -- --resume ${shownWord(path)}`,
    ...(hosts === undefined ? [] : [`--hosts ${shownWord(hosts)}`]),
    ...(['trust-scripts', 'private-networks'] as const).filter(name => values[name] === true).map(name => `--${name}`),
    ...(queue === undefined ? [] : [`--queue ${describeUrl(queue)}`]),
  ].join(' ');
}
