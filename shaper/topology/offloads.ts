/** Which offloads of a device are on that must be off (core/system/machine-settings.ts). */
import { offloadNames } from '../../core/system/machine-settings.ts';

/** By ethtool's short names. */
export const offloads = Object.keys(offloadNames) as (keyof typeof offloadNames)[];

/** The offloads that `ethtool -k` reports as on, of those that must be off. */
export function enabledOffloads(text: string): string[] {
  return offloads.filter(name => new RegExp(`^${offloadNames[name]}: on`, 'm').test(text));
}
