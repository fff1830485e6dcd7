/** Capability of the doctor from the result of an attempt. */

import { messageOf } from '../../core/errors.ts';
import type { Capability } from '../../core/system/capability.ts';

export type Need = Pick<Capability, 'id' | 'title' | 'required' | 'cost' | 'mend'>;

/** Returns the need with the result of `attempt`, or with the first line of its error. */
export async function tried(need: Need, attempt: () => Promise<string>): Promise<Capability> {
  try {
    return { ...need, works: true, found: await attempt() };
  } catch (error) {
    return { ...need, works: false, found: messageOf(error).split('\n')[0]! };
  }
}
