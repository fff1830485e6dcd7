/** Text that `--dry-run` prints for an experiment: the plan. No trial runs. */

import { boundOf } from '../../../core/plugins.ts';
import { z } from '../../../core/schema/schema.ts';
import { counted } from '../../../core/text/counted.ts';
import { formatDuration } from '../../../core/text/units.ts';
import { autoBackendWords } from '../../../core/vocabulary/backends.ts';
import { primaryOf } from '../../../core/vocabulary/headline.ts';
import { hopsOf } from '../../../core/vocabulary/hops.ts';
import { describeLink, describePath } from '../../../core/vocabulary/link.ts';
import { leastTrials } from '../../analysis/gate/threshold.ts';
import { repeatsNeeded } from '../../analysis/summary/repeats-needed.ts';
import { sameLines } from '../../definition/conditions.ts';
import type { Plan } from '../../definition/plan.ts';
import { isTree } from '../../definition/set.ts';
import { writtenValue } from '../../documents/fields.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { traceLines } from '../../trial/traces.ts';
import { sourceLines } from '../source-lines.ts';
import { lengthWords } from './progress.ts';

export function describePlan(plan: Plan, registries: RunnerRegistries): string {
  const { windowMs, startUpMs, repeats, seed } = plan.run;
  const autoLinks = plan.conditions.flatMap(({ link }) => hopsOf(link)).filter(({ backend }) => backend === 'auto');
  const width = Math.max(24, ...plan.conditions.map(({ title }) => title.length));
  const lines = [
    plan.title,
    `  ${plan.question}`,
    ...sourceLines(plan),
    ...(plan.changes === undefined ? [] : [`  changed: ${plan.changes.join(', ')}`]),
    '',
    ...plan.conditions.map(condition => `${condition.title.padEnd(width)} ${describeLink(condition.link)}`),
    ...sameLines(plan.conditions),
    ...traceLines(plan.conditions.map(({ link }) => link)),
    '',
    ...applicationLines(plan, registries),
    '',
    ...(autoLinks.length > 0 ? [`links: formed by ${autoBackendWords(autoLinks)}`] : []),
    `${repeats} of each condition, round robin, seed ${seed}, each ${formatDuration(windowMs)} measured after ` +
      `${formatDuration(startUpMs)} of start-up`,
    lengthWords(plan, plan.trials.length),
    ...testLines(plan),
    ...claimLines(plan),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Returns a line with the number of repeats that the corrected tests of the study need to show one difference alone.
 * Empty for a study without a comparison.
 */
function testLines(plan: Plan): string[] {
  const {
    conditions,
    run: { repeats },
  } = plan;
  const metrics = primaryOf(plan).length;
  const compared = conditions.filter(({ id, baseline }) => id !== baseline).length;
  if (compared === 0) return [];
  const tests = compared * metrics;
  const needed = repeatsNeeded(tests);
  const takes =
    `up to ${tests} tests (${counted(metrics, 'primary metric')}, ` +
    `${counted(compared, 'condition')} against a baseline): one difference alone takes ${needed} repeats`;
  return [repeats < needed ? `${takes} to be significant, this plan has ${repeats} (--repeats ${needed})` : takes];
}

/**
 * Returns a line that the claims cannot be decided, if the plan has too few trials of each condition. Otherwise empty.
 */
function claimLines({ definition: { claims = [] }, run: { repeats } }: Plan): string[] {
  if (claims.length === 0 || repeats >= leastTrials) return [];
  return [
    `the ${counted(claims.length, 'claim')} of this study cannot be decided: a 95 % interval takes ${leastTrials} trials of ` +
      `each condition (--repeats ${leastTrials})`,
  ];
}

/** Returns a table of the applications, with the columns name, direction, times, path and conditions. */
function applicationLines({ conditions }: Plan, { services, tunnels }: RunnerRegistries): string[] {
  const rows = new Map<string, { cells: string[]; of: string[] }>();
  for (const {
    title,
    applications,
    link: { paths },
  } of conditions) {
    for (const { name, service, direction, startMs, stopMs, pauses = [], headStartMs, tunnel, dscp } of applications) {
      const early =
        headStartMs !== null && headStartMs > 0 ? `${formatDuration(headStartMs)} before the others` : 'start-up';
      const from = startMs === null ? early : at(startMs);
      const cells = [
        name,
        service.title,
        direction,
        [
          `${from} to ${stopMs === null ? 'end' : at(stopMs)}`,
          ...pauses.map(({ fromMs, toMs }) => `paused ${formatDuration(fromMs)} to ${formatDuration(toMs)}`),
        ].join(', '),
        [
          describePath(paths[name]!),
          ...(tunnel === undefined ? [] : [`in ${boundOf(tunnels, tunnel, 'tunnel').describe()}`]),
          ...(dscp === undefined ? [] : [`DSCP ${dscp}`]),
        ].join(', '),
        describeParams(services.get(service.id)?.params, service.params),
      ];
      const key = JSON.stringify(cells);
      const row = rows.get(key) ?? { cells, of: [] };
      row.of.push(title);
      rows.set(key, row);
    }
  }
  const heads = ['application', 'service', 'direction', 'time', 'path', 'parameters'];
  const all = [...rows.values()];
  const widths = heads.map((head, k) => Math.max(head.length, ...all.map(({ cells }) => cells[k]!.length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, k) => (k === cells.length - 1 ? cell : cell.padEnd(widths[k]!))).join('  ');
  return [
    line(heads),
    ...all.flatMap(({ cells, of }) => [
      line(cells),
      ...(of.length === conditions.length
        ? []
        : [`    in ${of.length <= 4 ? of.join(', ') : `${of.length} of ${conditions.length} conditions`}`]),
    ]),
  ];
}

/** Formats a time relative to the start of the window: "window +5 s". */
const at = (ms: number) => `window ${ms < 0 ? '-' : '+'}${formatDuration(Math.abs(ms))}`;

function describeParams(schema: z.ZodType | undefined, params: unknown): string {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  return Object.entries(params as Record<string, unknown>)
    .map(([key, value]) => `${key}=${isChosen(value) ? describeChosen(value) : writtenValue(shape[key], value)}`)
    .join(' ');
}

/**
 * A plug-in chosen in a parameter of another plug-in, such as the congestion controller of a service. `changed`:
 * parameters of the chosen plug-in that differ from their defaults.
 */
type ChosenInside = { id: string; changed: Record<string, unknown> };

function isChosen(value: unknown): value is ChosenInside {
  return isTree(value) && typeof value['id'] === 'string' && isTree(value['changed']);
}

function describeChosen({ id, changed }: ChosenInside): string {
  return Object.keys(changed).length === 0 ? id : JSON.stringify({ id, ...changed });
}
