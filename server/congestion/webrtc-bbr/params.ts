/** What may be set of WebRTC-BBR. Every default is what the 2018 code did where nothing was configured. */
import { choice, duration, integer, object, z } from '../../../core/schema.ts';
import { segmentBytes } from './congestion-window.ts';

/** 100 000 packets: more than any path here holds. */
const mostBytes = 100_000 * segmentBytes;

export const params = object({
  minRttExpiry: duration({ min: 1000, max: 60e3 }).default(10e3)
    .describe('Age at which the lowest round trip has to be measured again. Drucker et al., change 1: "5s".'),
  probeRttWindow: choice(['minimum', 'bdp']).default('minimum')
    .describe('Congestion window while the round trip is measured: the lowest one, or probeRttGain times the bandwidth-delay product (change 1).'),
  probeRttGain: z.number().min(0.1).max(1).default(0.75).describe('Share of the bandwidth-delay product for probeRttWindow "bdp". Change 1: 0.5.'),
  similarRtt: choice(['off', 'if-app-limited', 'always']).default('off')
    .describe('When a round trip within 12.5 % of the lowest one spares the measurement: "off" as the code did, "if-app-limited" as it meant to '
      + '(with appLimit "inferred"), "always" as Drucker et al. describe it.'),
  probeRttIfAppLimited: choice(['probe', 'skip']).default('probe')
    .describe('"skip": no measurement after an application-limited phase (with appLimit "inferred").'),
  bandwidth: choice(['best', 'third-best']).default('best').describe('Which of the filter\'s three samples is the estimate. Change 2: "third-best".'),
  filter: choice(['replace-all', 'replace-one']).default('replace-all')
    .describe('What a new sample does to those it beats: replaces them all, or pushes each one place down (change 3).'),
  recovery: choice(['on', 'off']).default('on').describe('The window of its own after losses. Drucker et al., section VII-B: "off".'),
  startupRecovery: choice(['conservation', 'medium-growth', 'growth', 'none']).default('conservation').describe('Recovery state after a first loss in STARTUP.'),
  exitStartupOnLoss: z.boolean().default(true).describe('Whether STARTUP ends at a round that finds the sender in recovery and the bandwidth not grown.'),
  exitStartupRtt: duration({ min: 1, max: 10e3 }).optional()
    .describe('Rise of the round trip above the lowest one that ends STARTUP; without it there is no such end.'),
  startupRounds: integer({ min: 1, max: 20 }).default(3).describe('Rounds without growth by a quarter that end STARTUP.'),
  newFlight: choice(['never', 'restart']).default('never')
    .describe('Whether the first packet of a new flight starts a new bandwidth measurement: the code meant to, but counted that packet as in flight already.'),
  appLimit: choice(['never', 'inferred']).default('never')
    .describe('Whether samples are marked as limited by the application, outside of PROBE_RTT: nothing in the code called that. '
      + '"inferred" tells it from sending times.'),
  probeGain: z.number().min(0.01).max(0.9).default(0.25).describe('What PROBE_BW adds to the pacing gain of 1 for a round trip, and takes from it in the next.'),
  encoderGain: z.number().min(0.1).max(1).default(1).describe('Target rate over bandwidth. libwebrtc\'s own tuning test has 0.8.'),
  encoderGainInProbeRtt: z.number().min(0.1).max(1).default(1).describe('The same in PROBE_RTT.'),
  target: choice(['bandwidth', 'pacing']).default('bandwidth').describe('What the target rate is taken from.'),
  pacingCeiling: choice(['none', 'media']).default('none')
    .describe('"none": pacing and padding go as far as the bandwidth does. "media": never above what the media can use, as where an application sets a maximum.'),
  initialWindow: integer({ min: 1, max: mostBytes }).default(32 * segmentBytes)
    .describe('First congestion window, bytes. April 2018: 7500; libwebrtc\'s tuning test: 8000.'),
  minWindow: integer({ min: 1, max: mostBytes }).default(4 * segmentBytes).describe('Lowest congestion window, bytes. April 2018: 1000.'),
  maxWindow: integer({ min: 1, max: mostBytes }).default(2000 * segmentBytes).describe('Highest congestion window, bytes. April 2018: 625000.'),
  cycleSeed: integer({ min: 0, max: 2 ** 31 - 1 }).default(10).describe('Seed for the phases in which PROBE_BW begins.'),
});

export type WebrtcBbrParams = z.output<typeof params>;

/** The parameters that are not as the 2018 code had them, as "name=value ..."; "stock" where all are. */
export function variantOf(given: WebrtcBbrParams): string {
  const stock: Record<string, unknown> = params.parse({});
  const changed = Object.entries(given).filter(([name, value]) => value !== stock[name]);
  return changed.length === 0 ? 'stock' : changed.map(([name, value]) => `${name}=${String(value)}`).join(' ');
}
