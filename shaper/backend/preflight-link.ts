/** A link as preflight sees it (shaper/calibrate), whatever forms it. */
import { kernelParts } from '../../core/backends.ts';
import { meanLossRatio, overheadBytes, wayOf, withoutChance } from '../../core/link.ts';
import type { BackendId, Link } from '../../core/link.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { AskedLoss, PreflightLink, PreflightPath } from '../calibrate/link.ts';
import { shapers } from '../tc/shapers.ts';
import { predictedLosses } from '../tc/loss.ts';
import type { Topology } from '../topology/dumbbell.ts';
import type { LinkBox } from './link-box.ts';

const udp = 17;

/** Delays that `box` has settled are those that are expected. The first host on the right stands for all: they share everything but the last hop. */
export function preflightLink(box: LinkBox, link: Link, backend: BackendId, seed: number, { left, right }: Pick<Topology, 'left' | 'right'>): PreflightLink {
  const still: Link = { ...withoutChance(link), backend }; // without chance, another could form it
  const limit = aqmLimit(link);
  const isFifo = link.aqm.id === 'fifo';
  const { loss } = link;
  const ways = box.waysOf(link, backend);
  const [to] = right;
  const asked = (source: string): AskedLoss | null => (loss === null ? null : {
    lossRatio: meanLossRatio(loss), independent: loss.kind === 'independent',
    predicted: packets => predictedLosses(seed, loss, { source, destination: to!.address, protocol: udp }, packets),
  });
  const paths = left.flatMap(({ host: { name }, address }): PreflightPath[] => {
    const { downMs, upMs } = wayOf(ways, name);
    const client = to!.host.name;
    return [
      { from: name, to: client, shaped: true, delayMs: downMs, loss: asked(address) },
      { from: client, to: name, shaped: false, delayMs: upMs, loss: null },
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
