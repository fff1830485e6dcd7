/** The network as one application sees it: the host of its server and the host of its client, on either side of the bottleneck. */
import type { Host } from './host.ts';

/** A host with its IPv4 address on the study's own links. */
export type Endpoint = { host: Host; address: string };

export type Network = {
  hosts: Readonly<{ server: Host; client: Host }>;
  addresses: Readonly<{ server: string; client: string }>;
};

export function networkBetween(server: Endpoint, client: Endpoint): Network {
  return { hosts: { server: server.host, client: client.host }, addresses: { server: server.address, client: client.address } };
}
