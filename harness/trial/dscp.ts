/** Sets the DSCP of an application's packets in both directions. */
import { clientsOf, type Network } from '../../core/system/network.ts';
import { Marker } from '../../shaper/marking/marker.ts';

/**
 * Starts to set the DSCP in all packets that the application's hosts send each other; without a DSCP there is nothing to
 * start. Throws `missing-kernel-feature` if a host cannot do that.
 */
export async function markDscp(network: Network, dscp: number | undefined): Promise<Marker[]> {
  if (dscp === undefined) return [];
  const rule = { protocol: null, port: null, dscp };
  const clients = clientsOf(network);
  const ways = [
    { host: network.hosts.server, to: network.addresses.client },
    ...clients.map(({ host }) => ({ host, to: network.addresses.server })),
  ];
  const markers: Marker[] = [];
  try {
    for (const { host, to } of ways) markers.push(await Marker.start(host, to, rule));
    return markers;
  } catch (error) {
    await Promise.all(markers.map(marker => marker.stop()));
    throw error;
  }
}
