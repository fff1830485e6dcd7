/**
 * Plan of a game study: the definition resolved into games (one for each combination of `vary`) with states, links and
 * tolerances. The order of the trials depends on results (planner.ts). The same results always give the same order.
 */
import { CoexistError } from '../../../core/errors.ts';
import { firstTwice } from '../../../core/first-twice.ts';
import { pick } from '../../../core/plugins.ts';
import { check, type z } from '../../../core/schema/schema.ts';
import { inSentence } from '../../../core/text/in-sentence.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import { parseRatio, trimmed } from '../../../core/text/units.ts';
import { describeLink, type Link } from '../../../core/vocabulary/link.ts';
import { kindFacts } from '../../../core/vocabulary/service-kinds.ts';
import { limitOf, metricsListedIn } from '../../analysis/gate/threshold.ts';
import type { Quantity } from '../../analysis/metrics/metric.ts';
import type { Choice } from '../../definition/applications.ts';
import { type Condition, variations } from '../../definition/conditions.ts';
import { withValue } from '../../definition/set.ts';
import type { Service } from '../../services/bound-service.ts';
import { fewestTrials } from './analysis/gain.ts';
import { countStates, deviationsOf, type Game, type State, stateId, uniformState } from './analysis/game.ts';
import { type GameDefinition, gameSchema, type StateDefinition } from './define.ts';
import { conditionOfState, type GameRegistries, type PlayerGame, placesOf, rolesOf, shortestRttMs } from './players.ts';

export const gameFormat = 'game-2';

type Payoff = {
  quantity: string;
  title: string;
  unit: string;
  better: 'higher' | 'lower';
};

/** A game of a study: one combination of the `vary` values. */
export type GameCase = Game & {
  /** Id, valid as a folder name; "" if the study has a single game. */
  id: string;
  title: string;
  /** Values of `vary` in this game, by path in the definition. */
  values: Record<string, unknown>;
  /** The study's definition with these values set. */
  definition: GameDefinition;
  link: Link;
  /** Size of the buffer in BDP of the shortest RTT of any player. Null if it is unknown. */
  bufferBdp: number | null;
  /** Rate of the link divided by the number of players and other applications, bit/s. */
  fairShareBps: number;
  /** Least gain for which a player switches, in the payoff's unit. */
  tolerance: number;
  /** Other tolerances for which the report shows verdicts, in the payoff's unit. */
  otherTolerances: { title: string; value: number }[];
  only: State[] | null;
};

type GameRun = z.output<typeof gameSchema>['run'];

export type GamePlan = {
  format: typeof gameFormat;
  study: string;
  title: string;
  question: string;
  source: string;
  definition: GameDefinition;
  run: GameRun;
  payoff: Payoff;
  confidence: number;
  exhaustive: boolean;
  strategies: { name: string; title: string }[];
  cases: GameCase[];
  /** Names of the pairs of hosts that the study's trials need. */
  places: string[];
  reference: { title: string; says: string[]; games: Record<string, string>; deviations: string | null } | null;
};

/** Payoffs that a file transfer can have. If a strategy's service cannot have the payoff, the plan is refused. */
const ofTransfers = ['goodput', 'wire-rate', 'wire-share'];
/** Payoffs that players maximise although a high value is neither better nor worse for a viewer. */
const wantedMore = ofTransfers;
const toleranceRatios = [0, 0.02, 0.05, 0.1];

function payoffOf(
  wanted: string,
  { strategies }: Pick<z.output<typeof gameSchema>, 'strategies'>,
  services: ReadonlyMap<string, Service>,
  quantities: readonly Quantity[],
): Payoff {
  const own = quantities.filter(
    ({ of, better, id }) => of === undefined && (better !== null || wantedMore.includes(id)),
  );
  const quantity = own.find(({ id }) => id === wanted);
  if (quantity === undefined)
    throw unknownName(
      'bad-definition',
      `payoff: "${wanted}" cannot be a payoff, which is a metric of one application of which more or less is better`,
      wanted,
      own.map(({ id }) => id),
      { listedIn: metricsListedIn },
    );
  for (const [name, strategy] of Object.entries(strategies)) {
    const kind = strategy === null ? undefined : services.get(strategy.service.id)?.kind;
    if (kind !== undefined && kindFacts(kind).isTransfer === true && !ofTransfers.includes(wanted)) {
      throw new CoexistError('bad-definition', `payoff: strategy ${name} is a transfer, which has no "${wanted}"`, {
        hint: `a transfer has ${ofTransfers.join(', ')}`,
      });
    }
  }
  return { quantity: quantity.id, title: quantity.title, unit: quantity.unit, better: quantity.better ?? 'higher' };
}

