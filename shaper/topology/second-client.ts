/**
 * A second client behind the same bottleneck: a switch takes the place of the first client at the router's shaped device, and both
 * clients hang on the switch, in one network.
 *
 *   router  10.0.2.1 ===[bottleneck]=== switch --- 10.0.2.2  client
 *                                          \------ 10.0.2.3  second client
 *
 * Everything towards either passes the one queue; nothing is queued behind it. The switch (a bridge in a namespace of its own) knows all
 * addresses beforehand, and the clients' ports are isolated: they reach the router and never each other.
 */
import { run } from '../../core/command.ts';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import type { Lease } from '../../core/lease.ts';
import { applySettings, bottleneckDevice, configureEnd, hostAddress, hostDevice, mac, namespaceOf } from './dumbbell.ts';
import type { Cores, Dumbbell } from './dumbbell.ts';
import { NamespaceHost, removeNamespace } from './namespace-host.ts';
import { enabledOffloads, offloads } from './offloads.ts';

const subnet = 2;
const ends = { router: 1, client: 2, second: 3, uplink: 4 } as const;
/** The switch's devices. */
const ports = { uplink: 'uplink', client: 'toClient', second: 'toSecond' } as const;
const switchDevice = 'switch';

export class SecondClient {
  readonly host: Host;
  readonly address = hostAddress(subnet, ends.second);
  readonly #switch: Host;
  readonly #dumbbell: Dumbbell;
  readonly #lease: Lease;
  readonly #namespaces: { switch: string; second: string };

  private constructor(dumbbell: Dumbbell, lease: Lease, cores: Cores | null) {
    this.#dumbbell = dumbbell;
    this.#lease = lease;
    this.#namespaces = { switch: namespaceOf(lease, 'switch'), second: namespaceOf(lease, 'client-2') };
    this.#switch = new NamespaceHost('router', this.#namespaces.switch, lease);
    this.host = new NamespaceHost('client', this.#namespaces.second, lease, cores?.others ?? null);
  }

  /** Puts the switch and the second client into a dumbbell that carries nothing yet. What was made is removed again if a step fails. */
  static async attach(dumbbell: Dumbbell, lease: Lease, cores: Cores | null = null): Promise<SecondClient> {
    const second = new SecondClient(dumbbell, lease, cores);
    try {
      await second.#makeNamespaces(namespaceOf(lease, 'client'));
      await second.#configure();
      return second;
    } catch (error) {
      await second.remove();
      throw error;
    }
  }

  /** To be followed by the removal of the dumbbell: its first client hung on the switch. */
  async remove(): Promise<void> {
    await Promise.all(Object.values(this.#namespaces).map(async name => {
      await removeNamespace(name);
      this.#lease.dropNamespace(name);
    }));
  }

  async #makeNamespaces(client: string): Promise<void> {
    const { switch: middle, second } = this.#namespaces;
    for (const name of [middle, second]) this.#lease.addNamespace(name);
    await run(['ip', '-batch', '-'], { input: [`netns add ${middle}`, `netns add ${second}`].join('\n') });
    await this.#dumbbell.hosts.client.run(['ip', 'link', 'set', 'dev', hostDevice, 'netns', middle, 'name', ports.uplink]);
    await run(['ip', '-batch', '-'], {
      input: [[client, ends.client, ports.client] as const, [second, ends.second, ports.second] as const].map(([namespace, end, port]) =>
        `link add name ${hostDevice} netns ${namespace} address ${mac(subnet, end)} type veth peer name ${port} netns ${middle}`).join('\n'),
    });
  }

  async #configure(): Promise<void> {
    const { client, router } = this.#dumbbell.hosts;
    await Promise.all([applySettings(this.#switch), applySettings(this.host)]);
    await this.#configureSwitch();
    await Promise.all([configureEnd(client, subnet), configureEnd(this.host, subnet, ends.second)]);
    await router.run(['ip', '-batch', '-'], {
      input: ([ends.client, ends.second] as const).map(end => `neigh replace ${hostAddress(subnet, end)} lladdr ${mac(subnet, end)} dev ${bottleneckDevice} nud permanent`).join('\n'),
    });
  }

  async #configureSwitch(): Promise<void> {
    const devices = Object.values(ports);
    for (const device of devices) await this.#switch.run(['ethtool', '-K', device, ...offloads.flatMap(name => [name, 'off'])]);
    await this.#switch.run(['ip', '-batch', '-'], {
      input: [
        `link add name ${switchDevice} type bridge stp_state 0 mcast_snooping 0`, `link set dev ${switchDevice} up`,
        `link set dev ${ports.uplink} address ${mac(subnet, ends.uplink)}`, // what it had is the client's: the switch would take its packets for its own
        ...devices.flatMap(device => [`link set dev ${device} master ${switchDevice}`, `link set dev ${device} up`]),
        ...[ports.client, ports.second].map(device => `link set dev ${device} type bridge_slave isolated on`),
      ].join('\n'),
      code: 'missing-kernel-feature', hint: 'two clients behind one bottleneck need a kernel with CONFIG_BRIDGE',
    });
    const knows = [[ends.router, ports.uplink], [ends.client, ports.client], [ends.second, ports.second]] as const;
    for (const [end, device] of knows) await this.#switch.run(['bridge', 'fdb', 'replace', mac(subnet, end), 'dev', device, 'master', 'static']);
  }

  /** Proves that the flooder reaches the second client over exactly one router, and that its offloads are off. Throws `link-refused` with the reading. */
  async check(): Promise<void> {
    const on = enabledOffloads((await this.host.run(['ethtool', '-k', hostDevice])).stdout);
    if (on.length > 0) throw new CoexistError('link-refused', `the link is not what was asked for: offloads are on at the second client: ${on.join(', ')}`);
    const { status, stdout } = await this.#dumbbell.hosts.flooder.run(['ping', '-n', '-c', '1', '-W', '2', this.address], { allowFailure: true });
    const ttl = Number(/ttl=(\d+)/.exec(stdout)?.[1]);
    if (status !== 0 || ttl !== 63) {
      throw new CoexistError('link-refused', `route check: ping from flooder to the second client ${status === 0 ? `came back with TTL ${ttl}, not over exactly one router (63)` : 'was not answered'}`);
    }
  }
}
