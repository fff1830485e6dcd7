/**
 * Routes forwarded packets through the native program: packets from the left hosts to the right ones through one pair
 * of devices, packets in the other direction through another pair. The input device selects the route, so packets that
 * come back from the program are not redirected again. Only packets that the program has to handle are redirected,
 * because each detour costs processor time.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import type { LeftEnd, Topology } from '../topology/topology.ts';
import { LinkProgram } from './link-program.ts';
import type { Direction, LinkConfig } from './link-types.ts';

/** Parts of a topology that the routes through the program need. */
type Sides = Pick<Topology, 'router' | 'left' | 'rightNetwork' | 'bottleneckDevice'>;

export const lineDevices = { down: 'lineDown', up: 'lineUp' } as const;
/** Routing table and rule priority of each direction; the priorities are before the main table's 32766. */
export const lineTables = { down: 101, up: 102 } as const;

export class LinkRedirect {
  readonly program: LinkProgram;
  readonly #router: Host;
  readonly #left: readonly LeftEnd[];
  readonly #rightNetwork: string;
  /** The router's device at which packets on their return path arrive. */
  readonly #upEntry: string;
  #rules: ReadonlySet<string> = new Set();

  private constructor({ router, left, rightNetwork }: Sides, upEntry: string, program: LinkProgram) {
    this.#router = router;
    this.#rightNetwork = rightNetwork;
    this.#upEntry = upEntry;
    this.#left = left;
    this.program = program;
  }

  /**
   * Starts the program without a link. `log`: file of the queue log. `upEntry`: device at which packets on their return
   * path arrive; the clients' device if missing.
   */
  static async start(
    topology: Sides,
    { log, upEntry = topology.bottleneckDevice }: { log?: string | undefined; upEntry?: string } = {},
  ): Promise<LinkRedirect> {
    const { router } = topology;
    const program = await LinkProgram.start(router, { ...lineDevices, ...(log === undefined ? {} : { log }) });
    const redirect = new LinkRedirect(topology, upEntry, program);
    try {
      await router.run(['ip', '-batch', '-'], {
        input: (['down', 'up'] as const)
          .map(direction => `route add default dev ${lineDevices[direction]} table ${lineTables[direction]}`)
          .join('\n'),
      });
      return redirect;
    } catch (error) {
      await redirect.stop();
      throw error;
    }
  }

  /** Sets a new link and redirects exactly the packets of its paths through the program. */
  async set(config: LinkConfig): Promise<void> {
    await this.program.set(config);
    await this.#lead(
      config.paths.map(({ peer, direction }) =>
        this.#ruleWords(this.#left.find(({ address }) => address === peer)!, direction),
      ),
    );
  }

  #ruleWords({ device, network }: LeftEnd, direction: Direction): string {
    return direction === 'down'
      ? `pref ${lineTables.down} iif ${device} to ${this.#rightNetwork} lookup ${lineTables.down}`
      : `pref ${lineTables.up} iif ${this.#upEntry} to ${network} lookup ${lineTables.up}`;
  }

  async #lead(words: readonly string[]): Promise<void> {
    const rules = new Set(words);
    const changes = [
      ...[...this.#rules].filter(rule => !rules.has(rule)).map(rule => `rule del ${rule}`),
      ...[...rules].filter(rule => !this.#rules.has(rule)).map(rule => `rule add ${rule}`),
    ];
    this.#rules = rules;
    if (changes.length > 0)
      await this.#router.run(['ip', '-batch', '-'], { input: changes.join('\n'), code: 'link-refused' });
  }

  /** Removes the rules, then ends the program. The devices of the program and their routes are removed as well. */
  async stop(): Promise<void> {
    // a missing rule does not stop the removal of others
    const input = [...this.#rules].map(rule => `rule del ${rule}`).join('\n');
    if (input !== '') await this.#router.run(['ip', '-force', '-batch', '-'], { input, allowFailure: true });
    this.#rules = new Set();
    await this.program.stop();
  }
}

/** Throws `link-refused` if the program dropped packets that the configured link would have carried. */
export function checkPassed({ writeErrors, noRoomPackets }: { writeErrors: number; noRoomPackets: number }): void {
  if (writeErrors > 0)
    throw new CoexistError('link-refused', `the kernel did not take back ${writeErrors} packets from coexist-link`);
  if (noRoomPackets > 0)
    throw new CoexistError('link-refused', `coexist-link had no room for ${noRoomPackets} packets`);
}
