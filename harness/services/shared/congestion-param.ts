/** The congestion control of a service's server, as a parameter. */
import { text } from '../../../core/schema.ts';
import { usableCongestionControl } from './congestion-control.ts';

export function congestionControl(standard: string) {
  return text().default(standard).describe('TCP congestion control of the server: the kernel\'s name, "bbr3" (loaded by us) or "bbr3-kernel" (a kernel\'s own BBRv3).');
}

/** Throws `missing-congestion-control` where this machine has none such. */
export async function checkCongestionControl(asked: string): Promise<void> {
  await usableCongestionControl(asked);
}
