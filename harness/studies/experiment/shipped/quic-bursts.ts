/**
 * Study of WebRTC inside a QUIC tunnel on a link that loses packets in bursts, compared with random loss of the same
 * ratio.
 */
import { type ConditionDefinition, defineExperiment } from '../../../definition/define.ts';
import { asGood, carriers, datagrams, service, streams } from './quic-capacity.ts';

/**
 * Loss models. Each loses 1 % of the packets. In the Gilbert-Elliott models a burst has 1 / toGood packets on average,
 * and toBad / (toBad + toGood) of all packets are in a burst.
 */
const losses = {
  single: { title: 'single losses', loss: '1%' },
  'bursts-5': { title: 'bursts of 5', loss: { toBad: '0.202%', toGood: '20%' } },
  'bursts-20': { title: 'bursts of 20', loss: { toBad: '0.0505%', toGood: '5%' } },
} as const;

const paper =
  "Baldassin, Urvoy-Keller and Lopez Pacheco, Sur l'interaction entre les algorithmes de congestion de WebRTC et " +
  'QUIC, section 4.2, of losses at random';

const conditions: Record<string, ConditionDefinition> = Object.fromEntries(
  Object.entries(carriers).flatMap(([carrier, change]) =>
    Object.entries(losses).map(([kind, { title, loss }]) => [
      `${carrier}-${kind}`,
      { ...change, title: `${change.title}, ${title}`, link: { loss } },
    ]),
  ),
);

export default defineExperiment({
  title: 'WebRTC inside QUIC with losses in bursts',
  question: 'Do bursts of loss reach the viewer through datagrams and streams otherwise than single losses?',
  source: 'own',

  link: { rate: '2500kbit', rtt: '20ms', queue: { limit: '125kB' } },
  service,
  conditions,
  baseline: 'udp-single',

  // Bursts of 20 packets come about every 2000 packets. At about 200 packets a second only a window of this length has
  // several bursts.
  run: { window: '40s', startUp: '10s', repeats: 6 },

  claims: Object.entries(losses).flatMap(([kind, { title }]) => [
    {
      text: `With ${title}, stream mode hides every loss from WebRTC, whatever the congestion control.`,
      source: paper,
      holds: streams.map(carrier => ({
        metric: 'rtp-loss',
        condition: `${carrier}-${kind}`,
        below: '0.1%' as const,
      })),
    },
    {
      text: `With ${title}, any congestion control will do in datagram mode: the viewer gets no less than over UDP.`,
      source: paper,
      holds: datagrams.flatMap(carrier => asGood(`${carrier}-${kind}`, `udp-${kind}`)),
    },
  ]),
});
