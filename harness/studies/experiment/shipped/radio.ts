/**
 * Study of four senders on twelve links of generators (docs/links.md), whose rates are scaled to what one video needs.
 * Cable has two queues of the way down: a deep FIFO, and PIE.
 */
import { type ConditionDefinition, defineExperiment } from '../../../definition/define.ts';
import type { LinkDefinition } from '../../../definition/link.ts';

type Queue = NonNullable<LinkDefinition['queue']>;

const deep: Queue = { limit: '250ms' };
const managed: Queue = { limit: '250ms', aqm: 'pie' };

type Case = { title: string; make: string; seed?: number; times: number; queue?: Queue };

/** Links with the factors that bring their mean or median rates to 5 to 6 Mbit/s. */
const cases: Record<string, Case> = {
  'wifi-1': { title: 'Wi-Fi', make: 'wifi', times: 0.05 },
  'wifi-2': { title: 'Wi-Fi, other seed', make: 'wifi', seed: 2, times: 0.05 },
  'lte-1': { title: 'LTE', make: 'lte', times: 0.2 },
  'lte-2': { title: 'LTE, other seed', make: 'lte', seed: 2, times: 0.2 },
  'mid-band-1': { title: '5G mid-band', make: '5g-mid-band', times: 0.02 },
  'mid-band-2': { title: '5G mid-band, other seed', make: '5g-mid-band', seed: 2, times: 0.02 },
  mmwave: { title: '5G mmWave', make: '5g-mmwave', times: 0.006 },
  'leo-1': { title: 'satellite', make: 'leo', times: 0.04 },
  'leo-2': { title: 'satellite, other seed', make: 'leo', seed: 2, times: 0.04 },
  dsl: { title: 'DSL', make: 'dsl', times: 0.35 },
  'cable-fifo': { title: 'cable without AQM', make: 'cable', times: 0.06, queue: deep },
  'cable-pie': { title: 'cable with PIE', make: 'cable', times: 0.06, queue: managed },
};

/** Both directions have the delays of the generator; the way up keeps its rate, so that feedback is no bottleneck. */
function linkOf({ make, seed = 1, times, queue = deep }: Case) {
  const trace = { make, seed, length: '2min', startAt: 'seeded' } as const;
  return {
    rate: '6mbit',
    queue,
    trace: { ...trace, times },
    up: { rate: '6mbit', queue: { limit: '250ms' }, trace },
  } satisfies LinkDefinition;
}

const video = {
  clip: 'high-motion',
  clipLength: '15s',
  width: 1280,
  height: 720,
  frameRate: 30,
  startBitrate: '1mbit',
  minBitrate: '150kbit',
  maxBitrate: '8mbit',
};
/** Senders in full, since a service inherits no parameters from another service. */
const senders = {
  gcc: { title: 'GCC', service: { id: 'live-clip', ...video, controller: { id: 'gcc' } } },
  chromium: { title: 'Chromium', service: { id: 'chromium-call', ...video } },
  scream: { title: 'SCReAMv2', service: { id: 'live-clip', ...video, controller: { id: 'scream-v2' } } },
  copa: { title: 'Copa', service: { id: 'live-clip', ...video, controller: { id: 'copa' } } },
};

const conditions: Record<string, ConditionDefinition> = Object.fromEntries(
  Object.entries(cases).flatMap(([id, one]) =>
    Object.entries(senders).map(([sender, { title, service }]) => [
      `${id}-${sender}`,
      { title: `${title}, ${one.title}`, link: linkOf(one), service },
    ]),
  ),
);

const vidaptive = 'Karimi et al., "Vidaptive", arXiv 2309.16869, abstract: 57 % and 2.2 s less than GCC';

export default defineExperiment({
  title: 'Senders on radio, satellite and wired links',
  question: 'What do delay spikes, fading rates, handovers and deep queues do to the frames of each sender?',
  source: 'own; the links are those of the generators',

  link: linkOf(cases['lte-1']!),
  service: senders.gcc.service,
  flood: { id: 'none' },
  conditions,
  baseline: 'lte-1-gcc',

  run: { window: '30s', startUp: '10s', repeats: 6 },

  claims: [
    {
      text: "On links of mobile networks the 95th percentile of GCC's frame latency is seconds, not milliseconds.",
      source: vidaptive,
      holds: ['lte-1-gcc', 'lte-2-gcc'].map(condition => ({
        metric: 'frame-latency-p95',
        condition,
        above: '1s' as const,
      })),
    },
    {
      text: "On links of mobile networks Copa's 95th percentile of the frame latency is lower than GCC's.",
      source: vidaptive,
      holds: ['lte-1', 'lte-2'].map(link => ({
        metric: 'frame-latency-p95',
        condition: `${link}-copa`,
        than: `${link}-gcc`,
        expects: 'lower' as const,
      })),
    },
    {
      text: 'On a cable link with AQM frames come sooner than without.',
      source:
        'Flickinger et al., "Improving latency with active queue management (AQM) during COVID-19", arXiv 2107.13968: ' +
        '15 to 30 ms of latency under load in place of 250 ms',
      holds: ['gcc', 'scream', 'copa'].map(sender => ({
        metric: 'frame-latency-p95',
        condition: `cable-pie-${sender}`,
        than: `cable-fifo-${sender}`,
        expects: 'not-higher' as const,
      })),
    },
  ],
});
