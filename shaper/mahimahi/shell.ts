/**
 * One of mahimahi's shells as a stretch of the way through a router:
 *
 *   router - veth - [outside: TUN] - program - [inside: TUN] - veth - router
 *
 * The program needs a namespace of its own around it (`outside`), because it adds rules of iptables there, and makes the
 * second one (`inside`) itself. Packets that the router sends into the device `down` pass the shell's downlink and come
 * out of the device `up`; packets into `up` pass its uplink and come out of `down`. The shell does not translate their
 * addresses, since it does that only for packets of its own address.
 *
 * The command inside the shell waits for the end of its input, which the harness holds open: when the harness ends, for
 * whatever reason, the shell ends.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';
import { setUp } from '../topology/host-setup.ts';
import { mac } from '../topology/legs.ts';
import { Namespace } from './namespace.ts';
import type { TunEnd } from './passed.ts';
import { asUser, getShells, type ShellProgram } from './programs.ts';

/** Longest time for a shell to start and to end, ms. It waits for dnsmasq, and runs iptables. */
const startMs = 15_000;
const endMs = 5000;
/** Hardware address of both ends of a pair of devices: an end has no ARP and addresses its frames to itself. */
export const linkAddress = mac(0xfe, 1);
/** Name of the device in a namespace of a shell whose other end is the router's. */
export const routerEnd = 'router';
/** Priority of the rules, and number of the first routing table, in both of the shell's namespaces. */
const tables = { toTun: 101, toRouter: 102 } as const;
/**
 * Packets that a TUN device holds until the program reads them. The usual 500 are lost in a pause of 60 ms at 100
 * Mbit/s.
 */
const tunPackets = 10_000;

/**
 * Priority of the program under SCHED_FIFO, if the machine allows it: that of the emulator. A tick of 1 ms that a program
 * sleeps through is made up for, but packets that come meanwhile wait, and a device's queue may overflow.
 */
const priority = 50;

/** Prints the process id, as the harness numbers it, of the shell that reads this. */
const sayPid = 'read -r pid rest </proc/self/stat; echo "$pid"';
const inner = `${sayPid}; exec cat >/dev/null`;
const outer = [
  sayPid,
  'ip link set dev lo up',
  'echo 1 >/proc/sys/net/ipv4/ip_forward',
  // no packets of IPv6 through the link
  'if [ -d /proc/sys/net/ipv6 ]; then echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6; fi',
  `if chrt --fifo ${priority} true 2>/dev/null; then set -- chrt --fifo ${priority} "$@"; fi`,
  '"$@"',
  'exit $?',
].join('\n');

type ShellOptions = {
  program: ShellProgram;
  words: readonly string[];
  /** Open files that the program gets, as descriptors from 3 on. */
  files?: readonly number[];
  /** Start of the names of the router's devices, at most 8 characters. */
  name: string;
};

export class Shell {
  /** Rejects with `link-died` when the program ends unasked. */
  readonly failed: Promise<never>;
  /** The router's devices: packets for the downlink and from the uplink, and the other way round. */
  readonly down: string;
  readonly up: string;
  readonly #router: Host;
  readonly #child: JsonLinesChild<number>;
  #outside: TunEnd | undefined;
  #inside: TunEnd | undefined;

  private constructor(router: Host, { name }: ShellOptions, child: JsonLinesChild<number>) {
    this.down = `${name}Down`;
    this.up = `${name}Up`;
    this.#router = router;
    this.#child = child;
    this.failed = child.failed;
    this.failed.catch(() => {});
  }

  /** Starts a shell on a router of this machine. Its devices are up when this resolves. */
  static async start(router: Host, options: ShellOptions): Promise<Shell> {
    const { program, words, files = [] } = options;
    const child = router.start(
      program,
      [
        'sh',
        '-c',
        // the namespace of process ids ends every process of the shell with its first
        'setpriv --pdeathsig KILL -- unshare --net --pid --fork --kill-child -- sh -ec "$0" sh "$@"; exit $?',
        outer,
        ...asUser([program, ...words, 'sh', '-c', inner]),
      ],
      { stdio: ['pipe', 'pipe', 'pipe', ...files] },
    );
    const lines = new JsonLinesChild<number>(child, {
      code: 'link-died',
      format: 'text',
      read: said => {
        if (!/^\d+$/.test(String(said))) throw new CoexistError('link-died', `${program} said "${said}"`);
        return Number(said);
      },
      ended: ({ reason, wasReady }) =>
        wasReady
          ? new CoexistError('link-died', `${program} ended in the middle of its work: ${reason}`)
          : new CoexistError('missing-program', `${program} did not start: ${reason}`, { hint: getShells }),
    });
    const shell = new Shell(router, options, lines);
    try {
      const outside = await lines.next(`${program} to start`, startMs);
      const inside = await lines.ready(`${program} to make its namespace`, startMs);
      shell.#outside = await shell.#connect(outside, shell.down);
      shell.#inside = await shell.#connect(inside, shell.up);
      return shell;
    } catch (error) {
      await shell.stop();
      throw error;
    }
  }

  /** Connects a namespace of the shell to the router's device `device`, which is created. */
  async #connect(pid: number, device: string): Promise<TunEnd> {
    const namespace = new Namespace(this.#router, pid);
    const [{ ifname: tun } = { ifname: '' }] = await namespace.tuns();
    await this.#router.run(['ip', '-batch', '-'], {
      input: [
        `link add name ${device} address ${linkAddress} type veth peer name ${routerEnd} address ${linkAddress} netns ${pid}`,
        `link set dev ${device} arp off up`,
      ].join('\n'),
      code: 'missing-kernel-feature',
      hint: 'the link needs veth devices; "npm run doctor" tells more',
    });
    await setUp(namespace, {
      more: [
        ['net/ipv4/ip_forward', 1],
        [`net/ipv4/conf/${tun}/rp_filter`, 0],
        [`net/ipv4/conf/${routerEnd}/rp_filter`, 0],
      ],
      devices: [routerEnd],
      ip: [
        `link set dev ${routerEnd} arp off up`,
        `link set dev ${tun} txqueuelen ${tunPackets}`,
        `route add default dev ${tun} table ${tables.toTun}`,
        `route add default dev ${routerEnd} table ${tables.toRouter}`,
        `rule add pref ${tables.toTun} iif ${routerEnd} lookup ${tables.toTun}`,
        `rule add pref ${tables.toRouter} iif ${tun} lookup ${tables.toRouter}`,
      ],
    });
    return { namespace, tun };
  }

  /** Ends of the shell in the namespace around the program, and in the one that it made. */
  get outside(): TunEnd {
    return this.#outside!;
  }

  get inside(): TunEnd {
    return this.#inside!;
  }

  /** Ends the program, and with it both namespaces and the router's devices. */
  async stop(): Promise<void> {
    await this.#child.end(endMs);
    // the kernel removes the devices of an ended namespace later
    await Promise.all(
      [this.down, this.up].map(device =>
        this.#router.run(['ip', 'link', 'del', 'dev', device], { allowFailure: true }),
      ),
    );
  }
}
