/**
 * A test network of real machines (docs/lab.md) with their existing devices, addresses and routes. Each machine is
 * prepared for trials and restored afterwards, also after a lost connection.
 */

import { CoexistError } from '../../../core/errors.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { driftOf, offsetAt } from '../../../core/system/clock-estimate.ts';
import { run } from '../../../core/system/command.ts';
import type { Host } from '../../../core/system/host.ts';
import { readMachineSettings } from '../../../core/system/machine-settings.ts';
import type { DeviceReading, Endpoint } from '../../../core/system/network.ts';
import { requirePing } from '../../../core/system/ping.ts';
import { type ProcStat, parseProcStat } from '../../../core/system/proc-stat.ts';
import { counted } from '../../../core/text/counted.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import { checkOffloadsOff } from '../host-setup.ts';
import { readReceived } from '../received.ts';
import { checkPings, checkRoutesOf, pairsOf } from '../routes.ts';
import type { HostReading, LeftEnd, TestNetwork, Topology } from '../topology.ts';
import { checkFree } from './free.ts';
import { assign, type LabMachine } from './hosts-file.ts';
import { type MachineFacts, readFacts } from './machine-facts.ts';
import { type OwnSide, setUpMachine } from './machine-setup.ts';
import { SshHost } from './ssh-host.ts';
import { findDevice, isInSameNetwork, networkOfDevice, type TestDevice } from './test-device.ts';

type Role = HostReading['role'];
/** A connected machine with its devices on the test network. */
export type Reached = {
  machine: LabMachine;
  role: Role;
  host: SshHost;
  devices: TestDevice[];
  facts: MachineFacts;
  settings: Record<string, string>;
};

/** Parts of a link that stay on a router if the link is not removed. */
export type LinkTraces = {
  /** Shell lines that remove the parts. */
  takeOff: readonly string[];
  /** Numbers of the link's routing tables. The rules have the same numbers as priorities. */
  tables: readonly number[];
};

const refuse = (machine: string, what: string, hint?: string) =>
  new CoexistError('no-host', `machine "${machine}": ${what}`, hint === undefined ? {} : { hint });

async function reach(machine: LabMachine, role: Role): Promise<Reached> {
  const host = await SshHost.connect(machine.name, machine.destination);
  try {
    const found = await Promise.all(machine.devices.map(place => findDevice(host, place)));
    const devices = found.map(({ mtu: _, ...device }) => device);
    await checkNotSsh(host, devices);
    await requirePing(host, `machine "${machine.name}"`);
    return { machine, role, host, devices, facts: await readFacts(host), settings: await readMachineSettings(host) };
  } catch (error) {
    await host.close();
    if (error instanceof CoexistError && error.code === 'missing-kernel-feature')
      throw refuse(machine.name, error.message, 'npm run doctor -- --hosts hosts.json');
    throw error;
  }
}

/**
 * Throws `no-host` if the SSH connection uses one of `devices`. The harness changes these devices, so they must not
 * carry the connection.
 */
async function checkNotSsh(host: SshHost, devices: readonly TestDevice[]): Promise<void> {
  const { stdout } = await host.run(['sh', '-c', 'echo "$SSH_CONNECTION"']);
  const [client, , own] = stdout.trim().split(' ');
  if (client === undefined || own === undefined)
    throw refuse(host.name, 'it does not say over which device ssh comes (SSH_CONNECTION)');
  const back = (await host.run(['ip', 'route', 'get', client], { allowFailure: true })).stdout.split(/\s+/);
  const used = devices.find(({ device, address }) => address === own || back[back.indexOf('dev') + 1] === device);
  if (used !== undefined)
    throw refuse(
      host.name,
      `ssh comes over ${used.device}, which is on the test network`,
      'reach it over another device: "ssh" in hosts.json',
    );
}

/** Connects to all machines. If one connection fails, closes the others. */
async function reachAll(machines: readonly { machine: LabMachine; role: Role }[]): Promise<Reached[]> {
  const results = await Promise.allSettled(machines.map(({ machine, role }) => reach(machine, role)));
  const reached = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find(result => result.status === 'rejected');
  if (failed === undefined) return reached;
  await Promise.all(reached.map(({ host }) => host.close()));
  throw failed.reason;
}

/** A machine's device and the router's device in the same network. */
type Joined = { reached: Reached; own: TestDevice; router: TestDevice };

