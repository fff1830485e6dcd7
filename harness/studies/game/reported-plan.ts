/**
 * Schema of a game study's plan in a run folder that a report is made from. Such a folder may come from a stranger.
 * When a study is resumed, its plan is computed again from the definition instead.
 */
import { check, z } from '../../../core/schema/schema.ts';
import { shownValue } from '../../../core/text/shown-value.ts';
import { mostWindowMs } from '../../../core/vocabulary/trial-length.ts';
import { mostApplications } from '../../definition/applications.ts';
import { countStates } from './analysis/game.ts';
import { confidences, mostPlayers, mostStrategies, mostTrials, mostTrialsOfState, strategyForm } from './define.ts';

const text = z.string();
const amount = z.number().min(0);
const rate = z.number().positive();
const length = amount.max(mostWindowMs);
const count = z.int().min(0);

const loss = z
  .discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('independent'), ratio: amount, where: text }),
    z.looseObject({
      kind: z.literal('gilbert-elliott'),
      toBadRatio: amount,
      toGoodRatio: amount,
      badLossRatio: amount,
      goodLossRatio: amount,
      where: text,
    }),
  ])
  .nullable();

const bottleneck = z.looseObject({
  rateBps: rate,
  queue: z.looseObject({ unit: z.enum(['packets', 'bytes', 'ms', 'bdp']), value: amount }),
  aqm: z.looseObject({ id: text, title: text }),
  ecn: z.boolean(),
  loss,
  schedule: z.array(z.looseObject({ atMs: z.number(), rateBps: amount })),
  trace: text.nullable(),
});

const link = bottleneck.extend({
  bytes: z.enum(['ethernet', 'ip']),
  up: bottleneck.nullable().optional(),
  paths: z.record(text, z.looseObject({ downMs: amount, upMs: amount, rttMs: amount.nullable() })),
  backend: text,
});

const definition = z.looseObject({
  strategies: z.record(text, z.looseObject({ service: z.looseObject({ id: text }) }).nullable()),
});

const game = z
  .looseObject({
    id: text,
    title: text,
    groups: z
      .array(z.looseObject({ name: text, players: z.int().min(1).max(mostPlayers) }))
      .min(1)
      .max(mostApplications), // each group has at least one application
    strategies: z.array(text.regex(strategyForm)).min(2).max(mostStrategies),
    definition,
    link,
    bufferBdp: amount.nullable(),
    fairShareBps: rate,
    tolerance: amount,
    otherTolerances: z.array(z.looseObject({ title: text, value: amount })),
    only: z.array(z.array(z.array(count))).nullable(),
  })
  .superRefine(({ groups, strategies, definition: { strategies: defined }, only }, context) => {
    const undefinedOne = strategies.find(name => !Object.hasOwn(defined, name) || defined[name] === null);
    if (undefinedOne !== undefined)
      context.addIssue(`its definition has no strategy ${shownValue(undefinedOne)}, which it plays`);
    if (new Set(strategies).size < strategies.length) context.addIssue('it has a strategy twice');
    const isState = (state: readonly (readonly number[])[]) =>
      state.length === groups.length &&
      state.every(
        (counts, g) =>
          counts.length === strategies.length && counts.reduce((sum, one) => sum + one, 0) === groups[g]!.players,
      );
    if (only?.every(isState) === false) context.addIssue('it asks for a state that it does not have');
  });

const plan = z
  .looseObject({
    study: text,
    title: text,
    question: text,
    source: text,
    definition: z.looseObject({}),
    run: z.looseObject({
      windowMs: length.min(1),
      leaveOutMs: length,
      spreadMs: length,
      most: z.int().min(1).max(mostTrialsOfState),
      trials: z.int().min(1).max(mostTrials),
    }),
    payoff: z.looseObject({ quantity: text, title: text, unit: text, better: z.enum(['higher', 'lower']) }),
    confidence: z.number().min(confidences.min).max(confidences.max),
    exhaustive: z.boolean(),
    strategies: z.array(z.looseObject({ name: text, title: text })),
    cases: z.array(game).min(1),
    reference: z
      .looseObject({ title: text, says: z.array(text), games: z.record(text, text), deviations: text.nullable() })
      .nullable(),
  })
  .superRefine(({ cases, strategies, exhaustive, run }, context) => {
    const titled = new Set(strategies.map(({ name }) => name));
    for (const one of cases) {
      const untitled = one.strategies.find(name => !titled.has(name));
      if (untitled !== undefined)
        return void context.addIssue(
          `the game ${shownValue(one.id)} has the strategy ${shownValue(untitled)}, which is none of the plan`,
        );
      // A report creates and judges all states of an exhaustive game.
      if (exhaustive && one.only === null && countStates(one) > run.trials)
        return void context.addIssue(`the game ${shownValue(one.id)} has more states than run.trials`);
    }
  });

/** Throws `bad-run-folder` if `content` is not the plan of a game study. `path`: file, for the error message. */
export function checkGamePlan(content: unknown, path: string): void {
  check(plan, content, `${path}: plan`, 'bad-run-folder');
}
