/** Study of WebRTC inside a QUIC tunnel, with senders that the paper did not use. */
import { defineExperiment } from '../../../definition/define.ts';
import { asGood, breaking, broken, carriers, datagrams, deviations, service } from './quic-capacity.ts';

const controllers = ['gcc', 'copa', 'webrtc-bbr'];
const paper = 'Baldassin et al., section 4.3';
const at = (carrier: string, controller: string) => `${carrier}-id-${controller}`;

export default defineExperiment({
  title: 'WebRTC inside QUIC under GCC, a Copa-like controller and WebRTC-BBR',
  question: "Does what the paper found under its own sender hold under the controllers of Chromium's kind, too?",
  source:
    "own; the link of Baldassin, Urvoy-Keller and Lopez Pacheco, Sur l'interaction entre les algorithmes de " +
    'congestion de WebRTC et QUIC, section 4.3',

  link: { rate: '2500kbit', rtt: '50ms', queue: { limit: '125kB' }, loss: '0.5%' },
  service,
  conditions: carriers,
  baseline: 'udp',
  vary: { 'service.controller.id': controllers },

  run: { window: '15s', startUp: '10s', repeats: 6 },

  claims: controllers.flatMap(controller => [
    {
      text: `Under ${controller}, any congestion control will do in datagram mode: the viewer gets no less than over UDP.`,
      source: paper,
      holds: datagrams.flatMap(carrier => asGood(at(carrier, controller), at('udp', controller))),
    },
    {
      text: `Under ${controller}, NewReno, CUBIC and BBR break the flow of video in stream mode, while Copa does not.`,
      source: paper,
      holds: [
        ...breaking.map(carrier => broken(at(carrier, controller), at('udp', controller))),
        ...asGood(at('stream-copa', controller), at('udp', controller)),
      ],
    },
  ]),

  reference: {
    title: 'Paper',
    note: 'It had one sender, with a controller that borrows from Copa. Its two findings at this latency are judged for each of ours.',
    deviations,
    values: {},
  },
});
