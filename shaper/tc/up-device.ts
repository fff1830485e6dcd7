/**
 * Device of the bottleneck from the clients. Their packets leave the router through as many devices as there are hosts
 * on the other side, so one queue for all these packets needs a separate device: a pair of veth devices on the router.
 * Packets from the clients are routed into the near end, whose queue disciplines are the bottleneck, come out of the
 * far end, and are routed on from there.
 *
 * A queue behind an ifb device at the input would not work: until the router has routed a packet, the packet counts
 * against the socket that sent it, and TCP, which keeps little of its own data below it (TCP small queues), would never
 * fill the queue.
 */
import { mac } from '../topology/legs.ts';
import type { Topology } from '../topology/topology.ts';

export const upDevice = 'fromClient';
/** Name of the device at which packets come out of the bottleneck. */
export const upExit = 'fromClientFar';

/** Number of the routing table and priority of its rules, before the main table's 32766. */
export const upTable = 103;
/** Hardware address of both ends. The near end has no ARP and addresses its frames to its own address. */
const address = mac(0xff, 1);

type Sides = Pick<Topology, 'router' | 'bottleneckDevice' | 'left'>;

/** Returns a rule for each network; hosts on the left may share a network. */
const rules = ({ bottleneckDevice, left }: Sides) =>
  [...new Set(left.map(({ network }) => network))].map(
    network => `pref ${upTable} iif ${bottleneckDevice} to ${network} lookup ${upTable}`,
  );

/** Creates the device without a queue discipline. */
export async function makeUpDevice(sides: Sides): Promise<void> {
  await sides.router.run(['ip', '-batch', '-'], {
    input: [
      `link add name ${upDevice} address ${address} type veth peer name ${upExit} address ${address}`,
      `link set dev ${upDevice} arp off up`,
      `link set dev ${upExit} arp off up`,
      `route add default dev ${upDevice} table ${upTable}`,
      ...rules(sides).map(rule => `rule add ${rule}`),
    ].join('\n'),
    code: 'missing-kernel-feature',
    hint:
      'a bottleneck from the clients needs veth devices and policy routing (CONFIG_VETH, CONFIG_IP_MULTIPLE_TABLES); ' +
      '"npm run doctor" tells more',
  });
}

/** Removes the parts of the device that exist, including its queue with the waiting packets. */
export async function removeUpDevice(sides: Sides): Promise<void> {
  // a missing rule does not stop the removal of others
  await sides.router.run(['ip', '-force', '-batch', '-'], {
    input: [...rules(sides).map(rule => `rule del ${rule}`), `link del dev ${upDevice}`].join('\n'),
    allowFailure: true,
  });
}
