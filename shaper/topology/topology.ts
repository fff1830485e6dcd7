/**
 * What a trial sees of its network: hosts on two sides, a router between them, and the router's device whose queue is
 * the bottleneck, whatever the hosts are made of.
 */
import type { Host } from '../../core/host.ts';
import type { DeviceReading, Endpoint } from '../../core/network.ts';

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

/** A network that trials run on. */
export interface TestNetwork extends Topology {
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
