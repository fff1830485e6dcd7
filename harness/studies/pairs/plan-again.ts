/** Computes the plan in the folder of a pairwise study again, from its contestants, links and settings. */
import { CoexistError } from '../../../core/errors.ts';
import { check, text, z } from '../../../core/schema/schema.ts';
import { asKept, requireSame } from '../../record/kept-plan.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { contestantAgain } from './contestant.ts';
import { type PairsRun, runSchema, writtenRun } from './define.ts';
import { openLinkId, pairLink } from './links.ts';
import { backendFor, isOutside } from './outside.ts';
import { makePairsPlan, type PairsPlan } from './plan.ts';

const keptSchema = z.looseObject({
  title: text(),
  contestants: z.array(z.unknown()).min(1),
  links: z.array(z.looseObject({ id: text() })).min(1),
  run: z.looseObject({ externalLossRatio: z.number() }).transform(run => run as PairsRun),
  cells: z.array(z.looseObject({ id: text() })),
  judged: z.looseObject({}).optional(),
});

/** Permissions that the user grants to a plan. The folder records permissions too, but it may come from a stranger. */
type Allowed = {
  /** True: scripts of contestants may run if they have not changed since the study began. */
  trustScripts: boolean;
  /** True: live URLs may reach private networks and this machine, if they could when the study began. */
  privateNetworks: boolean;
};

/** Throws `bad-run-folder` if the plan is malformed, or the error of the first part that cannot be resolved again. */
export function pairsPlanAgain(
  kept: unknown,
  { services }: Pick<RunnerRegistries, 'services'>,
  path: string,
  { trustScripts, privateNetworks }: Allowed,
): PairsPlan {
  const parts = check(keptSchema, kept, `the plan in ${path}`, 'bad-run-folder');
  const contestants = parts.contestants.map(contestant =>
    contestantAgain(contestant, services, path, { trustScripts }),
  );
  const run = check(runSchema, writtenRun(parts.run), `the plan in ${path}: run`, 'bad-run-folder');
  const outside = contestants.find(contestant => isOutside(contestant, { services }));
  if (run.privateNetworks && !privateNetworks && outside !== undefined) {
    throw new CoexistError(
      'bad-definition',
      `the plan in ${path} lets the pages of ${outside.name} reach private networks and this machine`,
      { hint: 'where you trust them with that, run the command again with --private-networks' },
    );
  }
  const backend = backendFor(contestants, { services }, run);
  const links = parts.links.filter(({ id }) => id !== openLinkId).map(({ id }) => pairLink(id, backend));
  // The schema has checked the range. The kept ratio is used, since conversion to a percentage and back may change the
  // last digit.
  const { externalLossRatio } = parts.run;
  const { title, judged } = parts;
  const common = {
    title,
    contestants,
    links,
    run: { ...run, externalLossRatio },
    ...(judged === undefined ? {} : { judged }),
  };
  const whole = makePairsPlan(common);
  const cells = new Set(parts.cells.map(({ id }) => id));
  const isWhole = JSON.stringify(asKept(whole.cells)) === JSON.stringify(parts.cells);
  return requireSame(isWhole ? whole : makePairsPlan({ ...common, only: ({ id }) => cells.has(id) }), kept, path);
}
