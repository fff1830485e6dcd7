/**
 * Definition of a game: groups of players, strategies, link, and payoff. A definition file contains literals only, like
 * that of an experiment:
 *
 *   export default defineGame({
 *     title: ...,
 *     link: { rate: '20mbit', ... },
 *     groups: { near: { players: 2, link: { rtt: '20ms' } } },
 *     strategies: { ... },
 *   });
 */
import { duration, integer, object, ratio, text, type Written, z } from '../../../core/schema/schema.ts';
import type { RateText } from '../../../core/text/units.ts';
import { mostWindowMs } from '../../../core/vocabulary/trial-length.ts';
import type { ApplicationDefinition } from '../../definition/applications.ts';
import { claimsSchema } from '../../definition/claim.ts';
import { type LinkDefinition, pathSchema } from '../../definition/link.ts';
import { parallelSetting, queueLogSetting, runSettings } from '../../definition/run-settings.ts';
import { thresholdsSchema } from '../../definition/threshold.ts';
import { presentName } from '../../definition/value-name.ts';

const nameForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const name = () => text().regex(nameForm, { error: 'must be small letters and digits, with single dashes between' });
/**
 * Form of a strategy's name. No part of a name may begin with a digit, because the id of a state puts a number before
 * each name.
 */
export const strategyForm = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/;
const strategyName = () =>
  text().regex(strategyForm, {
    error: 'must be small letters and digits, each part between dashes beginning with a letter',
  });

/**
 * Milliseconds between two reductions of BBRv1's sending rate. Each lasts a fifth of a second and lets BBRv1 measure
 * the RTT.
 */
export const rttCycleMs = 10_000;

/** Limits of a game. They also apply to the plans of run folders that reports read (reported-plan.ts). */
export const mostPlayers = 64;
export const mostStrategies = 64;
export const mostTrialsOfState = 200;
export const mostTrials = 100_000;
export const confidences = { min: 0.5, max: 0.9999 };

const gameRunSchema = object({
  window: duration({ min: 5000, max: mostWindowMs })
    .default(60e3)
    .describe('Measured window of each trial: a multiple of 10 s, in which BBRv1 measures its RTT once, or shorter.'),
  leaveOut: duration({ min: 2000, max: 600e3 }).default(25e3).describe('Time before it in which all run already.'),
  spread: duration({ min: 0, max: 10e3 })
    .default(1000)
    .describe(
      'Transfers begin within so much of each other, by the seed: together they would measure their RTT together. Calls ' +
        'begin when their browsers are ready.',
    ),
  most: integer({ min: 1, max: mostTrialsOfState }).default(30).describe('Most trials of a state.'),
  trials: integer({ min: 1, max: mostTrials }).default(2000).describe('Most trials of a game.'),
  ...runSettings,
  parallel: parallelSetting,
  queueLog: queueLogSetting,
})
  .refine(({ window }) => window <= rttCycleMs || window % rttCycleMs === 0, {
    path: ['window'],
    error: 'must be a multiple of 10 s, or shorter: BBRv1 measures its RTT once in 10 s',
  })
  .refine(({ leaveOut, spread }) => spread <= leaveOut, {
    path: ['spread'],
    error: 'must be at most leaveOut: players begin within it, before the window',
  })
  .transform(({ window, leaveOut, spread, ...rest }) => ({
    windowMs: window,
    leaveOutMs: leaveOut,
    spreadMs: spread,
    ...rest,
  }));

export const gameSchema = object({
  title: text().describe('Title of the report.'),
  question: text().describe('The question that the game answers.'),
  source: text().describe('Where the game comes from, for example a section of a paper.'),
  link: z.looseObject({}).describe('The link that all players share, as in a study.'),
  groups: z
    .record(
      name(),
      object({
        players: integer({ min: 1, max: mostPlayers }).describe('How many players the group has.'),
        link: pathSchema.optional(),
      }),
    )
    .describe('Groups of identical players, the one with the shortest round-trip time first.'),
  strategies: z
    .record(
      strategyName(),
      object({
        title: text().optional().describe('Name in the report; by default its congestion control or controller.'),
        service: z.looseObject({ id: text() }).describe('`id` of a [service](#services) and its parameters.'),
      }).nullable(),
    )
    .refine(strategies => Object.keys(strategies).length <= mostStrategies, {
      error: `a game has at most ${mostStrategies} strategies`,
    })
    .describe('What each player chooses from: two or more. `null` leaves one out.'),
  beside: z
    .record(name(), z.looseObject({}))
    .default({})
    .describe('Applications that make no choice and run in every state, as in the `applications` of a study.'),
  payoff: text()
    .transform(metric => presentName(metric).metric)
    .default('goodput')
    .describe('What a player wants: a [metric](reading-results.md#metrics) of its own.'),
  atLeast: z
    .union([z.string(), z.number()])
    .default('5%')
    .describe(
      'The least gain for which a player switches, in the unit of the payoff. For a payoff in bit/s, a percentage is ' +
        'one of the fair share.',
    ),
  confidence: ratio(confidences).default(0.95).describe('Confidence of every verdict.'),
  exhaustive: z.boolean().default(false).describe('Measures every state instead of searching.'),
  states: z
    .array(z.record(text(), z.record(text(), integer({ min: 0, max: mostPlayers }))))
    .min(1)
    .optional()
    .describe('Measures only these states: of each group how many players use which strategy.'),
  vary: z
    .record(text(), z.array(z.unknown()).min(1))
    .default({})
    .describe('Paths with the values to use in turn; every combination is a game of its own.'),
  run: gameRunSchema.prefault({}),
  require: thresholdsSchema,
  claims: claimsSchema,
  reference: object({
    title: text().describe('The paper that the game follows.'),
    says: z.array(text()).describe('Its statements, in words.'),
    games: z.record(text(), text()).default({}).describe('What it says of single games, by their ids.'),
    deviations: text().optional().describe('How the game differs from it.'),
  }).optional(),
}).refine(({ exhaustive, states }) => !exhaustive || states === undefined, {
  path: ['states'],
  error: 'must be left out where exhaustive measures every state',
});

/** Content of a definition file. The link and the applications beside the game are checked as those of a study. */
export type GameDefinition = Omit<Written<typeof gameSchema>, 'link' | 'beside'> & {
  link: LinkDefinition & { rate: RateText };
  beside?: Record<string, ApplicationDefinition>;
};

/** Number of players, by name of the group and name of the strategy. A missing number is 0. */
export type StateDefinition = NonNullable<GameDefinition['states']>[number];

export function defineGame(definition: GameDefinition): GameDefinition {
  return definition;
}