const congestionControls: Record<string, string> = {
  cubic: 'CUBIC',
  reno: 'Reno',
  bbr: 'BBRv1',
  bbr3: 'BBRv3',
  'bbr3-kernel': 'BBRv3 of the kernel',
};

/** Returns the title of a strategy: the congestion control of its service, or else the controller, or else its name. */
function titleOf(name: string, { id, ...params }: Choice, services: ReadonlyMap<string, Service>): string {
  const { kernelControl, controller } = pick(services, id, 'service').bind(params, `strategies.${name}`);
  return kernelControl === null ? (controller?.id ?? name) : (congestionControls[kernelControl] ?? kernelControl);
}

function toleranceOf(atLeast: string | number, payoff: Payoff, quantity: Quantity, fairShareBps: number): number {
  if (String(atLeast).trim().startsWith('-'))
    throw new CoexistError('bad-definition', `atLeast: ${atLeast} is below 0; the tolerance cannot be negative`, {
      hint: 'write what a player must gain to switch, 0 or more',
    });
  const share = typeof atLeast === 'string' ? parseRatio(atLeast) : undefined;
  if (share !== undefined && payoff.unit === 'bit/s') return share * fairShareBps;
  if (share !== undefined && payoff.unit !== 'ratio') {
    throw new CoexistError(
      'bad-definition',
      `atLeast: "${atLeast}" is a percentage of the fair share, which ${inSentence(payoff.title)} does not have`,
      { hint: `write atLeast in the payoff's own unit${payoff.unit === '' ? ', a number' : `, ${payoff.unit}`}` },
    );
  }
  return limitOf(atLeast, quantity, 'atLeast');
}

function toleranceWords(value: number, { unit }: Payoff): string {
  return unit === 'ratio' ? `${trimmed(100 * value)} %` : `${trimmed(value)} ${unit}`.trim();
}

function statesOf(states: StateDefinition[] | undefined, game: Game): State[] | null {
  if (states === undefined) return null;
  const refuse = (what: string, known: readonly string[]) =>
    new CoexistError('bad-definition', `states: ${what}`, { hint: `known: ${known.join(', ')}` });
  const all = states.map(written => {
    const group = Object.keys(written).find(name => !game.groups.some(known => known.name === name));
    if (group !== undefined)
      throw refuse(
        `there is no group "${group}"`,
        game.groups.map(({ name }) => name),
      );
    return game.groups.map(({ name, players }) => {
      const own = written[name] ?? {};
      const strategy = Object.keys(own).find(known => !game.strategies.includes(known));
      if (strategy !== undefined) throw refuse(`there is no strategy "${strategy}"`, game.strategies);
      const counts = game.strategies.map(known => own[known] ?? 0);
      const sum = counts.reduce((total, count) => total + count, 0);
      if (sum !== players)
        throw new CoexistError(
          'bad-definition',
          `states: a state places ${sum} players in group ${name}, which has ${players}`,
          { hint: `make the counts of ${name} add up to ${players}` },
        );
      return counts;
    });
  });
  const twice = firstTwice(
    all.map(state => stateId(game, state)),
    id => id,
  );
  if (twice !== undefined)
    throw new CoexistError('bad-definition', `states: ${twice} is there twice`, { hint: 'name each state once' });
  return all;
}