function join(reached: Reached, router: Reached): Joined {
  for (const own of reached.devices)
    for (const device of router.devices) if (isInSameNetwork(own, device)) return { reached, own, router: device };
  throw refuse(reached.machine.name, `none of its devices is in a network of the router ${router.machine.name}`);
}

export class Lab implements TestNetwork {
  readonly left: readonly LeftEnd[];
  readonly right: readonly Endpoint[];
  readonly rightNetwork: string;
  readonly router: Host;
  readonly bottleneckDevice: string;
  readonly hops = [this];
  readonly behindBottleneck: { host: Host; device: string };
  /** True if several hosts on the left are behind one device of the router. */
  readonly sharesDevice: boolean;
  readonly #all: readonly Reached[];
  readonly #joined: { left: Joined[]; right: Joined[] };
  /** Processor counters of each machine at the start of the trial, with the time at which they were read. */
  readonly #begun = new Map<Reached, { timeMs: number; stat: ProcStat }>();

  /** Throws `no-host` if the network between the machines is not as a trial needs it. */
  constructor(all: readonly Reached[]) {
    const router = all.find(({ role }) => role === 'router')!;
    const of = (side: Role) => all.filter(({ role }) => role === side).map(one => join(one, router));
    const joined = { left: of('left'), right: of('right') };
    const bottleneck = joined.right[0]!.router;
    for (const { reached, router: device } of joined.right)
      if (device !== bottleneck)
        throw refuse(
          reached.machine.name,
          `it hangs on ${device.device} of the router, and ${joined.right[0]!.reached.machine.name} on ${bottleneck.device}`,
          'machines on the right share one bottleneck: join them by a switch to one device of the router',
        );
    for (const { reached, router: device } of joined.left)
      if (device === bottleneck)
        throw refuse(reached.machine.name, `it is on the left, and hangs on the device ${device.device} of the right`);
    this.#all = all;
    this.#joined = joined;
    this.router = router.host;
    this.bottleneckDevice = bottleneck.device;
    this.rightNetwork = networkOfDevice(bottleneck);
    this.left = joined.left.map(({ reached, own, router: { device } }) => ({
      host: reached.host,
      address: own.address,
      ownDevice: own.device,
      device,
      network: networkOfDevice(own),
    }));
    this.right = joined.right.map(({ reached, own }) => ({ host: reached.host, address: own.address }));
    this.behindBottleneck = { host: this.right[0]!.host, device: joined.right[0]!.own.device };
    this.sharesDevice = new Set(this.left.map(({ device }) => device)).size < this.left.length;
  }

  /**
   * Connects to the machines and prepares them for trials, with `places` machines on each side. `tracesOf`: returns the
   * parts that a link leaves on the router. Throws `no-host` with the machine, after all machines are restored.
   */
  static async build(
    machines: readonly LabMachine[],
    places: number,
    tracesOf: (topology: Topology) => LinkTraces,
  ): Promise<Lab> {
    const who = assign(machines, places);
    if (who === undefined)
      throw new CoexistError(
        'no-host',
        `the study needs a router and ${counted(places, 'machine')} on either side, ` +
          `and the roles of ${machines.map(({ name }) => name).join(', ')} leave less`,
        { hint: 'each application of a trial has two machines of its own, and two more for each further client' },
      );
    const reached = await reachAll([
      { machine: who.router, role: 'router' },
      ...who.left.map(machine => ({ machine, role: 'left' as const })),
      ...who.right.map(machine => ({ machine, role: 'right' as const })),
    ]);
    try {
      await checkArchitecture(reached);
      const lab = new Lab(reached);
      await lab.#setUp(tracesOf(lab));
      return lab;
    } catch (error) {
      await Promise.all(reached.map(({ host }) => host.close()));
      throw error;
    }
  }

