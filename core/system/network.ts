/** The network as one application sees it: its server and its clients, on either side of the bottleneck. */
import type { Host } from './host.ts';

/** A host and its IPv4 address on the study's own network. */
export type Endpoint = { host: Host; address: string };

/** What the device of a host has taken from the link by a moment. */
export type DeviceReading = { timeMs: number; bytes: number; packets: number };

export type Network = {
  hosts: Readonly<{ server: Host; client: Host }>;
  addresses: Readonly<{ server: string; client: string }>;
  /** Clients beside the first, each on a host of its own; missing where there are none. */
  furtherClients?: readonly Endpoint[];
};

/** `furtherClients`: missing where there is one client. */
export type Addresses = { server: string; client: string; furtherClients?: string[] };

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

/** The same without the hosts, for a record. */
export function addressesOf({ addresses, furtherClients }: Network): Addresses {
  const further = furtherClients?.map(({ address }) => address);
  return { ...addresses, ...(further === undefined ? {} : { furtherClients: further }) };
}

/** Readings of several devices, made at the same time, as one. */
export function sumOf(readings: readonly DeviceReading[]): DeviceReading {
  return {
    timeMs: readings[0]!.timeMs,
    bytes: readings.reduce((sum, { bytes }) => sum + bytes, 0),
    packets: readings.reduce((sum, { packets }) => sum + packets, 0),
  };
}

/** The server's host first. */
export function hostsOf(network: Network): Host[] {
  return [network.hosts.server, ...clientsOf(network).map(({ host }) => host)];
}
