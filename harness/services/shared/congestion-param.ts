/** Parameters of services for the congestion control of the server. */
import { choice, text } from '../../../core/schema/schema.ts';
import { bbr3Name } from '../../../shaper/bbr3/loader.ts';
import { type Bbr3Budget, bbr3Budgets } from '../../../shaper/bbr3/telemetry.ts';
import { usableCongestionControl } from './congestion-control.ts';

export type CongestionParams = { congestionControl: string; bbr3Budget: Bbr3Budget };

/** Returns the entries of a parameter schema. `standard`: default congestion control. */
export function congestionParams(standard: string) {
  return {
    congestionControl: text()
      .default(standard)
      .describe(
        'TCP congestion control of the server: a name of the kernel, `bbr3` (BBRv3 of this repository, loaded for ' +
          'the run) or `bbr3-kernel` (the BBRv3 of a kernel that has one).',
      ),
    bbr3Budget: choice(bbr3Budgets)
      .default('draft')
      .describe(
        'How `bbr3` counts a bandwidth-delay product (BDP) of a few packets. ' +
          '`draft`: it probes after as many rounds as the BDP has packets. ' +
          '`kernel`: it adds the room for bursts, as the kernel of Google does. ' +
          'All applications of a trial need the same value.',
      ),
  };
}

/** Returns the BBRv3 budget that the parameters need; null if they need no BBRv3. */
export function neededBbr3({ congestionControl, bbr3Budget }: CongestionParams): Bbr3Budget | null {
  return congestionControl === bbr3Name ? bbr3Budget : null;
}

/** Throws `missing-congestion-control` if this machine does not have the congestion control. */
export async function checkCongestionControl(asked: string): Promise<void> {
  await usableCongestionControl(asked);
}
