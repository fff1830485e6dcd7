/** Facts about a machine of a lab, for the record of a trial. */
import type { Host } from '../../../core/system/host.ts';

export type MachineFacts = {
  kernel: string;
  /** Architecture as the kernel names it: "x86_64". */
  architecture: string;
  distribution: string;
  processor: string;
  cores: number;
  /** First line of each program's version output; null if the program is not installed. */
  iperf3: string | null;
  iproute2: string | null;
  ethtool: string | null;
};

/** Shell script that reads all facts and prints one line for each of them. */
const script = [
  'uname -r',
  'uname -m',
  '(. /etc/os-release 2>/dev/null; echo "$PRETTY_NAME")',
  "sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 | grep . || echo",
  'grep -c ^processor /proc/cpuinfo || echo',
  ...['iperf3 --version', 'tc -V', 'ethtool --version'].map(command => `{ ${command} 2>&1 || echo; } | head -n 1`),
].join('\n');

export async function readFacts(host: Pick<Host, 'run'>): Promise<MachineFacts> {
  const { stdout } = await host.run(['sh', '-c', script]);
  const lines = stdout.split('\n');
  const [kernel = '', architecture = '', distribution = '', processor = '', cores = ''] = lines;
  const version = (line = '') => (line === '' || /not found/.test(line) ? null : line);
  return {
    kernel,
    architecture,
    distribution: distribution === '' ? 'unknown' : distribution,
    processor: processor === '' ? 'unknown' : processor,
    cores: Number(cores),
    iperf3: version(lines[5]),
    iproute2: version(lines[6]),
    ethtool: version(lines[7]),
  };
}
