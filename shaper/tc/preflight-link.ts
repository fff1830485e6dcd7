/** The tc bottleneck as preflight sees it (shaper/calibrate). Its paths have no propagation delay. */
import type { AskedLoss, End, PreflightLink } from '../calibrate/link.ts';
import { buckets } from './bottleneck.ts';
import type { Bottleneck, BottleneckSpec } from './bottleneck.ts';
import { predictedLosses } from './loss.ts';

const udp = 17;
/** tc counts Ethernet frames without checksum. */
const ethernetBytes = 14;

export function tcPreflightLink(bottleneck: Bottleneck, spec: BottleneckSpec, seed: number, addresses: Readonly<Record<End, string>>): PreflightLink {
  const { rateBps, queue, lossRatio } = spec;
  const loss = (from: End): AskedLoss | null => (lossRatio === 0 ? null : {
    lossRatio, independent: true,
    predicted: packets => predictedLosses(seed, lossRatio, { source: addresses[from], destination: addresses.client, protocol: udp }, packets),
  });
  return {
    rateBps, overheadBytes: ethernetBytes,
    limitPackets: queue.unit === 'packets' ? Math.round(queue.value) : null,
    limitBytes: queue.unit === 'packets' ? null : Math.round(queue.unit === 'bytes' ? queue.value : queue.value * rateBps / 8000),
    bucketBytes: buckets(rateBps).cburstBytes,
    paths: [
      { from: 'server', to: 'client', shaped: true, delayMs: 0, loss: loss('server') },
      { from: 'flooder', to: 'client', shaped: true, delayMs: 0, loss: loss('flooder') },
      { from: 'client', to: 'server', shaped: false, delayMs: 0, loss: null },
      { from: 'client', to: 'flooder', shaped: false, delayMs: 0, loss: null },
    ],
    counters: () => bottleneck.counters(),
    reset: mode => bottleneck.set(mode === 'loss' ? spec : { ...spec, lossRatio: 0 }, seed),
  };
}
