/**
 * IPv4 networks that are not part of the public Internet; a page from the Internet must not reach them. They are the
 * networks of RFC 6890, similar ones, and all networks to which this machine has routes other than its default route.
 */
import { BlockList, isIPv4 } from 'node:net';
import { CoexistError } from '../../core/errors.ts';
import type { z } from '../../core/schema/schema.ts';
import { run } from '../../core/system/command.ts';
import { ipAddresses, ipRoutes, readIpJson } from '../../core/system/ip-json.ts';
import type { Look } from './watch.ts';

const everywhere = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  // this network, this host and this link (RFC 1122, RFC 3927), with the metadata services of most clouds
  '169.254.0.0/16',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16', // RFC 1918
  '100.64.0.0/10', // RFC 6598: between a provider and its customers
  '192.0.0.0/24', // RFC 6890: protocol assignments
  '198.18.0.0/15', // RFC 2544: measurements, including the uplinks of other runs
  '168.63.129.16/32', // management of Azure's machines
  '224.0.0.0/4',
  '240.0.0.0/4', // multicast (RFC 5771), reserved (RFC 1112) and broadcast (RFC 919)
] as const;

/**
 * Shortest prefix of a refused route. Routes with shorter prefixes lead to the Internet, such as 0.0.0.0/1 and
 * 128.0.0.0/1 of a virtual private network.
 */
const shortestPrefix = 8;

type Network = { first: number; bits: number };
type AddressEntry = z.output<typeof ipAddresses>[number];
type RouteEntry = z.output<typeof ipRoutes>[number];

/** Longest time for `ip` to print, ms; the kernel replies at once. */
const readMs = 5000;

const sizeOf = (bits: number) => 2 ** (32 - bits);

/** Parses a network, with host bits set to zero: "10.1.2.3/8" -> 10.0.0.0/8; undefined if the text is not a network. */
function parse(text: string): Network | undefined {
  const [, a, b, c, d, length] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  const [bytes, bits] = [[a, b, c, d].map(Number), Number(length ?? 32)];
  if (bytes.some(byte => !(byte <= 255)) || bits > 32) return undefined;
  const address = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  return { first: address - (address % sizeOf(bits)), bits };
}

const format = ({ first, bits }: Network) =>
  `${[24, 16, 8, 0].map(shift => Math.floor(first / 2 ** shift) % 256).join('.')}/${bits}`;
const holds = (outer: Network, inner: Network) =>
  outer.bits <= inner.bits && inner.first - (inner.first % sizeOf(outer.bits)) === outer.first;

/** Returns the networks that are not inside another network of the list. */
function outermost(networks: readonly Network[]): Network[] {
  return networks.filter(
    (network, k) =>
      !networks.some((other, n) => n !== k && holds(other, network) && (other.bits < network.bits || n < k)),
  );
}

/** Returns the refused networks. `addresses` and `routes`: output of `ip -json`. */
export function refusedNetworksOf(addresses: readonly AddressEntry[], routes: readonly RouteEntry[]): string[] {
  const own = addresses.flatMap(({ addr_info: infos = [] }) =>
    infos.flatMap(({ local, prefixlen = 32 }) => (local === undefined ? [] : [`${local}/${prefixlen}`, local])),
  );
  const known = routes.map(({ dst = 'default' }) => dst).filter(dst => dst !== 'default');
  const networks = [...own, ...known].flatMap(text => parse(text) ?? []).filter(({ bits }) => bits >= shortestPrefix);
  return outermost([...everywhere.map(text => parse(text)!), ...networks]).map(format);
}

/** Returns the refused networks by the present addresses of the machine and all its routing tables. */
export async function refusedNetworks(): Promise<string[]> {
  const tell = async (...words: string[]) => (await run(['ip', '-json', '-4', ...words], { timeoutMs: readMs })).stdout;
  const [addresses, routes] = await Promise.all([tell('address', 'show'), tell('route', 'show', 'table', 'all')]);
  return refusedNetworksOf(readIpJson(addresses, ipAddresses), readIpJson(routes, ipRoutes));
}

/** Returns true if the networks `known` together cover all of `network`. */
function hold(known: readonly Network[], network: Network): boolean {
  if (known.some(one => holds(one, network))) return true;
  const within = known.filter(one => holds(network, one));
  if (within.length === 0) return false;
  const { first, bits } = network;
  return [first, first + sizeOf(bits + 1)].every(half => hold(within, { first: half, bits: bits + 1 }));
}

/** Returns those of `networks` that have an address outside all of `known`. */
export function networksBeyond(known: readonly string[], networks: readonly string[]): string[] {
  const all = known.flatMap(text => parse(text) ?? []);
  return networks.filter(text => !hold(all, parse(text)!));
}

/**
 * Returns a look that detects that the machine has joined a network outside of `refused`. Clients of an open uplink
 * could reach that network.
 */
export function lookAtNetworks(refused: readonly string[], read = refusedNetworks): Look {
  return async () => {
    const joined = networksBeyond(refused, await read());
    return joined.length === 0
      ? undefined
      : new CoexistError(
          'uplink-lost',
          `this machine joined ${joined.join(', ')} while clients had Internet access; they could have reached it, so this access was closed`,
          { hint: 'do not connect this machine to another network during a study' },
        );
  };
}

/**
 * Returns a function that is true for addresses in `networks`, and for all text that is not an IPv4 address. Such text
 * may be an IPv6 address, which no network in this file covers.
 */
export function refuser(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/');
    list.addSubnet(address!, Number(bits), 'ipv4');
  }
  return address => !isIPv4(address) || list.check(address, 'ipv4');
}
