/**
 * Network of a trial: hosts on two sides, a router between them, and the router's device with the bottleneck queue. The
 * interface is the same for namespaces and for machines.
 */
import type { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import type { DeviceReading, Endpoint } from '../../core/system/network.ts';

/**
 * A host on the left, with its device on the test network, the router's device towards it, and the network between the
 * two.
 */
export type LeftEnd = Endpoint & {
  ownDevice: string;
  device: string;
  network: string;
  /** Place at which packets from the router arrive first on their way to the host; the host's own device if missing. */
  arrival?: { host: Host; device: string };
  /** Host on the right over the bottlenecks that lie between the two; missing: any host on the right. */
  facing?: Endpoint;
};

/** Hosts and devices of a network that a link needs. */
export type Topology = {
  readonly left: readonly LeftEnd[];
  readonly right: readonly Endpoint[];
  readonly rightNetwork: string;
  readonly router: Host;
  /** The router's device that carries the bottleneck queue. */
  readonly bottleneckDevice: string;
  /** Host and device that receive everything from the bottleneck, before the hosts on the right. */
  readonly behindBottleneck: { host: Host; device: string };
};

/** Facts about a machine that took part in a trial. */
export type HostReading = {
  /** Name of the machine in hosts.json. */
  name: string;
  role: 'router' | 'left' | 'right';
  /** The machine's devices on the test network. */
  devices: { device: string; address: string }[];
  kernel: string;
  architecture: string;
  distribution: string;
  processor: string;
  cores: number;
  /** Versions of programs on the machine; null if a program is not installed. */
  node: string;
  iperf3: string | null;
  iproute2: string | null;
  ethtool: string | null;
  /**
   * Settings of the machine by name, at the start of the study (core/system/machine-settings.ts); missing in records of
   * older versions.
   */
  settings?: Record<string, string>;
  /** Programs of the project that were copied to the machine, each with the first digits of its SHA-256. */
  sent: string[];
  /** Load during the trial: busy share of all cores, 0 to 1, and number of cores that the hypervisor gave to others. */
  load: { busyShare: number; stolenCores: number };
  /** The machine's clock at the end of the trial. harness time = machine time + `offsetMs`. */
  clock: {
    /** Network over which the offset was measured. */
    over: 'test network' | 'ssh';
    offsetMs: number;
    /** Largest possible error of `offsetMs`. */
    uncertaintyMs: number;
    /**
     * Rate of the machine's clock minus the rate of the harness's clock, parts per million; null if not measured at
     * both ends of the trial.
     */
    driftPpm: number | null;
  };
};

export interface TestNetwork extends Topology {
  /**
   * The routers with a bottleneck each, in their order from the left, with the hosts whose packets cross it; the first
   * router is that of the network itself.
   */
  readonly hops: readonly Topology[];
  /** Rejects when a host is lost. */
  readonly failed: Promise<never>;
  /** Error of a lost host; undefined while none is lost. */
  readonly lost: CoexistError | undefined;
  /** Reads the clocks of the hosts that are other machines. Called before each trial. */
  begin(): Promise<void>;
  /**
   * Returns the machines of the trial with their clocks; null if all hosts are this machine. Called after each trial.
   */
  describe(): Promise<HostReading[] | null>;
  /** Returns the counts of what each of `hosts` has received from the link so far, in the order of `hosts`. */
  received(hosts: readonly Host[]): Promise<DeviceReading[]>;
  /**
   * Checks that segmentation and checksum offloads are off at every end. Throws `link-refused` with the reading if one
   * is on.
   */
  checkOffloads(): Promise<void>;
  /**
   * Checks that every host of the pairs at `places` (all pairs if missing) reaches every host on the other side through
   * the router, and that no host has learnt another route. Throws `link-refused` with the reading otherwise.
   */
  checkRoutes(places?: readonly number[]): Promise<void>;
  /** Removes the network and restores the previous state of the machines. */
  remove(): Promise<void>;
}
