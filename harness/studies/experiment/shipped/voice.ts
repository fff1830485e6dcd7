/**
 * Study of what protects a voice: in-band FEC and redundant audio under single losses and bursts, and beside one TCP
 * flow that fills a deep queue.
 */
import { defineExperiment } from '../../../definition/define.ts';

/** Ways to protect the voice. */
const protections = {
  plain: { title: 'plain', fec: false, red: 0 },
  fec: { title: 'in-band FEC', fec: true, red: 0 },
  red1: { title: 'RED of one frame', fec: false, red: 1 },
  red2: { title: 'RED of two frames', fec: false, red: 2 },
} as const;
type Protection = keyof typeof protections;

/** Share of packets that are lost in bursts, and in single losses. */
const burstRatio = 0.05;
/** Losses in bursts of a mean length, packets: in the bad state every packet is lost, in the good state none. */
const bursts = (packets: number) => {
  const toGood = 1 / packets;
  const toBad = (toGood * burstRatio) / (1 - burstRatio);
  return { toBad: `${(100 * toBad).toFixed(3)}%`, toGood: `${(100 * toGood).toFixed(3)}%`, bad: '100%', good: '0%' };
};

/** Losses of the link. */
const losses = {
  none: { title: 'no loss', loss: '0%' },
  single2: { title: '2 % lost', loss: '2%' },
  single5: { title: '5 % lost', loss: '5%' },
  single10: { title: '10 % lost', loss: '10%' },
  bursts3: { title: '5 % lost in bursts of 3', loss: bursts(3) },
  bursts5: { title: '5 % lost in bursts of 5', loss: bursts(5) },
} as const;
type Loss = keyof typeof losses;

const floods = {
  cubic: { title: 'CUBIC', id: 'iperf', congestionControl: 'cubic' },
  bbr3: { title: 'BBRv3', id: 'iperf', congestionControl: 'bbr3' },
} as const;
type Flood = keyof typeof floods;

const at = (loss: Loss | Flood, protection: Protection) => `${loss}-${protection}`;
const protectionNames = Object.keys(protections) as Protection[];
const helpers = protectionNames.filter(protection => protection !== 'plain');
/** Protections that are tried beside floods: that of browsers, and the strongest. */
const besideFloods: readonly Protection[] = ['fec', 'red2'];

const voiceOf = ({ fec, red }: { fec: boolean; red: number }) => ({ fec, red });

export default defineExperiment({
  title: 'A voice under loss and beside floods, with in-band FEC and redundant audio',
  question: 'What protects a voice of 32 kbit/s against single losses, bursts and a full queue?',
  source: 'RFC 6716, section 2.1.7; RFC 2198; rtcbits, "Red: improving audio quality with redundancy" (2024)',

  link: { rate: '2mbit', rtt: '40ms', queue: { limit: '1s' } },
  service: { id: 'voice', bitrate: '32kbit' },
  flood: { id: 'none' },

  conditions: Object.fromEntries([
    ...(Object.keys(losses) as Loss[]).flatMap(loss =>
      protectionNames.map(protection => [
        at(loss, protection),
        {
          title: `${losses[loss].title}, ${protections[protection].title}`,
          link: { loss: losses[loss].loss },
          service: voiceOf(protections[protection]),
        },
      ]),
    ),
    ...(Object.keys(floods) as Flood[]).flatMap(flood =>
      besideFloods.map(protection => {
        const { title, ...parameters } = floods[flood];
        return [
          at(flood, protection),
          {
            title: `beside ${title}, ${protections[protection].title}`,
            flood: parameters,
            service: voiceOf(protections[protection]),
          },
        ];
      }),
    ),
  ]),
  baseline: at('none', 'plain'),

  claims: [
    {
      text: 'A link without loss conceals at most 0.1 % of a voice.',
      holds: protectionNames.map(protection => ({
        metric: 'voice-concealed',
        condition: at('none', protection),
        below: '0.1%' as const,
      })),
    },
    {
      text: 'In-band FEC and RED help against single losses: less of the voice is concealed.',
      source: 'RFC 6716, section 2.1.7; RFC 2198, section 1',
      holds: helpers.map(protection => ({
        metric: 'voice-concealed',
        condition: at('single5', protection),
        than: at('single5', 'plain'),
        expects: 'lower' as const,
      })),
    },
    {
      text: 'In-band FEC and short RED do not help against bursts of 5: the time in interruptions is no shorter.',
      source: 'rtcbits (2024)',
      holds: helpers.map(protection => ({
        metric: 'voice-interruption-time',
        condition: at('bursts5', protection),
        than: at('bursts5', 'plain'),
        expects: 'not-lower' as const,
      })),
    },
    {
      text: 'One CUBIC flow in a deep FIFO costs the voice more than 3 % of its packets.',
      holds: besideFloods.map(protection => ({
        metric: 'voice-loss',
        condition: at('cubic', protection),
        above: '3%' as const,
      })),
    },
  ],

  run: { window: '60s', startUp: '5s', repeats: 6, parallel: 2 },
});
