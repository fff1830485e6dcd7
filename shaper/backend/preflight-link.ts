/** A link as preflight sees it (shaper/calibrate), whatever forms it. */
import { kernelParts } from '../../core/backends.ts';
import { meanLossRatio, overheadBytes, withoutChance } from '../../core/link.ts';
import type { BackendId, Link } from '../../core/link.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { AskedLoss, End, PreflightLink, PreflightPath } from '../calibrate/link.ts';
import { shapers } from '../tc/shapers.ts';
import { predictedLosses } from '../tc/loss.ts';
import type { LinkBox } from './link-box.ts';

const udp = 17;

/** Delays that `box` has settled are those that are expected. */
export function preflightLink(box: LinkBox, link: Link, backend: BackendId, seed: number, addresses: Readonly<Record<End, string>>): PreflightLink {
  const still: Link = { ...withoutChance(link), backend }; // without chance, another could form it
  const limit = aqmLimit(link);
  const isFifo = link.aqm.id === 'fifo';
  const { loss } = link;
  const ways = box.waysOf(link, backend);
  const asked = (from: End): AskedLoss | null => (loss === null ? null : {
    lossRatio: meanLossRatio(loss), independent: loss.kind === 'independent',
    predicted: packets => predictedLosses(seed, loss, { source: addresses[from], destination: addresses.client, protocol: udp }, packets),
  });
  const paths = (['server', 'flooder'] as const).flatMap((sender): PreflightPath[] => {
    const { downMs, upMs } = ways[sender];
    return [
      { from: sender, to: 'client', shaped: true, delayMs: downMs, loss: asked(sender) },
      { from: 'client', to: sender, shaped: false, delayMs: upMs, loss: null },
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
