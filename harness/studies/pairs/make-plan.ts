/** Makes the plan of a pairwise study from its definition. */

import { CoexistError } from '../../../core/errors.ts';
import { check } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/counted.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { lanesOf } from './check.ts';
import { resolveContestants } from './contestant.ts';
import { type PairsDefinition, pairsSchema } from './define.ts';
import { contestantsOf, findingsPlan, isInFindings, linksOf } from './findings.ts';
import { pairLink } from './links.ts';
import { backendFor } from './outside.ts';
import { makePairsPlan, type PairsPlan, windowWithinMs } from './plan.ts';

/** Makes the plan. Throws an error that names the first mistake in the definition. */
export function makePlan(
  study: string,
  definition: PairsDefinition,
  { services }: Pick<RunnerRegistries, 'services'>,
  { trustScripts = false, isOverMachines = false } = {},
): PairsPlan {
  const {
    title,
    services: named = [],
    links: chosen,
    findings: isFindings,
    within,
    run: written,
  } = check(pairsSchema, definition, study);
  // The machines of a lab carry one trial at a time.
  const run = isOverMachines && written.parallel === 0 ? { ...written, parallel: 1 } : written;
  const judged = Object.fromEntries(
    (['require', 'claims'] as const).flatMap(key => (definition[key] === undefined ? [] : [[key, definition[key]]])),
  );
  const findings = isFindings ? findingsPlan(chosen) : undefined;
  const wanted = findings === undefined ? named : contestantsOf(findings.flatMap(({ claims: compared }) => compared));
  const contestants = resolveContestants(wanted, services, { trustScripts, by: study });
  const names = findings === undefined ? (chosen ?? []) : linksOf(findings);
  if (names.length === 0)
    throw new CoexistError('bad-definition', `${study}: no link is named`, { hint: "write links: ['8mbit']" });
  const backend = backendFor(contestants, { services }, run);
  const plan = makePairsPlan({
    title: title ?? `${counted(contestants.length, 'service')}, pair by pair`,
    contestants,
    links: [...new Set(names)].map(name => pairLink(name, backend)),
    run,
    ...(Object.keys(judged).length === 0 ? {} : { judged }),
    ...(findings === undefined ? {} : { only: cell => isInFindings(findings, cell) }),
  });
  if (within === undefined || definition.run?.window !== undefined) return plan;
  return { ...plan, run: { ...plan.run, windowMs: windowWithinMs(plan, lanesOf(plan), within) } };
}
