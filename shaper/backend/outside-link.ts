/**
 * The link of mahimahi's shells that are around this command. Coexist makes no link: a pair of devices leads from the
 * router into the namespace outside of all shells, another one from the innermost namespace back, and rules in every
 * namespace on the way lead the packets of the trial through the shells. Rules and devices of other traffic stay, and
 * the settings of the shells' devices are restored.
 *
 * What the shells do is not known. So there is no queue log, and the counters are those of the devices at both ends.
 */
import { CoexistError } from '../../core/errors.ts';
import { ForeignSettings } from '../../core/system/foreign-settings.ts';
import { type Direction, type Link, overheadBytes } from '../../core/vocabulary/link.ts';
import { type Station, stationsAround } from '../mahimahi/around.ts';
import { Namespace } from '../mahimahi/namespace.ts';
import { PassedCounts, type TunEnd } from '../mahimahi/passed.ts';
import { linkAddress } from '../mahimahi/shell.ts';
import type { QueueCounters } from '../tc/bottleneck.ts';
import type { Topology } from '../topology/topology.ts';
import type { LinkBackend, LinkCounters } from './backend.ts';

/** Devices of the router and their other ends, in the outermost namespace (`down`) and in the innermost one (`up`). */
const devices = {
  down: { near: 'outsideDown', far: 'coexist-down' },
  up: { near: 'outsideUp', far: 'coexist-up' },
} as const;
/** Priority of the rules, and numbers of the routing tables, in the namespaces on the way and on the router. */
const priority = 105;
const tables = { down: 130, up: 131 } as const;

/** Returns the settings, by file, with which the kernel forwards what comes in at a device. */
const forwardingFrom = (device: string): Record<string, string> => ({
  [`/proc/sys/net/ipv4/conf/${device}/rp_filter`]: '0',
  [`/proc/sys/net/ipv4/conf/${device}/forwarding`]: '1',
});

/**
 * A namespace on the way, with the device through which packets come in and go out: `down` is towards the clients.
 * `keeper`: process in the namespace that lives as long as the shells.
 */
type Place = { namespace: Namespace; keeper: number } & Record<Direction, string>;

export class OutsideLink implements LinkBackend {
  readonly id = 'outside';
  /** Never rejects: the services notice when the shells end. */
  readonly failed = new Promise<never>(() => {});
  readonly readiness = null;
  readonly traces = null;
  readonly #topology: Topology;
  readonly #link: Link;
  readonly #places: readonly Place[];
  readonly #settings: ForeignSettings;
  readonly #ends: Record<'outside' | 'inside', TunEnd>;
  #passed: PassedCounts | undefined;

