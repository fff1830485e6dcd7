/**
 * Links of a pairwise study by name. "8mbit" and "50mbit" are the links of the paper (Philip et al., SIGCOMM 2024,
 * section 3.1); links of other rates follow the same rules. Every sender has a base round-trip time of 50 ms. The queue
 * is drop-tail; its length in packets of 1500 bytes is the power of two nearest to 4 BDP (a quirk of the paper's
 * switch, kept so that results are comparable). The suffix "-deep" doubles the queue.
 */
import { CoexistError } from '../../../core/errors.ts';
import { parseRateBps } from '../../../core/text/units.ts';
import { describeLink, type Link, plainLink } from '../../../core/vocabulary/link.ts';
import { deepSuffix, isDeep } from '../../../core/vocabulary/pair-names.ts';
import { sideNames } from './sides.ts';

export type PairLink = {
  id: string;
  /** Description of the link: "8 Mbit/s, FIFO 128 packets (...), base RTT 50 ms". */
  title: string;
  link: Link;
  /** Wanted half width of the interval of a median throughput, bit/s. */
  halfWidthBps: number;
};

const baseRttMs = 50;
const queueBdps = 4;
const packetBytes = 1500;
/**
 * Returns the wanted half width as in the paper, bit/s: 0.5 Mbit/s for a link of 8 Mbit/s and 1.5 Mbit/s for 50 Mbit/s.
 * It is linear between these rates. For other rates it is the same part of the rate as at the nearer of the two.
 */
export function halfWidthBps(rateBps: number): number {
  if (rateBps <= 8e6) return rateBps / 16;
  if (rateBps >= 50e6) return rateBps * 0.03;
  return 0.5e6 + ((rateBps - 8e6) / 42e6) * 1e6;
}

/** Returns the length of the queue in packets: 128 for a link of 8 Mbit/s, 1024 for 50 Mbit/s. */
export function queuePackets(rateBps: number): number {
  const wanted = (queueBdps * rateBps * baseRttMs) / 8000 / packetBytes;
  const below = 2 ** Math.floor(Math.log2(Math.max(1, wanted)));
  return wanted - below < 2 * below - wanted ? below : 2 * below;
}

/**
 * Returns the link with a name such as "8mbit", "2.5mbit" or "50mbit-deep". `backend`: program that shapes the link. If
 * the name is wrong, throws `usage` and explains the form of a name.
 */
export function pairLink(name: string, backend: Link['backend'] = 'auto'): PairLink {
  const doubled = isDeep(name);
  const rateBps = parseRateBps(doubled ? name.slice(0, -deepSuffix.length) : name);
  if (rateBps === undefined || !(rateBps >= 256e3 && rateBps <= 1e9) || !/^[a-z0-9.-]+$/.test(name)) {
    throw new CoexistError('usage', `--link ${name}: there is no such link`, {
      hint: 'write a rate between 256kbit and 1gbit, as in 8mbit or 50mbit; "-deep" after it doubles the queue',
    });
  }
  return linkOf(name, rateBps, queuePackets(rateBps) * (doubled ? 2 : 1), backend);
}

/**
 * Returns a link that is far wider than all caps. It is used to measure the throughput of a service without a limit by
 * the link.
 */
export function openLink(capsBps: readonly number[], backend: Link['backend'] = 'auto'): PairLink {
  const wholeMbit = 1e6;
  const rateBps = Math.ceil((openFactor * Math.max(...capsBps)) / wholeMbit) * wholeMbit;
  return linkOf(openLinkId, rateBps, queuePackets(rateBps), backend);
}

export const openLinkId = 'open';

/** Least ratio of a link's rate to a service's cap at which the link does not limit the service. */
export const openFactor = 4;

function linkOf(id: string, rateBps: number, packets: number, backend: Link['backend']): PairLink {
  const plain = plainLink(rateBps, { unit: 'packets', value: packets }, sideNames);
  const paths = Object.fromEntries(
    Object.entries(plain.paths).map(([name, path]) => [name, { ...path, rttMs: baseRttMs }]),
  );
  const link: Link = { ...plain, paths, backend };
  return { id, title: describeLink(link), link, halfWidthBps: halfWidthBps(rateBps) };
}
