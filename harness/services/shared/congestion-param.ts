/** The congestion control of a service's server, as parameters. */
import { choice, text } from '../../../core/schema.ts';
import { bbr3Name } from '../../../shaper/bbr3/loader.ts';
import { bbr3Budgets } from '../../../shaper/bbr3/telemetry.ts';
import type { Bbr3Budget } from '../../../shaper/bbr3/telemetry.ts';
import { usableCongestionControl } from './congestion-control.ts';

export type CongestionParams = { congestionControl: string; bbr3Budget: Bbr3Budget };

/** Of a schema; `standard` is the congestion control where none is said. */
export function congestionParams(standard: string) {
  return {
    congestionControl: text().default(standard).describe('TCP congestion control of the server: the kernel\'s name, "bbr3" (loaded by us) or "bbr3-kernel" (a kernel\'s own BBRv3).'),
    bbr3Budget: choice(bbr3Budgets).default('draft')
      .describe('What "bbr3" reckons with where the BDP is a few packets: "draft" probes after as many rounds as the BDP has packets; '
        + '"kernel" counts the room for bursts, too, as Google\'s kernel. Applications that run at once need the same.'),
  };
}

/** The budget with which BBRv3 has to be in the kernel; null where it is not needed. */
export function neededBbr3({ congestionControl, bbr3Budget }: CongestionParams): Bbr3Budget | null {
  return congestionControl === bbr3Name ? bbr3Budget : null;
}

/** Throws `missing-congestion-control` where this machine has none such. */
export async function checkCongestionControl(asked: string): Promise<void> {
  await usableCongestionControl(asked);
}
