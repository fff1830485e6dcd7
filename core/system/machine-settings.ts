/**
 * Table of all settings of the kernel and the machine that can change a result. docs/machine-settings.md is generated
 * from it.
 *
 * `hostSettings` belong to a network namespace, and Coexist sets them on every host of a trial. Namespaces inherit some
 * of them from the machine (tcp_sk_init in net/ipv4/tcp_ipv4.c: buffers, congestion control; inetdev_init: conf/*), and
 * a machine of a lab has its own values for all of them. The values set are Linux's defaults, except where `why` says
 * otherwise. `machineSettings` belong to the whole machine and its other programs. Coexist does not change them. It
 * records them in each trial.json and notes values that may change results.
 */

import { quoteWord } from '../text/shell.ts';
import type { Host } from './host.ts';

type HostSetting = {
  /** Path of the setting below /proc/sys. Hosts whose kernel lacks the setting are left as they are. */
  name: string;
  value: string;
  why: string;
};

/**
 * Maximum size of the send buffer and of the receive buffer, bytes: the largest bandwidth-delay product, 1 Gbit/s times
 * 1 s, with overhead.
 */
const largestBufferBytes = 268_435_456;

const tcp = (name: string, value: number | string, why: string): HostSetting => ({
  name: `net/ipv4/tcp_${name}`,
  value: String(value),
  why,
});

export const hostSettings: readonly HostSetting[] = [
  tcp('wmem', `4096 16384 ${largestBufferBytes}`, 'send buffer: least, first, most (Linux: most 4 MB)'),
  tcp('rmem', `4096 131072 ${largestBufferBytes}`, 'receive buffer: least, first, most (Linux: most 6 MB or 32 MB)'),
  tcp('moderate_rcvbuf', 1, 'receive buffers grow by themselves'),
  // a namespace may only choose an algorithm that its machine allows for all users (tcp_set_default_congestion_control)
  tcp('congestion_control', 'reno', 'of connections that name none, such as those of signaling (Linux: cubic)'),
  tcp('window_scaling', 1, 'windows above 64 kB'),
  tcp('timestamps', 1, 'timestamps: 12 bytes of each packet, and round trips of each'),
  tcp('sack', 1, 'selective acknowledgements'),
  tcp('dsack', 1, 'acknowledgement of duplicates'),
  tcp('ecn', 2, 'ECN only where the other end asks for it'),
  tcp('ecn_fallback', 1, 'connections without ECN where a path drops it'),
  tcp('recovery', 1, 'RACK finds losses by time'),
  tcp('early_retrans', 3, 'tail loss probes'),
  tcp('frto', 2, 'spurious timeouts are found out'),
  tcp('reordering', 3, 'first estimate of reordering'),
  tcp('max_reordering', 300, 'highest estimate of reordering'),
  tcp('rto_min_us', 200_000, 'shortest retransmission timeout'),
  tcp('rto_max_ms', 120_000, 'longest retransmission timeout'),
  tcp('slow_start_after_idle', 1, 'the window shrinks while a connection is idle'),
  tcp('thin_linear_timeouts', 0, 'timeouts of thin flows double, too'),
  tcp('syn_retries', 6, 'how often a connection is asked for'),
  tcp('notsent_lowat', 4_294_967_295, 'unsent bytes up to which a socket takes more: no limit'),
  tcp('autocorking', 1, 'small writes are put together'),
  tcp('limit_output_bytes', 1_048_576, 'bytes of a flow below the socket (4 MB in Linux 6.18)'),
  tcp('min_tso_segs', 2, 'least segments of a burst'),
  tcp('tso_win_divisor', 3, 'share of the window in a burst'),
  tcp('tso_rtt_log', 9, 'larger bursts on short paths'),
  tcp('pacing_ss_ratio', 200, 'pacing in slow start, % of the rate'),
  tcp('pacing_ca_ratio', 120, 'pacing later, % of the rate'),
  tcp('min_rtt_wlen', 300, 'seconds for which the least round trip is kept'),
  tcp('comp_sack_delay_ns', 1_000_000, 'longest delay of a compressed SACK'),
  tcp('comp_sack_slack_ns', 100_000, 'slack of its timer'),
  tcp('comp_sack_nr', 44, 'most SACKs that are compressed into one'),
  tcp('backlog_ack_defer', 1, 'one ACK for what came while the socket was in use'),
  tcp('adv_win_scale', 1, 'share of the receive buffer that is no window'),
  tcp('app_win', 31, 'share of the window kept for the application'),
  tcp('shrink_window', 0, 'a window is never taken back'),
  tcp('mtu_probing', 0, 'no probes of the MTU'),
  tcp('fastopen', 1, 'data in a SYN where a program asks for it'),
  tcp('plb_enabled', 0, 'no new path after congestion'),
  tcp('no_metrics_save', 1, 'nothing is remembered of earlier connections (Linux: 0)'),
  tcp('no_ssthresh_metrics_save', 1, 'nor their slow-start threshold'),
  { name: 'net/ipv4/udp_rmem_min', value: '4096', why: 'receive memory of a UDP socket under pressure' },
  { name: 'net/ipv4/udp_wmem_min', value: '4096', why: 'send memory of a UDP socket under pressure' },
  { name: 'net/ipv4/ip_no_pmtu_disc', value: '0', why: 'packets are not fragmented on the way' },
  { name: 'net/ipv4/ip_default_ttl', value: '64', why: 'hops of a packet' },
  {
    name: 'net/ipv4/ip_local_port_range',
    value: '32768 60999',
    why: 'ports of connections, apart from those of services',
  },
  { name: 'net/ipv4/icmp_echo_ignore_all', value: '0', why: 'hosts answer to pings: round trips' },
];