/** Throws if the allowed number of trials cannot decide the game. */
function refuseTooMany(
  game: Game,
  only: State[] | null,
  { exhaustive, most, trials, title }: { exhaustive: boolean; most: number; trials: number; title: string },
): void {
  const states = only?.length ?? countStates(game);
  const first = deviationsOf(game, uniformState(game, 0)).length + 1;
  if (only === null && !exhaustive && most < fewestTrials)
    throw new CoexistError('bad-definition', `run.most: a search decides nothing with ${most} trials of a state`, {
      hint: `set run.most to ${fewestTrials} or more, or measure all states: exhaustive: true`,
    });
  const [least, what] =
    only !== null
      ? [states * most, `${states} states with ${most} trials each`]
      : exhaustive
        ? [
            states * Math.min(most, fewestTrials),
            `${states} states with at least ${Math.min(most, fewestTrials)} trials each`,
          ]
        : [first * fewestTrials, `a state and its ${first - 1} neighbours with at least ${fewestTrials} trials each`];
  if (least <= trials) return;
  throw new CoexistError(
    'bad-definition',
    `${title === '' ? 'the game' : title}: ${what} are more than run.trials allows (${trials})`,
    { hint: `set run.trials to ${least} or more, have fewer players, or search instead of measuring all` },
  );
}

/**
 * Returns a condition for each strategy, in which all players use this strategy. Together the conditions contain every
 * service of the game.
 */
export function uniformConditions(one: PlayerGame, registries: GameRegistries): Condition[] {
  return one.game.strategies.map((_, k) =>
    conditionOfState(one, uniformState(one.game, k), { round: 1, id: 'all', title: 'all' }, registries),
  );
}

function makeCase(
  definition: GameDefinition,
  variation: { slug: string; label: string; assignments: [string, unknown][] },
  registries: GameRegistries,
  quantities: readonly Quantity[],
  where: string,
): { game: GameCase; payoff: Payoff; checked: z.output<typeof gameSchema> } {
  const checked = check(gameSchema, definition, where);
  const groups = Object.entries(checked.groups).map(([name, { players }]) => ({ name, players }));
  const strategies = Object.entries(checked.strategies)
    .filter(([, strategy]) => strategy !== null)
    .map(([name]) => name);
  if (groups.length === 0)
    throw new CoexistError('bad-definition', `${where}: groups: there is no group of players`, {
      hint: 'name a group with its number of players: groups: { all: { players: 6 } }',
    });
  if (strategies.length < 2)
    throw new CoexistError(
      'bad-definition',
      `${where}: strategies: a game needs two or more, and there ${strategies.length === 1 ? 'is one' : 'is none'}`,
      { hint: 'name two or more' },
    );
  const game: Game = { groups, strategies };
  const payoff = payoffOf(checked.payoff, checked, registries.services, quantities);
  const quantity = quantities.find(({ id }) => id === payoff.quantity)!;
  const only = statesOf(definition.states, game);
  refuseTooMany(game, only, { exhaustive: checked.exhaustive, ...checked.run, title: variation.label });
  const players = groups.reduce((sum, group) => sum + group.players, 0);
  const besides = Object.values(definition.beside ?? {}).reduce((sum, { count = 1 }) => sum + count, 0);
  // Throws if a strategy does not resolve, since these states contain every strategy.
  const conditions = uniformConditions({ definition, game, run: checked.run }, registries);
  const { link } = conditions[0]!;
  const fairShareBps = link.rateBps / (players + besides);
  const playing = rolesOf(definition, game, uniformState(game, 0), registries).map(({ name }) => name);
  const rttMs = shortestRttMs(Object.fromEntries(playing.map(name => [name, link.paths[name]!])));
  const bufferBytes =
    link.queue.unit === 'bytes'
      ? link.queue.value
      : link.queue.unit === 'ms'
        ? (link.queue.value * link.rateBps) / 8000
        : null;
  const tolerance = toleranceOf(checked.atLeast, payoff, quantity, fairShareBps);
  const common = {
    groups,
    strategies,
    id: variation.slug,
    title: variation.label,
    values: Object.fromEntries(variation.assignments),
    definition,
    link,
    only,
  };
  return {
    payoff,
    checked,
    game: {
      ...common,
      fairShareBps,
      bufferBdp: bufferBytes === null || rttMs === 0 ? null : (bufferBytes * 8000) / (link.rateBps * rttMs),
      tolerance,
      otherTolerances:
        payoff.unit === 'bit/s'
          ? toleranceRatios.map(share => ({ title: `${share * 100} %`, value: share * fairShareBps }))
          : [0, 2 * tolerance].map(value => ({ title: toleranceWords(value, payoff), value })),
    },
  };
}

