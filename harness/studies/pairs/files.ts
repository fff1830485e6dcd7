/** Lists the files that a pairwise study uses, with their present hashes. */
import { resolve } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { boundOf } from '../../../core/plugins.ts';
import { hashesOf, type Software } from '../../record/software.ts';
import { namedFiles } from '../../trial/named-files.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import type { PairsPlan } from './plan.ts';

/**
 * Returns the hashes of the files. Throws `bad-definition` if a file cannot be read, or if a script differs from the
 * one that the user trusts. A repeated study calls this in every cycle.
 */
export function filesOf(
  { links, contestants }: PairsPlan,
  { services }: Pick<RunnerRegistries, 'services'>,
): Software['files'] {
  const files = hashesOf(
    namedFiles(
      links.map(({ link }) => link),
      contestants.map(({ service }) => service),
      services,
    ),
  );
  for (const { service, scriptSha256 } of contestants) {
    const script = boundOf(services, service, 'service').runsModule;
    if (script !== null && files[resolve(script)] !== scriptSha256)
      throw new CoexistError('bad-definition', `the script ${script} has changed since the study began`, {
        hint: 'put back the one that was trusted, or begin the study anew with --trust-scripts',
      });
  }
  return files;
}
