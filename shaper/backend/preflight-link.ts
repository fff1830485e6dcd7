/** A link as preflight sees it (shaper/calibrate), whatever forms it. */
import { kernelParts } from '../../core/backends.ts';
import { meanLossRatio, overheadBytes, withoutChance } from '../../core/link.ts';
import type { BackendId, Link } from '../../core/link.ts';
import type { Endpoint } from '../../core/network.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { AskedLoss, PreflightLink, PreflightPath } from '../calibrate/link.ts';
import { shapers } from '../tc/shapers.ts';
import { predictedLosses } from '../tc/loss.ts';
import type { LinkBox } from './link-box.ts';

const udp = 17;

/** Who sends over a path, by its name, and who receives. */
export type Pair = { left: Endpoint; right: Endpoint };

/** `pairs`: whose paths are looked at. Delays that `box` has settled are those that are expected. */
export function preflightLink(box: LinkBox, link: Link, backend: BackendId, seed: number, pairs: readonly Pair[]): PreflightLink {
  const still: Link = { ...withoutChance(link), backend }; // without chance, another could form it
  const limit = aqmLimit(link);
  const isFifo = link.aqm.id === 'fifo';
  const { loss } = link;
  const ways = box.waysOf(link, backend);
  const asked = (from: string, to: string): AskedLoss | null => (loss === null ? null : {
    lossRatio: meanLossRatio(loss), independent: loss.kind === 'independent',
    predicted: packets => predictedLosses(seed, loss, { source: from, destination: to, protocol: udp }, packets),
  });
  const paths = pairs.flatMap(({ left, right }): PreflightPath[] => {
    const { downMs, upMs } = ways[left.host.name]!;
    const [from, to] = [left.host.name, right.host.name];
    return [
      { from, to, shaped: true, delayMs: downMs, loss: asked(left.address, right.address) },
      { from: to, to: from, shaped: false, delayMs: upMs, loss: null },
    ];
  });
  return {
    rateBps: link.rateBps, overheadBytes: overheadBytes[link.bytes],
    limitPackets: isFifo && limit.unit === 'packets' ? limit.packets : null, limitBytes: isFifo && limit.unit === 'bytes' ? limit.bytes : null,
    bucketBytes: backend === 'emulator' ? 0 : shapers[kernelParts(backend).shaper].bucketBytes(link.rateBps),
    paths, counters: () => box.counters(),
    reset: async mode => void await box.set(mode === 'loss' ? { ...still, loss } : still, seed),
  };
}
