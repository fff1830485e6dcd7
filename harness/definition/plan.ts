/**
 * The plan of an experiment: its definition, resolved into all trials that will be run. The plan leaves no choice open.
 *
 * Trials are run in rounds: every condition once, then every condition again, so that a slow drift of the machine
 * affects all conditions alike.
 */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import { deriveSeed } from '../../core/random.ts';
import { check, type z } from '../../core/schema/schema.ts';
import type { Measure } from '../../core/vocabulary/measure.ts';
import { type Condition, type Registries, resolveConditions } from './conditions.ts';
import { definitionSchema, type ExperimentDefinition } from './define.ts';
import type { Trial } from './trial.ts';

/** Number of the format of plan.json and trial.json. */
export const experimentFormat = 4;

type RunTimes = z.output<typeof definitionSchema>['run'];

export type Plan = {
  format: typeof experimentFormat;
  study: string;
  title: string;
  question: string;
  source: string;
  definition: ExperimentDefinition;
  /** Assignments of `--set`, as the user wrote them. Missing if there were none. */
  changes?: string[];
  /** Metrics that the definition names as primary. Missing if it names none. */
  primary?: string[];
  run: RunTimes;
  measure: Measure;
  conditions: Condition[];
  trials: Trial[];
};

/** True if the value is unchanged after it was written as JSON and read back. */
function isPlainData(value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
  } catch {
    return false; // the value is cyclic or contains a BigInt
  }
}

/**
 * Returns the plan for a definition. `changes`: assignments of `--set` that were already made in the definition; the
 * plan only records them. Throws an error that names the path of the first mistake and the remedy.
 */
export function makePlan(
  study: string,
  definition: ExperimentDefinition,
  registries: Registries,
  changes: readonly string[] = [],
): Plan {
  if (!isPlainData(definition)) {
    throw new CoexistError('bad-definition', `${study}: the definition holds something that is not plain data`, {
      hint: 'use literals only: text, numbers, lists and objects',
    });
  }
  const checked = check(definitionSchema, definition, study);
  const conditions = resolveConditions(study, definition, checked, registries);
  return {
    format: experimentFormat,
    study,
    title: checked.title,
    question: checked.question,
    source: checked.source,
    definition,
    ...(changes.length > 0 ? { changes: [...changes] } : {}),
    ...(checked.primary === undefined ? {} : { primary: checked.primary }),
    run: checked.run,
    measure: checked.measure,
    conditions,
    trials: order(conditions, checked.run.repeats, checked.run.seed),
  };
}

/** Returns the trials in rounds: every condition once in each repeat. */
export function order(conditions: Condition[], repeats: number, seed: number): Trial[] {
  const trials: Trial[] = [];
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const condition of conditions) {
      const number = trials.length + 1;
      trials.push({
        number,
        id: `${String(number).padStart(4, '0')}-${condition.id}`,
        condition: condition.id,
        repeat,
        seed: deriveSeed(seed, 'repeat', repeat),
      });
    }
  }
  return trials;
}

/** Returns the length of the measured window of a condition's trials, ms. */
export const windowMsOf = ({ windowMs }: Pick<Condition, 'windowMs'>, { run }: { run: { windowMs: number } }): number =>
  windowMs ?? run.windowMs;

/** Returns the condition with this id. Throws `bad-run-folder` if the plan has no such condition. */
export function conditionOf(plan: Pick<Plan, 'conditions'>, id: string): Condition {
  const condition = plan.conditions.find(c => c.id === id);
  if (condition === undefined) throw new CoexistError('bad-run-folder', `the plan has no condition "${id}"`);
  return condition;
}
