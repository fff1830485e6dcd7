/** Rules by which a router sends the packets of each path through mahimahi's shells, one after another. */
import type { Direction } from '../../core/vocabulary/link.ts';
import type { Shell } from '../mahimahi/shell.ts';
import type { LeftEnd, Topology } from '../topology/topology.ts';

/** Number of the first routing table, and priority of the rules, before the main table's 32766. */
const firstTable = 120;
const priority = 104;

/** The shells that the packets of a sender pass, in the order of the way, in each direction. */
type ShellPath = { end: LeftEnd } & Record<Direction, readonly Shell[]>;

type Sides = Pick<Topology, 'router' | 'rightNetwork' | 'bottleneckDevice'>;

/** Returns the device at which packets of a direction come out of a shell. */
const exitOf = (shell: Shell, direction: Direction) => (direction === 'down' ? shell.up : shell.down);
/** Returns the device through which packets of a direction go into a shell. */
const entryOf = (shell: Shell, direction: Direction) => (direction === 'down' ? shell.down : shell.up);

export class ShellRoutes {
  readonly #sides: Sides;
  #rules: string[] = [];

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** Leads the packets of these paths, and no others, through the shells. */
  async set(paths: readonly ShellPath[]): Promise<void> {
    await this.clear();
    const tables = new Map<string, number>();
    const tableOf = (device: string) => {
      const table = tables.get(device) ?? firstTable + tables.size;
      tables.set(device, table);
      return table;
    };
    const { rightNetwork, bottleneckDevice, router } = this.#sides;
    const rules = new Set<string>();
    for (const { end, ...shells } of paths)
      for (const direction of ['down', 'up'] as const) {
        let device = direction === 'down' ? end.device : bottleneckDevice;
        const ends = direction === 'down' ? [end.network, rightNetwork] : [rightNetwork, end.network];
        for (const shell of shells[direction]) {
          const table = tableOf(entryOf(shell, direction));
          rules.add(`pref ${priority} iif ${device} from ${ends[0]} to ${ends[1]} lookup ${table}`);
          device = exitOf(shell, direction);
        }
      }
    this.#rules = [...rules];
    await router.run(['ip', '-batch', '-'], {
      input: [
        ...[...tables].map(([device, table]) => `route add default dev ${device} table ${table}`),
        ...this.#rules.map(rule => `rule add ${rule}`),
      ].join('\n'),
      code: 'link-refused',
    });
  }

  /** Removes the rules. The routes go with the devices of the shells. */
  async clear(): Promise<void> {
    // a missing rule does not stop the removal of others
    const input = this.#rules.map(rule => `rule del ${rule}`).join('\n');
    this.#rules = [];
    if (input !== '') await this.#sides.router.run(['ip', '-force', '-batch', '-'], { input, allowFailure: true });
  }
}
