/** Kernel settings of every host of a trial, namespace or machine (core/system/machine-settings.ts). */
import type { Host } from '../../core/system/host.ts';
import { hostSettings, readingScript, readingsOf } from '../../core/system/machine-settings.ts';
import { quoteWord } from '../../core/text/shell.ts';

/** Path of a setting below /proc/sys, and its value. */
export type Setting = readonly [name: string, value: number | string];

/** Settings of a host's devices: no ICMP redirects, no reverse path filter. Every kernel has them. */
const deviceSettings = (devices: readonly string[]): Setting[] =>
  ['all', 'default', ...devices].flatMap(device =>
    ['accept_redirects', 'send_redirects', 'rp_filter'].map(name => [`net/ipv4/conf/${device}/${name}`, 0] as const),
  );

/** Returns all settings of a host: those of its devices first, then the others. */
export const settingsFor = (devices: readonly string[]): Setting[] => [
  ...deviceSettings(devices),
  ...hostSettings.map(({ name, value }) => [name, value] as const),
];

const fileOf = (name: string) => `/proc/sys/${name}`;

/** Returns the shell line that writes a setting. */
export const writeSetting = ([name, value]: Setting) => `echo ${value} > ${quoteWord(fileOf(name))}`;

/** Returns the shell line for a setting that a kernel may refuse. The result is read back later (`differences`). */
const tryLine = (setting: Setting) => `{ ${writeSetting(setting)}; } 2>/dev/null || :`;

/**
 * Returns the shell line that writes a setting. If the kernel lacks the setting or refuses the value, the line fails
 * only for settings of devices.
 */
export const settingLine = (setting: Setting) =>
  setting[0].startsWith('net/ipv4/conf/') ? writeSetting(setting) : tryLine(setting);

const readable = hostSettings.map(({ name }) => ({ name, read: { file: fileOf(name) } }));

/**
 * Returns the settings of a host that differ from the table, such as "net.ipv4.tcp_sack of left-1 is 0, not 1".
 * Settings that the host lacks do not count.
 */
export async function differences(host: Pick<Host, 'name' | 'run'>): Promise<string[]> {
  const readings = readingsOf((await host.run(['sh', '-c', readingScript(readable)])).stdout, readable);
  return hostSettings.flatMap(({ name, value, why }) => {
    const found = readings[name];
    return found === undefined || found === value
      ? []
      : [`${name.replaceAll('/', '.')} of ${host.name} is ${found}, not ${value} (${why})`];
  });
}