type MachineSetting = {
  /** Name of the setting in the record and the documents. */
  name: string;
  /**
   * File that holds the value, or shell command that prints it. If the file is missing or the text is empty, the
   * machine does not have the setting.
   */
  read: { file: string } | { command: string };
  /** Required value. Null if every value is acceptable; the value is then only recorded. */
  wanted: { text: string; holds(value: string): boolean } | null;
  why: string;
};

const atLeast = (least: number, place = 0) => ({
  text: `at least ${least}`,
  holds: (value: string) => Number(value.split(' ')[place]) >= least,
});
const oneOf = (...values: string[]) => ({
  text: values.join(' or '),
  holds: (value: string) => values.includes(value),
});

const sysctl = (name: string, wanted: MachineSetting['wanted'], why: string): MachineSetting => ({
  name: name.replaceAll('/', '.'),
  read: { file: `/proc/sys/${name}` },
  wanted,
  why,
});
const limit = (name: string, words: string, wanted: MachineSetting['wanted'], why: string): MachineSetting => ({
  name: `limit of ${name}`,
  // takes the soft limit of a line "Max open files 1024 524288 files", here 1024
  read: { command: `sed -n 's/^Max ${words}  *\\([a-z0-9]*\\).*/\\1/p' /proc/self/limits` },
  wanted,
  why,
});
/** Requires a limit of at least `least`. "unlimited" is larger than any number. */
const limitAtLeast = (least: number) => ({
  text: `at least ${least}`,
  holds: (value: string) => value === 'unlimited' || Number(value) >= least,
});
/** Returns a command that reads `file` in the folder cpufreq of every processor and prints each distinct value. */
const ofAllCores = (file: string) => ({ command: `cat /sys/devices/system/cpu/cpu*/cpufreq/${file} | sort -u` });

/** Minimum number of pages for tcp_mem and udp_mem: 128 MB, since a page has 4 kB. */
const leastPages = 32_768;

export const machineSettings: readonly MachineSetting[] = [
  sysctl('net/core/rmem_max', atLeast(212_992), 'largest receive buffer that a UDP socket of a browser gets'),
  sysctl('net/core/wmem_max', atLeast(212_992), 'largest send buffer that it gets'),
  sysctl('net/core/rmem_default', atLeast(212_992), 'receive buffer of UDP sockets that ask for none: RTP, RTCP, QUIC'),
  sysctl('net/core/wmem_default', atLeast(212_992), 'send buffer of those'),
  sysctl('net/core/netdev_max_backlog', atLeast(1000), 'packets that wait between two namespaces; more are dropped'),
  sysctl('net/core/netdev_budget', atLeast(300), 'packets that a processor takes in one turn'),
  sysctl('net/core/dev_weight', atLeast(64), 'packets of one device in one turn'),
  sysctl('net/core/busy_poll', oneOf('0'), 'polling of sockets takes a core'),
  sysctl('net/core/busy_read', oneOf('0'), 'the same'),
  sysctl('net/core/bpf_jit_enable', oneOf('1', '2'), 'BPF programs (BBRv3, loss, log of the queue) run compiled'),
  sysctl('net/core/default_qdisc', null, 'queue of a new device, which matters on the machines of a lab alone'),
  sysctl('net/ipv4/tcp_mem', atLeast(leastPages, 2), 'pages of all TCP buffers together: least, pressure, most'),
  sysctl('net/ipv4/udp_mem', atLeast(leastPages, 2), 'the same of UDP'),
  sysctl('net/ipv4/tcp_congestion_control', null, 'of connections outside of trials'),
  sysctl(
    'kernel/sched_rt_runtime_us',
    { text: 'at least 900000, or -1', holds: value => value === '-1' || Number(value) >= 900_000 },
    'time of real-time programs (the emulator) in each second, µs',
  ),
  sysctl('kernel/sched_autogroup_enabled', null, 'whether sessions share the processors, or programs'),
  sysctl('vm/swappiness', null, 'how readily memory is swapped out'),
  {
    name: 'CPU governor',
    read: ofAllCores('scaling_governor'),
    wanted: oneOf('performance'),
    why: 'other governors lower the clock while a core is idle',
  },
  { name: 'CPU driver', read: ofAllCores('scaling_driver'), wanted: null, why: 'who sets the clock' },
  {
    name: 'CPU energy preference',
    read: ofAllCores('energy_performance_preference'),
    wanted: oneOf('performance', 'balance_performance', 'default'),
    why: 'others let a core take longer to its full clock',
  },
  {
    name: 'simultaneous multithreading',
    read: { file: '/sys/devices/system/cpu/smt/active' },
    wanted: null,
    why: 'two threads share a core',
  },
  {
    name: 'clock source',
    read: { file: '/sys/devices/system/clocksource/clocksource0/current_clocksource' },
    wanted: {
      text: 'not hpet, acpi_pm, pit, jiffies or refined-jiffies',
      holds: value => !/^(hpet|acpi_pm|pit|(refined-)?jiffies)$/.test(value),
    },
    why: 'the time of each packet and frame is read from it; those are slow or coarse',
  },
  {
    name: 'transparent huge pages',
    read: { command: "sed -n 's/.*\\[\\(.*\\)\\].*/\\1/p' /sys/kernel/mm/transparent_hugepage/enabled" },
    wanted: null,
    why: 'memory is put together in the background',
  },
  limit('open files', 'open files', limitAtLeast(1024), 'sockets of servers and browsers'),
  limit('processes', 'processes', limitAtLeast(1024), 'threads of browsers'),
  limit('locked memory', 'locked memory', null, 'of programs without root'),
  limit('address space', 'address space', oneOf('unlimited'), 'a browser reserves more than it uses'),
  limit('processor time', 'cpu time', oneOf('unlimited'), 'the kernel ends a program that has used it up'),
  {
    name: 'umask',
    read: { command: 'umask' },
    wanted: oneOf('0022', '022'),
    why: 'browsers run as another user and read files of a trial',
  },
];

