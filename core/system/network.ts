/** Hosts and addresses of one application: a server and its clients, on the two sides of the bottleneck. */
import type { Host } from './host.ts';

/** A host and its IPv4 address in the study's network. */
export type Endpoint = { host: Host; address: string };

/** Total traffic that a host's device had received from the link at `timeMs`. */
export type DeviceReading = { timeMs: number; bytes: number; packets: number };

export type Network = {
  hosts: Readonly<{ server: Host; client: Host }>;
  addresses: Readonly<{ server: string; client: string }>;
  /** Clients after the first one, each on a separate host. Missing if there is one client. */
  furtherClients?: readonly Endpoint[];
};

/** Addresses of a network. `furtherClients` is missing if there is one client. */
type Addresses = { server: string; client: string; furtherClients?: string[] };

export function networkBetween(server: Endpoint, client: Endpoint, furtherClients: readonly Endpoint[] = []): Network {
  return {
    hosts: { server: server.host, client: client.host },
    addresses: { server: server.address, client: client.address },
    ...(furtherClients.length === 0 ? {} : { furtherClients }),
  };
}

export function clientsOf({ hosts, addresses, furtherClients = [] }: Network): Endpoint[] {
  return [{ host: hosts.client, address: addresses.client }, ...furtherClients];
}

/** Returns the addresses of a network without its hosts, for a record. */
export function addressesOf({ addresses, furtherClients }: Network): Addresses {
  const further = furtherClients?.map(({ address }) => address);
  return { ...addresses, ...(further === undefined ? {} : { furtherClients: further }) };
}

/** Returns the sum of readings of several devices. All readings must have the same time. */
export function sumOf(readings: readonly DeviceReading[]): DeviceReading {
  return {
    timeMs: readings[0]!.timeMs,
    bytes: readings.reduce((sum, { bytes }) => sum + bytes, 0),
    packets: readings.reduce((sum, { packets }) => sum + packets, 0),
  };
}

/** Returns all hosts of the network, the server first. */
export function hostsOf(network: Network): Host[] {
  return [network.hosts.server, ...clientsOf(network).map(({ host }) => host)];
}
