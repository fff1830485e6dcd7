/**
 * What a trial sees of its network: hosts on two sides, a router between them, and the router's device whose queue is
 * the bottleneck, whatever the hosts are made of.
 */
import type { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import type { DeviceReading, Endpoint } from '../../core/system/network.ts';

/**
 * A host on the left, with its own device on the test network, the router's device towards it and the network between
 * the two.
 */
export type LeftEnd = Endpoint & { ownDevice: string; device: string; network: string };

/** What a link is laid on. */
export type Topology = {
  readonly left: readonly LeftEnd[];
  readonly right: readonly Endpoint[];
  /** The network that the hosts on the right are in. */
  readonly rightNetwork: string;
  readonly router: Host;
  /** The router's device that carries the bottleneck queue. */
  readonly bottleneckDevice: string;
  /** Where everything arrives that has left the bottleneck, before it comes to the hosts on the right. */
  readonly behindBottleneck: { host: Host; device: string };
};

/** A machine that had part in a trial. */
export type HostReading = {
  /** Of hosts.json. */
  name: string;
  role: 'router' | 'left' | 'right';
  /** Its devices on the test network. */
  devices: { device: string; address: string }[];
  kernel: string;
  architecture: string;
  distribution: string;
  processor: string;
  cores: number;
  /** Versions of programs there; null of one that is not there. */
  node: string;
  iperf3: string | null;
  iproute2: string | null;
  ethtool: string | null;
  /** Its settings, by name, when the study began (core/system/machine-settings.ts); missing in records of older versions. */
  settings?: Record<string, string>;
  /** Programs of ours that were sent there, each with the beginning of its SHA-256. */
  sent: string[];
  /** How busy it was over the trial, of all its cores together, 0 to 1, and what its hypervisor took, cores. */
  load: { busyShare: number; stolenCores: number };
  /** How its clock stood to the harness's at the end of the trial: harness time = its time + `offsetMs`. */
  clock: {
    /** What it was measured over. */
    over: 'test network' | 'ssh';
    offsetMs: number;
    /** The offset is right to within this. */
    uncertaintyMs: number;
    /** How much faster it ran, parts per million; null where it could not be measured at both ends of the trial. */
    driftPpm: number | null;
  };
};

/** A network that trials run on. */
export interface TestNetwork extends Topology {
  /** Rejects when a host is lost. */
  readonly failed: Promise<never>;
  /** Why a host is lost by now; undefined while none is. */
  readonly lost: CoexistError | undefined;
  /** Before each trial: looks at the clocks of hosts that are other machines. */
  begin(): Promise<void>;
  /** After each trial: its hosts and their clocks; null where all are this machine. */
  describe(): Promise<HostReading[] | null>;
  /** What each of the hosts has taken from the link so far, in their order. */
  received(hosts: readonly Host[]): Promise<DeviceReading[]>;
  /** Proves that segmentation and checksum offloads are off at every end. Throws `link-refused` with the reading. */
  checkOffloads(): Promise<void>;
  /**
   * Proves that every host of the pairs at those places, of all where not said, reaches every one of them on the other
   * side through the router, and that none has learnt another way. Throws `link-refused` with the reading where one does
   * not.
   */
  checkRoutes(places?: readonly number[]): Promise<void>;
  /** Puts back what was there before. */
  remove(): Promise<void>;
}
