/** Study of a call with voice and picture in one connection, beside one TCP flow, over three queues. */
import { defineExperiment } from '../../../definition/define.ts';
import type { LinkDefinition } from '../../../definition/link.ts';

const floods = {
  cubic: { title: 'CUBIC', id: 'iperf', congestionControl: 'cubic' },
  bbr3: { title: 'BBRv3', id: 'iperf', congestionControl: 'bbr3' },
} as const;
type Flood = keyof typeof floods;

const queues = {
  fifo: { title: 'FIFO', queue: { limit: '500ms' } },
  codel: { title: 'CoDel', queue: { limit: '500ms', aqm: 'codel' } },
  'fq-codel': { title: 'FQ-CoDel', queue: { limit: '500ms', aqm: 'fq-codel' } },
} as const satisfies Record<string, { title: string; queue: LinkDefinition['queue'] }>;
type Queue = keyof typeof queues;

const floodNames = Object.keys(floods) as Flood[];
const queueNames = Object.keys(queues) as Queue[];
const at = (queue: Queue, flood: Flood) => `${queue}-${flood}`;

export default defineExperiment({
  title: 'A call with voice and picture beside floods, over three queues',
  question: 'What does a flood do to the voice of a call, to its picture, and to the sync of the two?',
  source: 'RFC 8867, section 6.2; ITU-T G.114 (05/2003); ITU-R BT.1359-1 (1998)',

  link: { rate: '5mbit', rtt: '40ms', queue: queues.fifo.queue },
  service: {
    id: 'live-clip',
    clip: 'high-motion',
    width: 640,
    height: 360,
    frameRate: 30,
    maxBitrate: '2mbit',
    controller: { id: 'gcc' },
    audio: { bitrate: '32kbit' },
  },
  flood: { id: 'none' },

  conditions: Object.fromEntries([
    ['alone', { title: 'Alone' }],
    ...queueNames.flatMap(queue =>
      floodNames.map(flood => {
        const { title, ...parameters } = floods[flood];
        return [
          at(queue, flood),
          { title: `Beside ${title}, ${queues[queue].title}`, link: { queue: queues[queue].queue }, flood: parameters },
        ];
      }),
    ),
  ]),
  baseline: 'alone',

  claims: [
    {
      text: 'In a deep FIFO beside CUBIC the voice takes more than 150 ms from mouth to ear.',
      source: 'ITU-T G.114: up to 150 ms most conversations are not affected',
      holds: [{ metric: 'mouth-to-ear-median', condition: at('fifo', 'cubic'), above: '150ms' }],
    },
    {
      text: 'Flow queues keep the voice below 150 ms.',
      source: 'RFC 8290, section 1',
      holds: floodNames.map(flood => ({
        metric: 'mouth-to-ear-p95',
        condition: at('fq-codel', flood),
        below: '150ms' as const,
      })),
    },
    {
      text: 'Flow queues keep the voice whole: no more of it is in gaps than alone.',
      source: 'RFC 8290, section 1',
      holds: floodNames.map(flood => ({
        metric: 'voice-gap-share',
        condition: at('fq-codel', flood),
        than: 'alone',
        expects: 'not-higher' as const,
      })),
    },
  ],

  run: { window: '40s', startUp: '10s', repeats: 6 },
});
