/**
 * Converts the players of a state into applications of a trial.
 *
 * Some services, such as iperf3, represent several players with one application. Then each group and strategy is one
 * application, and its flows start at times drawn from the seed. With other services each player is an application.
 * Services that start quickly begin at a set time before the window. The trial waits for browsers to be ready.
 */
import { CoexistError } from '../../../core/errors.ts';
import { pick } from '../../../core/plugins.ts';
import { deriveSeed, seededRandom } from '../../../core/random.ts';
import { parseQueueLimit, type QueueLimitText } from '../../../core/text/units.ts';
import { baseRttOf, type Path } from '../../../core/vocabulary/link.ts';
import { kindFacts } from '../../../core/vocabulary/service-kinds.ts';
import type { ApplicationDefinition } from '../../definition/applications.ts';
import { type Condition, type Registries, resolveSpec } from '../../definition/conditions.ts';
import type { Service } from '../../services/bound-service.ts';
import type { Game, State } from './analysis/game.ts';
import type { GameDefinition } from './define.ts';

export type GameRegistries = Omit<Registries, 'services'> & { services: ReadonlyMap<string, Service> };

export type PlayerGame = {
  definition: GameDefinition;
  game: Game;
  run: { windowMs: number; leaveOutMs: number; spreadMs: number; seed: number };
};

/** An application that represents one or several players. */
type Role = {
  name: string;
  group: number;
  strategy: number;
  players: number;
  /** Name of the pair of hosts that this application uses. */
  place: string;
};

function strategyOf({ strategies }: Pick<GameDefinition, 'strategies'>, name: string) {
  return strategies[name]!.service;
}

const pluginOf = (definition: GameDefinition, strategy: string, { services }: Pick<GameRegistries, 'services'>) =>
  pick(services, strategyOf(definition, strategy).id, 'service');

/**
 * Returns the applications that represent the players of a state, in the order of the groups and then the strategies.
 */
export function rolesOf(
  definition: GameDefinition,
  { groups, strategies }: Game,
  state: State,
  registries: Pick<GameRegistries, 'services'>,
): Role[] {
  return groups.flatMap(({ name: group }, g) => {
    let slot = 0;
    return strategies.flatMap((strategy, s): Role[] => {
      const players = state[g]![s]!;
      const name = `${group}-${strategy}`;
      if (players === 0) return [];
      if (pluginOf(definition, strategy, registries).isForMany)
        return [{ name, group: g, strategy: s, players, place: name }];
      return Array.from({ length: players }, (_, k) => ({
        name: `${name}-${k + 1}`,
        group: g,
        strategy: s,
        players: 1,
        place: `${group}#${slot++}`,
      }));
    });
  });
}

/** Returns the names of all pairs of hosts that the states of a game need. */
export function placesOf(
  { definition, groups, strategies }: Game & { definition: GameDefinition },
  registries: Pick<GameRegistries, 'services'>,
): string[] {
  const apart = strategies.filter(strategy => !pluginOf(definition, strategy, registries).isForMany);
  const besides = Object.entries(definition.beside ?? {}).flatMap(([name, { count = 1 }]) =>
    count === 1 ? [name] : Array.from({ length: count }, (_, k) => `${name}-${k + 1}`),
  );
  return [
    ...groups.flatMap(({ name, players }) => [
      ...strategies.filter(strategy => !apart.includes(strategy)).map(strategy => `${name}-${strategy}`),
      ...(apart.length === 0 ? [] : Array.from({ length: players }, (_, k) => `${name}#${k}`)),
    ]),
    ...besides,
  ];
}

/** Queue limit used in a first pass that computes the paths. A limit in BDP depends on the delays of these paths. */
const anyLimit = '1000packets';

/** Returns the shortest base RTT of the paths with a delay, ms. 0 if no path has a delay. */
export function shortestRttMs(paths: Readonly<Record<string, Path>>): number {
  const all = Object.values(paths)
    .map(baseRttOf)
    .filter(rttMs => rttMs > 0);
  return all.length === 0 ? 0 : Math.min(...all);
}

/** True if the service carries traffic within a second of its start. Such a service can start at a set time. */
const opensFast = ({ kind }: Pick<Service, 'kind'>) => kindFacts(kind).isTransfer === true;

/** Returns the condition of a state in one round. The start times of the players depend on `round`. */
export function conditionOfState(
  { definition, game, run }: PlayerGame,
  state: State,
  { round, id, title }: { round: number; id: string; title: string },
  registries: GameRegistries,
): Condition {
  const applications: Record<string, ApplicationDefinition> = {};
  const beginAt = (name: string, players: number): Pick<ApplicationDefinition, 'start'> => {
    const withinMs = run.spreadMs / players;
    const laterMs = Math.floor(seededRandom(deriveSeed(run.seed, 'start', round, name)).next() * withinMs);
    return { start: `-${run.leaveOutMs - laterMs}ms` };
  };
  for (const { name, group, strategy, players } of rolesOf(definition, game, state, registries)) {
    const written = strategyOf(definition, game.strategies[strategy]!);
    const plugin = pluginOf(definition, game.strategies[strategy]!, registries);
    const { id: service, ...given } = written;
    const many = plugin.bind(given, `strategies.${game.strategies[strategy]}`).together(players, run.spreadMs);
    const link = definition.groups[game.groups[group]!.name]!.link;
    applications[name] = {
      service: { ...written, ...many, id: service },
      ...(opensFast(plugin) ? beginAt(name, players) : {}),
      ...(link === undefined ? {} : { link }),
    };
  }
  for (const [name, application] of Object.entries(definition.beside ?? {})) {
    const plugin = registries.services.get(String(application.service?.['id']));
    applications[name] = { ...(plugin !== undefined && opensFast(plugin) ? beginAt(name, 1) : {}), ...application };
  }
  const times = { windowMs: run.windowMs, headStart: '0ms' as const };
  const resolved = (limit?: QueueLimitText) => {
    const { queue, ...link } = definition.link;
    const spec = resolveSpec(
      { link: limit === undefined ? definition.link : { ...link, queue: { ...queue, limit } }, applications },
      registries,
      times,
    );
    if (spec.link.further !== undefined)
      throw new CoexistError('bad-definition', 'link.then: the players of a game share one bottleneck', {
        hint: 'several bottlenecks in a row are for experiments',
      });
    const many = spec.applications.find(({ clients }) => clients !== undefined);
    if (many !== undefined)
      throw new CoexistError(
        'bad-definition',
        `${many.name}: its service has ${many.clients} clients, and a game gives each one`,
        {
          hint: 'several clients are for applications of an experiment',
        },
      );
    return spec;
  };
  const buffer = parseQueueLimit(String(definition.link.queue?.limit ?? ''));
  if (buffer?.unit !== 'bdp') return { ...resolved(), id, title, baseline: id };
  const {
    link: { paths, rateBps },
  } = resolved(anyLimit); // paths and rate do not depend on the buffer
  const rttMs = shortestRttMs(
    Object.fromEntries(rolesOf(definition, game, state, registries).map(({ name }) => [name, paths[name]!])),
  );
  if (rttMs === 0)
    throw new CoexistError('bad-definition', 'link.queue.limit: a limit in BDP needs players with a delay', {
      hint: 'set link.rtt, or groups.NAME.link.rtt',
    });
  return { ...resolved(`${Math.round((buffer.value * rateBps * rttMs) / 8000)}bytes`), id, title, baseline: id };
}
