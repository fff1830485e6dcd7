/** Settings of the kernel that every host of a trial has, whatever it is made of (core/system/machine-settings.ts). */
import type { Host } from '../../core/system/host.ts';
import { hostSettings, readingScript, readingsOf } from '../../core/system/machine-settings.ts';
import { quoteWord } from '../../core/text/shell.ts';

/** A file below /proc/sys and what is in it. */
export type Setting = readonly [name: string, value: number | string];

/** Of the devices of a host: no ICMP redirects, no reverse path filter. Every kernel has them. */
const deviceSettings = (devices: readonly string[]): Setting[] =>
  ['all', 'default', ...devices].flatMap(device =>
    ['accept_redirects', 'send_redirects', 'rp_filter'].map(name => [`net/ipv4/conf/${device}/${name}`, 0] as const),
  );

/** Those of the devices come first. */
export const settingsFor = (devices: readonly string[]): Setting[] => [
  ...deviceSettings(devices),
  ...hostSettings.map(({ name, value }) => [name, value] as const),
];

const fileOf = (name: string) => `/proc/sys/${name}`;

/** The line of a shell that makes it. */
export const writeSetting = ([name, value]: Setting) => `echo ${value} > ${quoteWord(fileOf(name))}`;

/** Of a setting that a kernel may refuse: what came of it is read back (`differences`). */
const tryLine = (setting: Setting) => `{ ${writeSetting(setting)}; } 2>/dev/null || :`;

/** The same line, without an error where the kernel does not have it or does not take the value. */
export const settingLine = (setting: Setting) =>
  setting[0].startsWith('net/ipv4/conf/') ? writeSetting(setting) : tryLine(setting);

const readable = hostSettings.map(({ name }) => ({ name, read: { file: fileOf(name) } }));

/** What a host has in place of the table's value: "net.ipv4.tcp_sack of left-1 is 0, not 1". None it does not have. */
export async function differences(host: Pick<Host, 'name' | 'run'>): Promise<string[]> {
  const readings = readingsOf((await host.run(['sh', '-c', readingScript(readable)])).stdout, readable);
  return hostSettings.flatMap(({ name, value, why }) => {
    const found = readings[name];
    return found === undefined || found === value
      ? []
      : [`${name.replaceAll('/', '.')} of ${host.name} is ${found}, not ${value} (${why})`];
  });
}
