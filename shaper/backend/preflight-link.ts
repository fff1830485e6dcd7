/** A link as preflight sees it (shaper/calibrate), whatever forms it. */
import { overheadBytes } from '../../harness/base/link.ts';
import type { BackendId, Link, Way } from '../../harness/base/link.ts';
import { aqmLimit } from '../aqm/limit.ts';
import type { AskedLoss, End, PreflightLink, PreflightPath } from '../calibrate/link.ts';
import { buckets } from '../tc/bottleneck.ts';
import { predictedLosses } from '../tc/loss.ts';
import type { LinkBox } from './link-box.ts';
import { meanLossRatio } from '../../harness/base/link.ts';

const udp = 17;

/** Rate, queue and delay alone: what preflight measures is not to be blurred by what is random on purpose. */
function bare(link: Link): Link {
  const still = (way: Way): Way => ({ ...way, jitterMs: 0, reorder: null, duplicateRatio: 0 });
  return { ...link, loss: null, schedule: [], ways: { server: still(link.ways.server), flooder: still(link.ways.flooder) } };
}

export function preflightLink(box: LinkBox, link: Link, backend: BackendId, seed: number, addresses: Readonly<Record<End, string>>): PreflightLink {
  const still = bare(link);
  const limit = aqmLimit(link);
  const isFifo = link.aqm.id === 'fifo';
  const { loss } = link;
  const asked = (from: End): AskedLoss | null => (loss === null ? null : {
    lossRatio: meanLossRatio(loss), independent: loss.kind === 'independent',
    predicted: packets => predictedLosses(seed, loss, { source: addresses[from], destination: addresses.client, protocol: udp }, packets),
  });
  const paths = (['server', 'flooder'] as const).flatMap((sender): PreflightPath[] => {
    const { downMs, upMs, rttMs } = link.ways[sender];
    return [
      { from: sender, to: 'client', shaped: true, delayMs: downMs, loss: asked(sender) },
      { from: 'client', to: sender, shaped: false, delayMs: rttMs === null ? upMs : rttMs - downMs, loss: null },
    ];
  });
  return {
    rateBps: link.rateBps, overheadBytes: overheadBytes[link.bytes],
    limitPackets: isFifo && limit.unit === 'packets' ? limit.packets : null, limitBytes: isFifo && limit.unit === 'bytes' ? limit.bytes : null,
    bucketBytes: backend === 'emulator' ? 0 : buckets(link.rateBps).cburstBytes,
    paths, counters: () => box.counters(),
    reset: async mode => void await box.set(mode === 'loss' ? { ...still, loss } : still, seed),
  };
}
