/**
 * Access to the Internet for named clients while it is open:
 *
 *   client ===[bottleneck]=== router 198.18.x.2 --- 198.18.x.1 this machine --- Internet
 *
 * Packets from the Internet pass the same bottleneck queue as all others. Addresses are masqueraded twice, in the
 * router and on the machine, so that several runs can use the same networks. No other host has access: the router has a
 * route out for these clients only (policy routing, behind the main table). These clients have access to the Internet
 * only: private networks, those that the machine has routes to, and the machine itself are blocked, on the machine and
 * in the router. The machine forwards nothing else. Everything is recorded in the lease before it is created. If
 * another program removes the rules, or the machine joins another network, the access is closed at once.
 */

import { CoexistError } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import { ipRoutes, readIpJson } from '../../core/system/ip-json.ts';
import type { Lease, LeasedUplink } from '../../core/system/lease.ts';
import { endClientsOnlyOut, letClientsOnlyOut } from './clients-only-out.ts';
import { DnsRelay } from './dns-relay.ts';
import { forward, forwardAsBefore, forwardingBefore } from './forwarding.ts';
import { bottleneckDevice, namespaceOf, networkOf, rightSubnet } from './legs.ts';
import { endMasquerade, type MasqueradeOptions, masquerade, uplinkPrefix } from './masquerade.ts';
import { NamespaceHost } from './namespace-host.ts';
import { offloads } from './offloads.ts';
import { lookAtNetworks, refusedNetworks, refuser } from './refused-networks.ts';
import { lookAtRules, rulesThere } from './rules-watch.ts';
import { Watch } from './watch.ts';

/** Name of the router's device towards the machine. */
const routerDevice = 'toInternet';
const dnsPort = 53;
/** Number of a routing table of the router, and the priority of its rules: after the main table's 32766. */
const table = 32_770;
/**
 * Masquerade options of the router. The router refuses the same networks as the machine, because no other program
 * reloads rules in its namespace. `gateway`: address of the name server.
 */
const inRouter = (refused: readonly string[] | null, gateway: string): MasqueradeOptions => ({
  name: 'uplink',
  network: networkOf(rightSubnet),
  device: routerDevice,
  from: null,
  isClosed: false,
  refused,
  nameServer: gateway,
});

/**
 * Returns the addresses of an uplink in the networks for measurements (RFC 2544). The number of the lease selects one
 * of 16384 networks.
 */
function addressesOf(name: string): { network: string; machine: string; router: string } {
  const first = (Number.parseInt(name.slice(uplinkPrefix.length), 16) % 2 ** 14) * 4;
  const address = (end: number) => `198.18.${(first + end) >> 8}.${(first + end) & 0xff}`;
  return { network: `${address(0)}/30`, machine: address(1), router: address(2) };
}

/** Returns the machine's device of the default route. Throws `no-internet` if the machine has no default route. */
export async function defaultDevice(): Promise<string> {
  const { stdout } = await run(['ip', '-j', '-4', 'route', 'show', 'default']);
  const [way] = readIpJson(stdout, ipRoutes);
  if (way?.dev === undefined)
    throw new CoexistError('no-internet', 'this machine cannot reach the Internet: it has no default route', {
      hint: 'connect it, or leave out the services that need it',
    });
  return way.dev;
}

/**
 * Returns the masquerade options of the machine. By default they contain every rule that may exist, so that a removal
 * covers all rules.
 */
const masqueradeOf = (
  { name, device, forwarding }: LeasedUplink,
  refused: readonly string[] | null = [],
): MasqueradeOptions => ({
  name,
  network: addressesOf(name).network,
  device,
  from: name,
  isClosed: forwarding === '0',
  refused,
  nameServer: null,
});

/** Options of an uplink. `privateToo`: the clients may also reach private networks and the machine itself. */
export type UplinkOptions = { privateToo: boolean };

/**
 * Removes the rest of an uplink of any run from the machine. The uplink's device disappears with the router's
 * namespace.
 */
export async function removeUplink(uplink: LeasedUplink): Promise<void> {
  await run(['ip', 'link', 'del', 'dev', uplink.name], { allowFailure: true });
  forwardAsBefore(uplink); // before the rules that restrict forwarding to uplinks are removed
  await endMasquerade(masqueradeOf(uplink));
}

export class Uplink {
  /** The machine's address on the uplink; it is the gateway and the name server of the clients. */
  readonly gateway: string;
  readonly isRefused: (address: string) => boolean;
  readonly #lease: Lease;
  /** Networks that the clients may not reach; null if no network is refused. */
  readonly #refused: readonly string[] | null;
  readonly #router: NamespaceHost;
  readonly #leased: LeasedUplink;
  readonly #clients: readonly string[];
  #relay: DnsRelay | undefined;
  #watch: Watch | undefined;
  /**
   * Rejects with `uplink-lost` when other programs removed the uplink's rules, or when the rules allow too much. The
   * uplink is then closed.
   */
  readonly lost: Promise<never>;
  readonly #lose: (error: CoexistError) => void;

