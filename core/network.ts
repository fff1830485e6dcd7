/** The network as one application sees it: its server and its client, on either side of the bottleneck. */
import type { Host } from './host.ts';

/** A host and its IPv4 address on the study's own network. */
export type Endpoint = { host: Host; address: string };

/** What the device of a host has taken from the link by a moment. */
export type DeviceReading = { timeMs: number; bytes: number; packets: number };

export type Network = {
  hosts: Readonly<{ server: Host; client: Host }>;
  addresses: Readonly<{ server: string; client: string }>;
};

export function networkBetween(server: Endpoint, client: Endpoint): Network {
  return {
    hosts: { server: server.host, client: client.host },
    addresses: { server: server.address, client: client.address },
  };
}
