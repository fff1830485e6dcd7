/** Notes about a link that Coexist did not make. */
import type { BackendId } from '../../core/vocabulary/link.ts';
import type { Finding } from '../record/trial-file.ts';

/** Returns a note that says what is missing for a link outside; empty for other backends. */
export const outsideFindings = (backend: BackendId): Finding[] =>
  backend !== 'outside'
    ? []
    : [
        {
          kind: 'link',
          status: 'note',
          message:
            'the link was the network around the command: there is no queue log, packets on their way count as dropped, ' +
            'and nothing proves the rate and the queue of the definition',
        },
      ];