  private constructor(
    lease: Lease,
    leased: LeasedUplink,
    clients: readonly string[],
    refused: readonly string[] | null,
  ) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {}); // callers of `lost` get the rejection
    this.lost = promise;
    this.#lose = reject;
    this.#clients = clients;
    this.#refused = refused;
    this.isRefused = refuser(refused ?? []);
    this.#lease = lease;
    this.#leased = leased;
    this.#router = new NamespaceHost('router', namespaceOf(lease, 'router'), lease);
    this.gateway = addressesOf(leased.name).machine;
  }

  /**
   * Opens an uplink from the lease's router for the clients with those addresses. Removes what it created if a step
   * fails. Throws `no-internet` if this machine cannot give access.
   */
  static async open(lease: Lease, clients: readonly string[], { privateToo }: UplinkOptions): Promise<Uplink> {
    const device = await defaultDevice();
    const refused = privateToo ? null : await refusedNetworks();
    const leased = { name: `${uplinkPrefix}${lease.id}`, device, forwarding: forwardingBefore(device) };
    lease.addUplink(leased);
    const uplink = new Uplink(lease, leased, clients, refused);
    try {
      await uplink.#lay();
      for (const client of clients) await uplink.#allow(client);
      return uplink;
    } catch (error) {
      await uplink.close();
      throw error;
    }
  }

  /**
   * Makes the clients reach no other host of the trial from now on. This is a separate step because the probes that
   * prove a link go between all hosts.
   */
  async keepClients(): Promise<void> {
    await letClientsOnlyOut(this.#onlyOut, (argv, options) => this.#router.run(argv, options));
  }

  get #onlyOut() {
    return { name: 'uplink-only', from: bottleneckDevice, device: routerDevice, clients: this.#clients };
  }

  async close(): Promise<void> {
    this.#watch?.end();
    this.#relay?.close();
    // rules are removed before their table; all may have disappeared with the namespace
    while ((await this.#router.run(['ip', 'rule', 'del', 'pref', String(table)], { allowFailure: true })).status === 0)
      continue;
    await endMasquerade(inRouter(this.#refused, this.gateway), (argv, options) => this.#router.run(argv, options));
    await endClientsOnlyOut(this.#onlyOut, (argv, options) => this.#router.run(argv, options));
    await removeUplink(this.#leased);
    this.#lease.dropUplink(this.#leased.name);
    // called again: if several uplinks close at once, none may have been the last at the first call
    forwardAsBefore(this.#leased);
  }

  /** Removes the access, since without valid rules it is unrestricted. */
  async #onLost(error: CoexistError): Promise<void> {
    try {
      await run(['ip', 'link', 'set', 'dev', this.#leased.name, 'down'], { allowFailure: true });
      await removeUplink(this.#leased);
    } finally {
      this.#lose(error);
    }
  }

  async #lay(): Promise<void> {
    const { name, device } = this.#leased;
    const { machine, router } = addressesOf(name);
    const off = offloads.flatMap(offload => [offload, 'off']);
    await run(['ip', '-batch', '-'], {
      input:
        `link add name ${name} type veth peer name ${routerDevice} netns ${this.#router.namespace}\n` +
        `addr add ${machine}/30 dev ${name}\nlink set dev ${name} up\n`,
    });
    await this.#router.run(['ip', '-batch', '-'], {
      input:
        `addr add ${router}/30 dev ${routerDevice}\nlink set dev ${routerDevice} up\n` +
        `route add default via ${machine} dev ${routerDevice} table ${table}\n`,
    });
    await Promise.all([
      run(['ethtool', '-K', name, ...off]),
      this.#router.run(['ethtool', '-K', routerDevice, ...off]),
    ]);
    // packets that the machine's device joined on arrival are split again before the bottleneck, UDP of QUIC as well
    await run(['ethtool', '-K', name, 'tx-udp-segmentation', 'off'], { allowFailure: true });
    const own = masqueradeOf(this.#leased, this.#refused);
    const program = await masquerade(own); // from here on nothing else is forwarded
    await masquerade(inRouter(this.#refused, machine), (argv, options) => this.#router.run(argv, options));
    const looks = [
      await lookAtRules(() => rulesThere(program, own)),
      ...(this.#refused === null ? [] : [lookAtNetworks(this.#refused)]),
    ];
    // the caller that closes the uplink gets the same error
    this.#watch = new Watch(looks, error => void this.#onLost(error).catch(() => {}));
    this.#watch.begin();
    forward(name);
    forward(device);
    this.#relay = await DnsRelay.open({ address: machine, port: dnsPort });
  }

  async #allow(client: string): Promise<void> {
    await this.#router.run([
      'ip',
      'rule',
      'add',
      'pref',
      String(table),
      'iif',
      bottleneckDevice,
      'from',
      client,
      'lookup',
      String(table),
    ]);
  }
}