/** Keys of a definition that all games of a study share. */
const ofTheStudy = [
  'run',
  'payoff',
  'confidence',
  'exhaustive',
  'title',
  'question',
  'source',
  'reference',
  'vary',
  'require',
  'claims',
];

/**
 * Returns the titles of the strategies of all games. The title is the strategy's name if games give it different
 * titles, or if another strategy has the same title.
 */
function titlesOf(
  cases: readonly Pick<GameCase, 'strategies' | 'definition'>[],
  { services }: Pick<GameRegistries, 'services'>,
): GamePlan['strategies'] {
  const titled = cases.flatMap(({ strategies, definition }) =>
    strategies.map(name => {
      const { title, service } = definition.strategies[name]!;
      return { name, title: title ?? titleOf(name, service, services) };
    }),
  );
  const named = [...Map.groupBy(titled, ({ name }) => name)].map(([name, all]) => ({
    name,
    title: new Set(all.map(({ title }) => title)).size === 1 ? all[0]!.title : name,
  }));
  // Strategies with the same title differ in other parameters, so their names distinguish them.
  const isShared = ({ title }: { title: string }) => named.filter(one => one.title === title).length > 1;
  return named.map(one => (isShared(one) ? { ...one, title: one.name } : one));
}

/** Resolves a definition into a plan. Throws at the first mistake an error that names the path and the remedy. */
export function makeGamePlan(
  study: string,
  definition: GameDefinition,
  registries: GameRegistries,
  quantities: readonly Quantity[],
): GamePlan {
  const { vary, title, question, source, run, confidence, exhaustive, reference } = check(
    gameSchema,
    definition,
    study,
  );
  const fixed = Object.keys(vary).find(path => ofTheStudy.some(own => path === own || path.startsWith(`${own}.`)));
  if (fixed !== undefined)
    throw new CoexistError('bad-definition', `vary: ${fixed} is one for all games of a study`, {
      hint: `run a study for each of its values: --set ${fixed}=...`,
    });
  const made = variations(vary).map(variation => {
    const { vary: _, ...plain } = definition;
    const varied = variation.assignments.reduce<GameDefinition>(
      (changed, [path, value]) => withValue(changed, path, value, 'vary'),
      plain,
    );
    return makeCase(
      varied,
      variation,
      registries,
      quantities,
      variation.label === '' ? study : `${study}, ${variation.label}`,
    );
  });
  const cases = made.map(({ game }) => game);
  const twins = firstTwice(cases, ({ id }) => id);
  if (twins !== undefined)
    throw new CoexistError('bad-definition', `vary: two games would both be called "${twins.id}"`, {
      hint: 'give values that differ in letters or digits',
    });
  return {
    format: gameFormat,
    study,
    title,
    question,
    source,
    definition,
    run,
    payoff: made[0]!.payoff,
    confidence,
    exhaustive,
    strategies: titlesOf(cases, registries),
    cases,
    places: [...new Set(cases.flatMap(game => placesOf(game, registries)))],
    reference: reference === undefined ? null : { ...reference, deviations: reference.deviations ?? null },
  };
}

/** Returns the id of the condition of a state: "4cubic-2bbr", or "limit-2bdp.4cubic-2bbr" in the game "limit-2bdp". */
export function conditionId({ id }: Pick<GameCase, 'id'>, state: string): string {
  return id === '' ? state : `${id}.${state}`;
}

export function stateOfCondition({ id }: Pick<GameCase, 'id'>, condition: string): string | undefined {
  if (id === '') return condition;
  return condition.startsWith(`${id}.`) ? condition.slice(id.length + 1) : undefined;
}

export function describeGameLink({ link, bufferBdp }: Pick<GameCase, 'link' | 'bufferBdp'>): string {
  const words = describeLink({ ...link, paths: {} });
  return bufferBdp === null ? words : `${words}; buffer ${Number(bufferBdp.toFixed(2))} BDP of the shortest RTT`;
}
