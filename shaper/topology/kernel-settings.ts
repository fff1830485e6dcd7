/** Settings of the kernel that every host of a trial has, whatever it is made of. */
import { quoteWord } from '../../core/shell.ts';

/** A file below /proc/sys and what is in it. */
export type Setting = readonly [name: string, value: number | string];

/** No ICMP redirects, no reverse path filter, nothing that TCP remembers of earlier connections. */
export const settingsFor = (devices: readonly string[]): Setting[] => [
  ...['all', 'default', ...devices].flatMap(device =>
    ['accept_redirects', 'send_redirects', 'rp_filter'].map(name => [`net/ipv4/conf/${device}/${name}`, 0] as const),
  ),
  ['net/ipv4/tcp_no_metrics_save', 1],
];

/** The line of a shell that makes it. */
export const writeSetting = ([name, value]: Setting) => `echo ${value} > ${quoteWord(`/proc/sys/${name}`)}`;
