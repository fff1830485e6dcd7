/** The congestion controls that a flood may have on this machine. */
import { messageOf } from '../../core/errors.ts';
import type { Service } from '../services/bound-service.ts';
import { kernelBbr3, labelSocket, titleOfKernelBbr3 } from '../services/shared/congestion-control.ts';

export type FloodKind = {
  /** What a definition calls it. */
  name: string;
  label: string;
  /** Why this machine has it not; null where it has. */
  obstacle: string | null;
};

const usual = ['bbr3', 'bbr', 'cubic', 'reno'];

/** Where the kernel's own BBR is BBRv3, its label tells it from the BBRv3 that Coexist loads. */
async function labelOfKind(name: string): Promise<string> {
  if (name === kernelBbr3) return titleOfKernelBbr3;
  const { label } = await labelSocket(name, undefined);
  return name === 'bbr' && label === 'BBRv3' ? titleOfKernelBbr3 : label;
}

/** Each kind is tried as a study would; `first` is offered, too, where it is none of the usual ones. */
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
