/**
 * Metric: losses as the browser counts them, and the repairs that it requests: lost RTP packets, retransmissions with
 * the needless ones among them, and key frames.
 */
import { object } from '../../../../core/schema/schema.ts';
import { growth } from '../../../../core/stats/counters.ts';
import { mean } from '../../../../core/stats/quantile.ts';
import { inboundCounter } from '../../derive/inbound.ts';
import { keyFramesOf, stormKeyFrames } from '../../derive/key-frames.ts';
import { resentPackets } from '../../derive/resent.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'repair',
  title: 'Losses and repair as the browser sees them',
  source: 'W3C webrtc-stats, inbound-rtp; Baldassin et al., sections 4.2 and 4.3',
  params: object({}),
  reading: {
    needs: 'A call. The size of key frames needs `live-clip`; a storm needs a link with a rate.',
    cannotTell: 'Why a packet was late: one that a tunnel sent again looks lost to the browser until it comes.',
    definitions: {
      'rtp-losses': 'Growth of inbound-rtp `packetsLost`: RTP packets that did not come when they were sent first.',
      'rtp-loss':
        'The same as a share of those and the media packets received (`packetsReceived` without `retransmittedPacketsReceived`).',
      nacks: 'Growth of `nackCount`: requests for retransmission that the browser sent.',
      retransmissions:
        'Packets that the sender sent again because the browser asked for them. ' +
        'The counter `retransmittedPacketsReceived` also counts padding, so it is not used.',
      'spurious-retransmissions':
        'Number of retransmissions minus number of lost packets (media packets and retransmissions), at least 0: the browser asked for packets that were only late.',
      'key-frames-asked': 'Growth of `pliCount` and `firCount`: key frames that the browser asked for.',
      'key-frames-sent': 'Key frames that the sender encoded in the window.',
      'key-frame-size': 'Mean size of those, RTP payload.',
      'key-frame-storm':
        'Key frames less than 2 s after the one before, while the sender, or its tunnel, sent more than the link carries.',
    },
  },
  quantities: [
    { id: 'rtp-losses', title: 'RTP packets lost', unit: '', better: 'lower' },
    { id: 'rtp-loss', title: 'RTP packets lost, share', unit: 'ratio', better: 'lower' },
    { id: 'nacks', title: 'Requests for retransmission', unit: '', better: 'lower' },
    { id: 'retransmissions', title: 'Retransmissions', unit: '', better: 'lower' },
    { id: 'spurious-retransmissions', title: 'Retransmissions without a loss', unit: '', better: 'lower' },
    { id: 'key-frames-asked', title: 'Key frames asked for', unit: '', better: 'lower' },
    { id: 'key-frames-sent', title: 'Key frames sent', unit: '', better: 'lower' },
    { id: 'key-frame-size', title: 'Size of a key frame, mean', unit: 'bytes', better: null },
    { id: 'key-frame-storm', title: 'Key frames in a storm', unit: '', better: 'lower' },
  ],
  async compute(record) {
    const { startMs, endMs } = record.window;
    // the window begins and ends between two readings, but a count of packets has to be a whole number
    const of = async (name: string) => {
      const grown = growth(await inboundCounter(record, name), record.window);
      return grown === null ? null : Math.round(grown);
    };
    const [lost, received, nacks, again, lossIndications, intraRequests] = await Promise.all(
      ['packetsLost', 'packetsReceived', 'nackCount', 'retransmittedPacketsReceived', 'pliCount', 'firCount'].map(of),
    );
    const asked = [lossIndications, intraRequests].filter(value => value !== null && value !== undefined);
    const all = await keyFramesOf(record);
    const keys = all.filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs);
    const sizes = keys.flatMap(({ bytes }) => bytes ?? []);
    const resent = await resentPackets(record);
    const media = received === null ? null : received! - (again ?? 0);
    return {
      'rtp-losses': lost!,
      'rtp-loss': lost === null || media === null || lost! + media <= 0 ? null : Math.max(0, lost! / (lost! + media)),
      nacks: nacks!,
      retransmissions: resent?.sent ?? null,
      'spurious-retransmissions': resent === null ? null : Math.max(0, resent.sent - resent.lost),
      'key-frames-asked': asked.length === 0 ? null : asked.reduce((sum, value) => sum + value, 0),
      'key-frames-sent': all.length === 0 ? null : keys.length,
      'key-frame-size': mean(sizes) ?? null,
      'key-frame-storm': await stormKeyFrames(record),
    };
  },
};
