/** Congestion controls that a flood can use on this machine. */
import { messageOf } from '../../core/errors.ts';
import type { Service } from '../services/bound-service.ts';
import { kernelBbr3, labelSocket, titleOfKernelBbr3 } from '../services/shared/congestion-control.ts';

export type FloodKind = {
  /** Name of the congestion control in a definition. */
  name: string;
  label: string;
  /** Reason why this machine does not have the congestion control; null if it has it. */
  obstacle: string | null;
};

const usual = ['bbr3', 'bbr', 'cubic', 'reno'];

/**
 * Returns the label of a congestion control. If the kernel's BBR is BBRv3, the label distinguishes the kernel's BBRv3
 * from the BBRv3 that Coexist loads.
 */
async function labelOfKind(name: string): Promise<string> {
  if (name === kernelBbr3) return titleOfKernelBbr3;
  const { label } = await labelSocket(name, undefined);
  return name === 'bbr' && label === 'BBRv3' ? titleOfKernelBbr3 : label;
}

/**
 * Checks each congestion control in the same way as a study. `first`: congestion control that is included even if it is
 * not a usual one.
 */
export function findFloodKinds(floods: Pick<Service, 'bind'>, first: string | null): Promise<FloodKind[]> {
  const names = [...new Set([...usual, ...(first === null ? [] : [first])])];
  return Promise.all(
    names.map(async name => {
      const flood = floods.bind({ congestionControl: name }, 'flood');
      const obstacle = await flood.check(true).then(() => null, messageOf);
      return { name, label: await labelOfKind(name), obstacle };
    }),
  );
}
