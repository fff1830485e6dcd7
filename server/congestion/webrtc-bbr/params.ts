/** Parameters of WebRTC-BBR. The defaults are the behaviour of the 2018 code without configuration. */
import { choice, duration, integer, object, z } from '../../../core/schema/schema.ts';
import { segmentBytes } from './congestion-window.ts';

/** Highest value of a window parameter: 100 000 packets, more than any path in this project holds. */
const mostBytes = 100_000 * segmentBytes;

export const params = object({
  minRttExpiry: duration({ min: 1000, max: 60e3 })
    .default(10e3)
    .describe('Age at which the minimum round-trip time is measured again. Drucker et al., change 1: `5s`.'),
  probeRttWindow: choice(['minimum', 'bdp'])
    .default('minimum')
    .describe(
      'Congestion window in PROBE_RTT: the minimum window, or `probeRttGain` times the bandwidth-delay product (change 1).',
    ),
  probeRttGain: z
    .number()
    .min(0.1)
    .max(1)
    .default(0.75)
    .describe('Share of the bandwidth-delay product, for `probeRttWindow` `bdp`. Change 1: 0.5.'),
  similarRtt: choice(['off', 'if-app-limited', 'always'])
    .default('off')
    .describe(
      'When a round-trip time within 12.5 % of the minimum makes PROBE_RTT unnecessary. ' +
        '`off`: never, as the code did. `if-app-limited`: as the code intended (with `appLimit` `inferred`). ' +
        '`always`: as Drucker et al. describe it.',
    ),
  probeRttIfAppLimited: choice(['probe', 'skip'])
    .default('probe')
    .describe('`skip`: no PROBE_RTT after an application-limited phase (with `appLimit` `inferred`).'),
  bandwidth: choice(['best', 'third-best'])
    .default('best')
    .describe('Which of the three samples of the bandwidth filter is the estimate. Change 2: `third-best`.'),
  filter: choice(['replace-all', 'replace-one'])
    .default('replace-all')
    .describe(
      'What a new sample does to the smaller samples in the filter: replaces all of them, or moves each one place down (change 3).',
    ),
  recovery: choice(['on', 'off'])
    .default('on')
    .describe('Separate recovery window after losses. Drucker et al., section VII-B: `off`.'),
  startupRecovery: choice(['conservation', 'medium-growth', 'growth', 'none'])
    .default('conservation')
    .describe('Recovery state after the first loss in STARTUP.'),
  exitStartupOnLoss: z
    .boolean()
    .default(true)
    .describe('Whether STARTUP ends in a round in which the sender is in recovery and the bandwidth has not grown.'),
  exitStartupRtt: duration({ min: 1, max: 10e3 })
    .optional()
    .describe(
      'Increase of the round-trip time above its minimum that ends STARTUP. Without it, STARTUP does not end for this reason.',
    ),
  startupRounds: integer({ min: 1, max: 20 })
    .default(3)
    .describe('Number of rounds with less than 25 % growth that end STARTUP.'),
  newFlight: choice(['never', 'restart'])
    .default('never')
    .describe(
      'Whether the first packet of a new flight starts a new bandwidth measurement (`restart`). ' +
        'The code intended this, but counted the packet as already in flight.',
    ),
  appLimit: choice(['never', 'inferred'])
    .default('never')
    .describe(
      'Whether samples outside of PROBE_RTT are marked as application-limited. Nothing in the code did that. ' +
        '`inferred` derives it from send times.',
    ),
  probeGain: z
    .number()
    .min(0.01)
    .max(0.9)
    .default(0.25)
    .describe('PROBE_BW adds this to the pacing gain of 1 for one round trip and subtracts it in the next.'),
  encoderGain: z
    .number()
    .min(0.1)
    .max(1)
    .default(1)
    .describe('Target rate divided by bandwidth. The tuning test of libwebrtc uses 0.8.'),
  encoderGainInProbeRtt: z
    .number()
    .min(0.1)
    .max(1)
    .default(1)
    .describe('Target rate divided by bandwidth in PROBE_RTT.'),
  target: choice(['bandwidth', 'pacing'])
    .default('bandwidth')
    .describe('Source of the target rate: the bandwidth estimate or the pacing rate.'),
  pacingCeiling: choice(['none', 'media'])
    .default('none')
    .describe(
      'Upper bound of pacing and padding. `none`: the bandwidth estimate. ' +
        '`media`: the maximum bitrate of the stream, as where an application sets one.',
    ),
  initialWindow: integer({ min: 1, max: mostBytes })
    .default(32 * segmentBytes)
    .describe('Initial congestion window in bytes. April 2018: 7500; tuning test of libwebrtc: 8000.'),
  minWindow: integer({ min: 1, max: mostBytes })
    .default(4 * segmentBytes)
    .describe('Minimum congestion window in bytes. April 2018: 1000.'),
  maxWindow: integer({ min: 1, max: mostBytes })
    .default(2000 * segmentBytes)
    .describe('Maximum congestion window in bytes. April 2018: 625000.'),
  cycleSeed: integer({ min: 0, max: 2 ** 31 - 1 })
    .default(10)
    .describe('Seed for the choice of the phase in which PROBE_BW begins.'),
});

export type WebrtcBbrParams = z.output<typeof params>;

/** Returns the parameters that differ from the 2018 code, as "name=value ..."; "stock" if no parameter differs. */
export function variantOf(given: WebrtcBbrParams): string {
  const stock: Record<string, unknown> = params.parse({});
  const changed = Object.entries(given).filter(([name, value]) => value !== stock[name]);
  return changed.length === 0 ? 'stock' : changed.map(([name, value]) => `${name}=${String(value)}`).join(' ');
}