/**
 * Offloads that would combine several packets of the wire into one entry of the queue, or break checksums. They are off
 * on every device of a trial. Key: short name of ethtool. Value: name in the output of `ethtool -k` (ethtool(8)).
 */
export const offloadNames = {
  tso: 'tcp-segmentation-offload',
  gso: 'generic-segmentation-offload',
  gro: 'generic-receive-offload',
  lro: 'large-receive-offload',
  tx: 'tx-checksumming',
  rx: 'rx-checksumming',
  sg: 'scatter-gather',
} as const;

/**
 * Largest share of its time, 0 to 1, for which a TCP flow may wait for its socket buffers. A flow that waits longer is
 * reported as limited by its sockets.
 */
export const limitedFlowRatio = 0.05;

/** Puts a value into one line with single spaces. /proc separates the numbers of a list by tabs. */
export const inOneLine = (value: string) => value.trim().replace(/\s+/g, ' ');

/**
 * Returns a shell script that prints every setting: a line "FILE:VALUE" for each file, "NAME:VALUE" for each command.
 * One grep reads all files, because a shell reads /proc/sys byte by byte and gets only the first digit (proc_dointvec).
 */
export function readingScript(settings: readonly Pick<MachineSetting, 'name' | 'read'>[]): string {
  const files = settings.flatMap(({ read }) => ('file' in read ? [quoteWord(read.file)] : []));
  const commands = settings.flatMap(({ name, read }) =>
    'command' in read
      ? [`printf '%s:%s\\n' ${quoteWord(name)} "$({ ${read.command}; } 2>/dev/null | tr '\\n' ' ')"`]
      : [],
  );
  return [`grep -sH '' ${files.join(' ')} || :`, ...commands].join('\n');
}

/**
 * Returns the values in the output of the shell script of `readingScript`, by name of the setting. Settings that the
 * machine does not have are left out.
 */
export function readingsOf(
  text: string,
  settings: readonly Pick<MachineSetting, 'name' | 'read'>[],
): Record<string, string> {
  const printed = new Map(
    text.split('\n').map(line => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), inOneLine(line.slice(colon + 1))] as const;
    }),
  );
  return Object.fromEntries(
    settings.flatMap(({ name, read }) => {
      const value = printed.get('file' in read ? read.file : name);
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/**
 * Reads the current values of `machineSettings` on a host's machine, by name. Settings that the machine does not have
 * are left out.
 */
export async function readMachineSettings(machine: Pick<Host, 'run'>): Promise<Record<string, string>> {
  return readingsOf((await machine.run(['sh', '-c', readingScript(machineSettings)])).stdout, machineSettings);
}

/**
 * Returns a sentence for each value that may change results: "net.core.rmem_max is 4096, should be at least 212992
 * (...)".
 */
export function unwanted(readings: Readonly<Record<string, string>>): string[] {
  return machineSettings.flatMap(({ name, wanted, why }) => {
    const value = readings[name];
    return value === undefined || wanted === null || wanted.holds(value)
      ? []
      : [`${name} is ${value}, should be ${wanted.text} (${why})`];
  });
}
