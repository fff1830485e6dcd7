/** Congestion controls that a flood can have on this machine. */
import { messageOf } from '../../core/errors.ts';
import type { Service } from '../services/bound-service.ts';
import { kernelBbr3, labelSocket, titleOfKernelBbr3 } from '../services/shared/congestion-control.ts';

export type FloodKind = {
  /** Name in a definition. */
  name: string;
  label: string;
  /** Reason why this machine does not have it; null if it has. */
  obstacle: string | null;
};

const usual = ['bbr3', 'bbr', 'cubic', 'reno'];

/**
 * Label of a congestion control. If the kernel's BBR is BBRv3, its label distinguishes it from the BBRv3 that Coexist
 * loads.
 */
async function labelOfKind(name: string): Promise<string> {
  if (name === kernelBbr3) return titleOfKernelBbr3;
  const { label } = await labelSocket(name, undefined);
  return name === 'bbr' && label === 'BBRv3' ? titleOfKernelBbr3 : label;
}

/** Checks each kind in the same way as a study. `first` is included even if it is none of the usual kinds. */
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