  private constructor(topology: Topology, link: Link, stations: readonly Station[], settings: ForeignSettings) {
    this.#topology = topology;
    this.#link = link;
    this.#settings = settings;
    this.#places = stations.map(({ pid, keeper, inwards, outwards }) => ({
      keeper,
      namespace: new Namespace(topology.router, pid),
      down: inwards ?? devices.up.far,
      up: outwards ?? devices.down.far,
    }));
    const [inside, outside] = [this.#places[0]!, this.#places.at(-1)!];
    this.#ends = {
      inside: { namespace: inside.namespace, tun: inside.up },
      outside: { namespace: outside.namespace, tun: outside.down },
    };
  }

  /** Leads the packets through the shells. Throws `link-refused` if they do not pass. */
  static async form(topology: Topology, link: Link): Promise<OutsideLink> {
    const stations = stationsAround();
    if (stations.length === 1) throw new Error('no shell is around this command');
    await checkFree(topology, stations.at(-1)!);
    const formed = new OutsideLink(topology, link, stations, new ForeignSettings());
    try {
      await formed.#clearPlaces(); // a run that was killed may have left rules
      await formed.#connect(stations);
      await formed.#checkPassage();
    } catch (error) {
      await formed.clear();
      throw error;
    }
    return formed;
  }

  async #connect(stations: readonly Station[]): Promise<void> {
    const { router, rightNetwork } = this.#topology;
    const [inside, outside] = [stations[0]!, stations.at(-1)!];
    const pair = ({ near, far }: (typeof devices)[Direction], pid: number) => [
      `link add name ${near} address ${linkAddress} type veth peer name ${far} address ${linkAddress} netns ${pid}`,
      `link set dev ${near} arp off up`,
    ];
    await router.run(['ip', '-batch', '-'], {
      input: [
        ...pair(devices.down, outside.pid),
        ...pair(devices.up, inside.pid),
        `route add default dev ${devices.down.near} table ${tables.down}`,
        `route add default dev ${devices.up.near} table ${tables.up}`,
        ...this.#routerRules().map(rule => `rule add ${rule}`),
      ].join('\n'),
      code: 'link-refused',
    });
    for (const { namespace, keeper, down, up } of this.#places) {
      for (const device of [down, up]) {
        const refused = await this.#settings.set(keeper, forwardingFrom(device));
        if (refused !== undefined)
          throw new CoexistError('link-refused', `the kernel does not let ${refused} be set inside the shells`);
      }
      await namespace.run(['ip', '-batch', '-'], {
        input: [
          ...(down === devices.up.far ? [`link set dev ${down} arp off up`] : []),
          ...(up === devices.down.far ? [`link set dev ${up} arp off up`] : []),
          `route add default dev ${down} table ${tables.down}`,
          `route add default dev ${up} table ${tables.up}`,
          `rule add pref ${priority} iif ${up} to ${rightNetwork} lookup ${tables.down}`,
          ...this.#leftNetworks.map(
            network => `rule add pref ${priority} iif ${down} to ${network} lookup ${tables.up}`,
          ),
        ].join('\n'),
        code: 'link-refused',
      });
    }
  }

  /** Networks of the senders: several of them may share one. */
  get #leftNetworks(): string[] {
    return [...new Set(this.#topology.left.map(({ network }) => network))];
  }

  #routerRules(): string[] {
    const { left, rightNetwork, bottleneckDevice } = this.#topology;
    return [
      ...left.map(({ device }) => `pref ${priority} iif ${device} to ${rightNetwork} lookup ${tables.down}`),
      ...this.#leftNetworks.map(
        network => `pref ${priority} iif ${bottleneckDevice} to ${network} lookup ${tables.up}`,
      ),
    ];
  }

  /** Throws `link-refused` if no ping from the first sender to the first client passes. */
  async #checkPassage(): Promise<void> {
    const [from, to] = [this.#topology.left[0]!, this.#topology.right[0]!];
    const { status } = await from.host.run(['ping', '-n', '-q', '-c', '10', '-i', '0.2', '-W', '5', to.address], {
      allowFailure: true,
    });
    if (status !== 0)
      throw new CoexistError('link-refused', 'no packet passes the shells around this command', {
        hint: 'outside of them, the firewall must let forwarded packets pass, and net.ipv4.conf.all.rp_filter must be 0 or 2',
      });
  }

  /** Begins to count anew; no path has a delay of its own. */
  async setPaths(): Promise<void> {
    this.#passed = await PassedCounts.begin(this.#ends.outside, this.#ends.inside);
  }

  /** Returns null, since the start of the shells' traces is not known. */
  async start(): Promise<null> {
    return null;
  }

  async change(): Promise<void> {
    throw new CoexistError(
      'link-refused',
      'the link is that of the shells around this command, and cannot be changed',
      {
        hint: 'leave out link.backend=outside',
      },
    );
  }

  /** Nothing was asked of the shells that could be read back. */
  async verify(): Promise<void> {
    await this.counters();
  }

  /** Packets that are on their way count as dropped until they come out. */
  async counters(): Promise<LinkCounters> {
    const { inPackets, outPackets, outBytes, unreadPackets } = await this.#passed!.read();
    const down: QueueCounters = {
      sentPackets: outPackets,
      sentBytes: outBytes + overheadBytes[this.#link.bytes] * outPackets,
      droppedPackets: Math.max(0, inPackets + unreadPackets - outPackets),
      markedPackets: 0,
      backlogBytes: 0,
      backlogPackets: 0,
    };
    return { ...down, up: null, loss: [] };
  }

  async endLog(): Promise<null> {
    return null;
  }

  /** Removes the rules and devices from the router and from all namespaces of the shells, and restores settings. */
  async clear(): Promise<void> {
    await this.#topology.router.run(['ip', '-force', '-batch', '-'], {
      allowFailure: true,
      input: [
        ...this.#routerRules().map(rule => `rule del ${rule}`),
        ...Object.values(devices).map(({ near }) => `link del dev ${near}`),
      ].join('\n'),
    });
    await this.#clearPlaces();
    await this.#settings.restore();
  }

  async #clearPlaces(): Promise<void> {
    for (const { namespace } of this.#places) await namespace.run(['sh', '-c', removeRules], { allowFailure: true });
  }
}

/** Throws `link-refused` if another run uses the shells. */
async function checkFree({ router }: Topology, { pid }: Station): Promise<void> {
  const { status } = await new Namespace(router, pid).run(['ip', 'link', 'show', 'dev', devices.down.far], {
    allowFailure: true,
  });
  if (status === 0)
    throw new CoexistError('link-refused', 'another trial measures through the shells around this command', {
      hint: 'wait for its end, and leave run.parallel at 1',
    });
}

/** Removes the rules of a run, and with the tables what devices of the shells still have in them. */
const removeRules = [
  `while ip rule del pref ${priority} 2>/dev/null; do :; done`,
  ...Object.values(tables).map(table => `ip route flush table ${table} 2>/dev/null`),
].join('\n');
