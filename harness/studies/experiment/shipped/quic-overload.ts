/** Study of a media stream in QUIC streams on a slow link with a deep queue, by congestion control of the tunnel. */
import { type ConditionDefinition, defineExperiment } from '../../../definition/define.ts';

/**
 * Congestion controls of noq and Coexist, and plain UDP. Conditions change only the congestion control, so that `--set
 * tunnel.mode=datagram` holds for all of them.
 */
export const controls: Record<string, ConditionDefinition> = {
  cubic: { title: "noq's CUBIC", tunnel: { congestionControl: 'cubic' } },
  newreno: { title: "noq's NewReno", tunnel: { congestionControl: 'newreno' } },
  copa: { title: 'Copa', tunnel: { congestionControl: 'copa' } },
  bbr3: { title: "noq's BBRv3, as shipped", tunnel: { congestionControl: 'bbr3' } },
  'bbr3-paced': { title: "noq's BBRv3, paced", tunnel: { congestionControl: 'bbr3-paced' } },
  c4: { title: 'C4', tunnel: { congestionControl: 'c4' } },
  udp: { title: 'UDP, no tunnel', tunnel: { id: 'none' } },
};

/** Both BBRv3, for claims that are made of BBR. */
export const bothBbr3 = ['bbr3', 'bbr3-paced'];
const titles = { bbr3: 'BBRv3 as noq ships it', 'bbr3-paced': 'paced BBRv3' } as Record<string, string>;
export const titleOf = (condition: string): string => titles[condition]!;

const source = 'moq-dev/moq#2432, comment of 2026-07-24';

export default defineExperiment({
  title: 'A stream of up to 10 Mbit/s in QUIC on 5 Mbit/s with a queue of 500 ms',
  question: 'Which congestion control of a QUIC connection uses a slow link without filling its deep queue?',
  source,

  link: { rate: '5mbit', rtt: '100ms', queue: { limit: '500ms' } },
  service: {
    id: 'live-clip',
    clip: 'bigbuckbunny',
    width: 1280,
    height: 720,
    frameRate: 30,
    startBitrate: '2mbit',
    maxBitrate: '10mbit',
    controller: { id: 'gcc' },
  },
  tunnel: { id: 'quic', mode: 'stream' },
  conditions: controls,
  baseline: 'cubic',

  // GCC needs about 20 s for 5 Mbit/s on this path
  run: { window: '25s', startUp: '20s', repeats: 6 },

  claims: [
    {
      text: 'Under CUBIC the round trip is closer to the 500 ms of the queue than to the 100 ms of the path.',
      source,
      holds: [{ metric: 'tunnel-rtt', condition: 'cubic', above: '300ms' }],
    },
    ...bothBbr3.map(condition => ({
      text: `Under ${titleOf(condition)} the stream gets nearly all of the 5 Mbit/s at a round trip near 100 ms.`,
      source,
      holds: [
        { metric: 'goodput', condition, above: '4mbit' as const },
        { metric: 'tunnel-rtt', condition, below: '150ms' as const },
      ],
    })),
    ...[...bothBbr3, 'copa', 'c4'].map(condition => ({
      text: `The viewer sees frames sooner under ${controls[condition]!.title} than under CUBIC, and no more stalls.`,
      source: `own; what ${source} expects of a good congestion control`,
      holds: [
        { metric: 'frame-latency-p95', condition, than: 'cubic', expects: 'lower' as const, by: '15%' as const },
        { metric: 'stall-time', condition, than: 'cubic', expects: 'not-higher' as const, within: '1s' as const },
      ],
    })),
  ],

  reference: {
    title: 'moq-dev/moq#2432',
    note: 'What its author expects; no numbers were published with it.',
    deviations:
      'The stream is WebRTC inside QUIC streams, not MoQ, and its sender adapts by GCC: it rarely sends more than the ' +
      'link carries. The study quic-excess has a source that does not adapt.',
    values: {},
  },
});
