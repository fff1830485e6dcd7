/**
 * Offloads of a device that must be off (core/system/machine-settings.ts), and a parser of their states from `ethtool
 * -k`.
 */
import { offloadNames } from '../../core/system/machine-settings.ts';

/** Short names of the offloads, as ethtool takes them. */
export const offloads = Object.keys(offloadNames) as (keyof typeof offloadNames)[];

/** Returns the offloads that `ethtool -k` reports as on although they must be off. */
export function enabledOffloads(text: string): string[] {
  return offloads.filter(name => new RegExp(`^${offloadNames[name]}: on`, 'm').test(text));
}
