/**
 * Sends what the router forwards through the native program before it goes on: packets of server and flooder to
 * the client through one TUN device, packets back through another. The device a packet came in by decides, so what
 * the program has written back passes.
 */
import { CoexistError } from '../../harness/base/errors.ts';
import type { Host } from '../../harness/base/host.ts';
import { bottleneckDevice, routerDevices, subnets } from '../topology/dumbbell.ts';
import { LinkProgram } from '../native-link/link-program.ts';

const devices = { down: 'lineDown', up: 'lineUp' } as const;
/** Routing tables and rule priorities, before the main table's 32766. */
const tables = { down: 101, up: 102 } as const;

function ruleWords(): string[] {
  return [
    ...Object.values(routerDevices).map(device => `pref ${tables.down} iif ${device} to ${subnets.client} lookup ${tables.down}`),
    ...Object.values({ server: subnets.server, flooder: subnets.flooder }).map(subnet => `pref ${tables.up} iif ${bottleneckDevice} to ${subnet} lookup ${tables.up}`),
  ];
}

export class Hairpin {
  readonly program: LinkProgram;
  readonly #router: Host;

  private constructor(router: Host, program: LinkProgram) {
    this.#router = router;
    this.program = program;
  }

  /** Starts the program and turns the routes. `log`: file of the queue log that the program writes. */
  static async start(router: Host, { log }: { log?: string | undefined } = {}): Promise<Hairpin> {
    const program = await LinkProgram.start(router, { ...devices, ...(log === undefined ? {} : { log }) });
    const hairpin = new Hairpin(router, program);
    try {
      await router.run(['ip', '-batch', '-'], {
        input: [...(['down', 'up'] as const).map(way => `route add default dev ${devices[way]} table ${tables[way]}`), ...ruleWords().map(words => `rule add ${words}`)].join('\n'),
      });
      return hairpin;
    } catch (error) {
      await hairpin.stop();
      throw error;
    }
  }

  /** Turns the routes back, then ends the program: its devices and their routes go with it. */
  async stop(): Promise<void> {
    for (const words of ruleWords()) await this.#router.run(['ip', 'rule', 'del', ...words.split(' ')], { allowFailure: true });
    await this.program.stop();
  }
}

/** Throws `link-refused` where the program turned packets away that the link would not have. */
export function checkPassed({ writeErrors, noRoomPackets }: { writeErrors: number; noRoomPackets: number }): void {
  if (writeErrors > 0) throw new CoexistError('link-refused', `the kernel did not take back ${writeErrors} packets from coexist-link`);
  if (noRoomPackets > 0) throw new CoexistError('link-refused', `coexist-link had no room for ${noRoomPackets} packets`);
}
