/**
 * Addresses and devices of a dumbbell. Every host on the left shares a network with the router only: 10.0.1.0/24, then
 * 10.0.3.0/24 and so on. All hosts on the right share 10.0.2.0/24. The router has number 1 in each network, hosts begin
 * with 2.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Lease } from '../../core/system/lease.ts';
import type { HopSpan } from '../../core/vocabulary/link.ts';

/**
 * Names of the hosts on both sides of the row of routers. `spans`: bottlenecks between the host on the left and that on
 * the right at the same index; null or missing: all. With spans, both sides have equally many hosts.
 */
export type Sides<Name extends string = string> = {
  left: readonly Name[];
  right: readonly Name[];
  spans?: readonly (HopSpan | null)[];
};

export const twoSenders = { left: ['server', 'other'], right: ['client'] } as const;

/** Name of the device of every host except the router. */
export const hostDevice = 'eth0';
/** Name of the router's device that carries the bottleneck queue. */
export const bottleneckDevice = 'toClient';

const mostHosts = 64;
/** Names that a host may not have, because namespaces inside the network have them. */
const reserved = /^(router(-\d+)?|switch)$/;

export const rightSubnet = 2;
/** Network between a router and the next one, by the place of the first of the two in the row, from 0. */
export const hopSubnet = (index: number) => 200 + index;
/** Name of a router's device towards the router before it. */
export const hopDevice = 'toServers';
export const leftSubnet = (index: number) => (index === 0 ? 1 : index + 2);
/**
 * Returns the name of the router's device towards a host on the left. The first two are named after the hosts of an
 * experiment.
 */
export const leftDevice = (index: number) => ['toServer', 'toFlooder'][index] ?? `toLeft${index + 1}`;

/** Returns the name of the router's device towards a host on the right that is not behind the last bottleneck. */
export const exitDevice = (index: number) => `toRight${index + 1}`;

export const networkOf = (subnet: number) => `10.0.${subnet}.0/24`;
export const routerEnd = 1;
/**
 * Returns the host part of an address by the host's place on the right. A host on the left is the only one in its
 * network and has the first number.
 */
export const hostEnd = (index = 0) => index + 2;
/** Returns the same for the host behind it (behind.ts). */
export const behindEnd = (subnet: number, end: number) => (subnet === rightSubnet ? end + 128 : end + 1);
export const hostAddress = (subnet: number, end = hostEnd()) => `10.0.${subnet}.${end}`;
export const routerAddress = (subnet: number) => hostAddress(subnet, routerEnd);

const hexByte = (value: number) => value.toString(16).padStart(2, '0');
export const mac = (subnet: number, end: number) => `02:00:00:00:${hexByte(subnet)}:${hexByte(end)}`;

export const namespaceOf = (lease: Lease, name: string) => `coexist-${lease.id}-${name}`;

/** Throws `bad-definition` if the names or the numbers of hosts are not valid. */
export function checkSides({ left, right, spans = [] }: Sides, hops: number): void {
  const refuse = (what: string) => new CoexistError('bad-definition', `network: ${what}`);
  for (const [side, { length }] of Object.entries({ left, right })) {
    if (length < 1 || length > mostHosts) throw refuse(`1 to ${mostHosts} hosts fit on the ${side}, not ${length}`);
  }
  if (spans.length > 0 && left.length !== right.length) throw refuse('hosts with spans are pairs, one on each side');
  const wrong = spans.find(span => span !== null && !(1 <= span.from && span.from <= span.to && span.to <= hops));
  if (wrong != null) throw refuse(`there are no bottlenecks ${wrong.from} to ${wrong.to} in a row of ${hops}`);
  if (left.every((_, k) => spans[k] != null && (spans[k].from > 1 || spans[k].to < hops)))
    throw refuse('no pair of hosts has all bottlenecks between the two');
  const names = [...left, ...right];
  for (const [k, name] of names.entries()) {
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
      throw refuse(`"${name}" is no name of a host: use up to 40 small letters, digits and "-"`);
    if (names.indexOf(name) !== k || reserved.test(name)) throw refuse(`the name "${name}" is taken by another host`);
  }
}
