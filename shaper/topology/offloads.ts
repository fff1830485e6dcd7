/** Offloads of a device that must be off (core/system/machine-settings.ts), and their states by `ethtool -k`. */
import { offloadNames } from '../../core/system/machine-settings.ts';

/** ethtool's short names. */
export const offloads = Object.keys(offloadNames) as (keyof typeof offloadNames)[];

/** Offloads that `ethtool -k` reports as on although they must be off. */
export function enabledOffloads(text: string): string[] {
  return offloads.filter(name => new RegExp(`^${offloadNames[name]}: on`, 'm').test(text));
}