  async #setUp({ takeOff, tables }: LinkTraces): Promise<void> {
    const forwards = (await this.router.read('/proc/sys/net/ipv4/ip_forward')).trim() === '1';
    if (!forwards) throw refuse(this.router.name, 'it does not forward IPv4', `on it: sysctl -w net.ipv4.ip_forward=1`);
    await checkFree(this, tables);
    await Promise.all(
      this.#all.map(one =>
        setUpMachine(
          one.host,
          one.devices.map(({ device }) => device),
          one.role === 'router' ? takeOff : [],
          this.#sideOf(one),
        ),
      ),
    );
  }

  /** Returns the machine's address and the networks of the other side; undefined for the router. */
  #sideOf(one: Reached): OwnSide | undefined {
    const networksOf = (joined: readonly Joined[]) => [...new Set(joined.map(({ router }) => networkOfDevice(router)))];
    const { left, right } = this.#joined;
    const isLeft = left.some(({ reached }) => reached === one);
    const own = (isLeft ? left : right).find(({ reached }) => reached === one)?.own;
    return own === undefined ? undefined : { address: own.address, networks: networksOf(isLeft ? right : left) };
  }

  get failed(): Promise<never> {
    return Promise.race(this.#all.map(({ host }) => host.failed));
  }

  get lost(): CoexistError | undefined {
    return this.#all.map(({ host }) => host.lost).find(lost => lost !== undefined);
  }

  received(hosts: readonly Host[]): Promise<DeviceReading[]> {
    const ends = [...this.#joined.left, ...this.#joined.right];
    return readReceived(
      hosts.map(host => {
        const { device } = ends.find(({ reached }) => reached.host === host)!.own;
        return { host, device, as: 'rx' };
      }),
    );
  }

  async checkOffloads(): Promise<void> {
    await Promise.all(
      this.#all.map(({ host, devices }) =>
        checkOffloadsOff(
          host,
          devices.map(({ device }) => quoteWord(device)),
        ),
      ),
    );
  }

  async checkRoutes(places?: readonly number[]): Promise<void> {
    const inUse = (ends: readonly Joined[]) => ends.filter((_, k) => places === undefined || places.includes(k));
    const [left, right] = [inUse(this.#joined.left), inUse(this.#joined.right)];
    const endsOf = (joined: readonly Joined[]) =>
      joined.map(({ reached, own }) => ({ host: reached.host, address: own.address }));
    const check = (from: readonly Joined[], to: readonly Joined[]) =>
      from.map(({ reached, router }) => checkRoutesOf(reached.host, endsOf(to), router.address));
    await Promise.all([...check(left, right), ...check(right, left)]);
    await checkPings(pairsOf(endsOf(left), endsOf(right)));
  }

  async begin(): Promise<void> {
    await Promise.all(
      this.#all.map(async one => {
        await one.host.beginClock(one.devices[0]!.address);
        this.#begun.set(one, await readStat(one.host));
      }),
    );
  }

  describe(): Promise<HostReading[]> {
    return Promise.all(
      this.#all.map(async one => {
        const { machine, role, host, devices, facts, settings } = one;
        const load = loadBetween(this.#begun.get(one), await readStat(host));
        const { over, estimate } = await host.endClock(devices[0]!.address);
        const { offsetUs, uncertaintyUs } = offsetAt(estimate, nowMs() * 1000);
        const drift = driftOf(estimate);
        return {
          name: machine.name,
          role,
          devices: devices.map(({ device, address }) => ({ device, address })),
          ...facts,
          settings,
          node: host.nodeVersion,
          sent: host.sent,
          load,
          clock: {
            over,
            offsetMs: -offsetUs / 1000,
            uncertaintyMs: uncertaintyUs / 1000,
            driftPpm: drift?.driftPpm ?? null,
          },
        };
      }),
    );
  }

  async remove(): Promise<void> {
    await Promise.all(this.#all.map(({ host }) => host.close()));
  }
}

async function readStat(host: Host): Promise<{ timeMs: number; stat: ProcStat }> {
  const stat = parseProcStat(await host.read('/proc/stat'));
  return { timeMs: nowMs(), stat };
}

type Stat = Awaited<ReturnType<typeof readStat>>;

/**
 * Returns the load from the start of a trial to its end. If the trial never started (`begun` undefined), the result is
 * from `ended` alone.
 */
function loadBetween(begun: Stat | undefined, ended: Stat): HostReading['load'] {
  const from = begun ?? ended;
  const seconds = Math.max(1e-3, (ended.timeMs - from.timeMs) / 1000);
  return {
    busyShare: (ended.stat.busyS - from.stat.busyS) / seconds / ended.stat.cores,
    stolenCores: (ended.stat.stealS - from.stat.stealS) / seconds,
  };
}

/**
 * Throws unless all machines have this machine's architecture. The native programs are copied without recompilation.
 */
async function checkArchitecture(reached: readonly Reached[]): Promise<void> {
  const own = (await run(['uname', '-m'])).stdout.trim();
  const other = reached.find(({ facts: { architecture } }) => architecture !== own);
  if (other === undefined) return;
  throw refuse(
    other.machine.name,
    `it is ${other.facts.architecture}, and the programs that are sent there were built for ${own}`,
    'use machines of one kind',
  );
}
