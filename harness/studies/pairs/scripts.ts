/** Checks the scripts of contestants against those that the user trusted. A repeated study does so in every cycle. */
import { resolve } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { boundOf } from '../../../core/plugins.ts';
import type { Software } from '../../record/software.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import type { PairsPlan } from './plan.ts';

/** Throws `bad-definition` if a script differs from the one that the user trusts. `files`: present hashes, by path. */
export function checkScripts(
  { contestants }: PairsPlan,
  files: Software['files'],
  { services }: Pick<RunnerRegistries, 'services'>,
): void {
  for (const { service, scriptSha256 } of contestants) {
    const script = boundOf(services, service, 'service').runsModule;
    if (script !== null && files[resolve(script)] !== scriptSha256)
      throw new CoexistError('bad-definition', `the script ${script} has changed since the study began`, {
        hint: 'put back the one that was trusted, or begin the study anew with --trust-scripts',
      });
  }
}
