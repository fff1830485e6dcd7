/** Capabilities of one machine of a lab, found by running programs on it. */

import { CoexistError } from '../../../core/errors.ts';
import type { Capability } from '../../../core/system/capability.ts';
import type { Host } from '../../../core/system/host.ts';
import { requirePing } from '../../../core/system/ping.ts';
import { enabledOffloads } from '../../topology/offloads.ts';
import type { LabDevice, LabMachine } from '../../topology/ssh/hosts-file.ts';
import { findDevice, type TestDevice } from '../../topology/ssh/test-device.ts';
import { type Need, tried } from '../tried.ts';

/** Consequence for a machine that lacks a requirement. */
export const noPart = 'this machine cannot take part in a trial';

type Asked = Pick<Host, 'run'>;

/** Returns the error for a missing feature `what`. */
const refuse = (what: string) => new CoexistError('missing-kernel-feature', what);

async function said(host: Asked, argv: readonly string[]): Promise<string> {
  return (await host.run(argv)).stdout.trim();
}

/** Debian package of each program, and the command that prints the program's version. */
const tools: Record<string, { in: string; ask: string[] }> = {
  ip: { in: 'iproute2', ask: ['ip', '-V'] },
  tc: { in: 'iproute2', ask: ['tc', '-V'] },
  ethtool: { in: 'ethtool', ask: ['ethtool', '--version'] },
  ping: { in: 'iputils-ping', ask: ['ping', '-V'] },
  iperf3: { in: 'iperf3', ask: ['iperf3', '--version'] },
};

async function probeTools(host: Asked): Promise<Capability> {
  const found = await Promise.all(
    Object.entries(tools).map(async ([name, { in: from, ask }]) => {
      try {
        const { stdout, stderr } = await host.run(ask, { allowFailure: true });
        const version = /\d+(?:\.\d+)+|\b\d{6,}\b/.exec(`${stdout}${stderr}`)?.[0];
        if (name === 'ping') await requirePing(host);
        return { name, from, version: version ?? 'of some version' };
      } catch (error) {
        if (error instanceof CoexistError && error.code === 'missing-program')
          return { name, from, version: null, why: error.message };
        throw error;
      }
    }),
  );
  const missing = found.filter(({ version }) => version === null);
  return {
    id: 'tools',
    title: 'programs',
    required: true,
    works: missing.length === 0,
    found:
      missing.length > 0
        ? `missing: ${missing.map(({ name, why = '' }) => (/ is not that /.test(why) ? `${name} (${why})` : name)).join(', ')}`
        : found.map(({ name, version }) => `${name} ${version}`).join(', '),
    cost: noPart,
    mend: `apt-get install ${[...new Set(missing.map(({ from }) => from))].join(' ')}`,
  };
}

const make = (...words: string[]) => ['ip', 'link', 'add', 'coexist0', ...words];
const pair = 'ip link add coexist0 type veth peer name coexist1';

/**
 * Features that are tried in a new network namespace, which ends with the tried program. The machine itself is not
 * changed.
 */
const features: (Omit<Need, 'required'> & { argv: readonly string[] })[] = [
  {
    id: 'veth',
    title: 'virtual Ethernet (veth)',
    argv: make('type', 'veth', 'peer', 'name', 'coexist1'),
    cost: 'no hosts of their own for applications',
    mend: 'modprobe veth',
  },
  {
    id: 'htb',
    title: 'HTB',
    argv: ['sh', '-ec', `${pair}; tc qdisc add dev coexist0 root handle 1: htb default 1`],
    cost: 'as a router: no bottleneck by HTB',
    mend: 'modprobe sch_htb',
  },
  {
    id: 'ifb',
    title: 'IFB',
    argv: make('type', 'ifb'),
    cost: 'as a router: no delay by netem towards the server',
    mend: 'modprobe ifb',
  },
  {
    id: 'bpf',
    title: 'BPF classifier',
    // one instruction: return -1, "as the filter says"
    argv: [
      'sh',
      '-ec',
      `${pair}; tc qdisc add dev coexist0 clsact; tc filter add dev coexist0 ingress bpf bytecode '1,6 0 0 4294967295'`,
    ],
    cost: 'as a router: no random loss and no queue log on links that the kernel forms',
    mend: 'use a kernel with CONFIG_BPF_SYSCALL and CONFIG_NET_CLS_BPF',
  },
];

const btfFile = '/sys/kernel/btf/vmlinux';

async function probeFeatures(host: Asked, isRoot: boolean): Promise<Capability[]> {
  const kernel = await Promise.all(
    features.map(({ argv, ...need }) =>
      tried({ ...need, required: false }, async () => {
        if (!isRoot) throw refuse('not tried: needs root');
        await host.run(['unshare', '--net', '--', ...argv]);
        return 'yes';
      }),
    ),
  );
  const btf = await tried(
    {
      id: 'btf',
      title: 'types of the kernel (BTF)',
      required: false,
      cost: 'no BBRv3 by BPF',
      mend: 'use a kernel with CONFIG_DEBUG_INFO_BTF',
    },
    async () => {
      await host.run(['test', '-r', btfFile]);
      return btfFile;
    },
  );
  return [...kernel, btf.works ? btf : { ...btf, found: `no ${btfFile}` }];
}

/**
 * Returns the congestion controls of the kernel as a capability. `nameOfBbr`: returns the name of the kernel's "bbr"
 * for its module version.
 */
function probeCongestionControls(host: Asked, nameOfBbr: (version: string | undefined) => string): Promise<Capability> {
  const need = {
    id: 'congestion-controls',
    title: 'TCP congestion controls',
    required: false,
    cost: 'floods of the missing kinds cannot be run',
    mend: 'modprobe tcp_bbr tcp_cubic',
  };
  return tried(need, async () => {
    const names = (await said(host, ['cat', '/proc/sys/net/ipv4/tcp_available_congestion_control'])).split(/\s+/);
    const { status, stdout } = await host.run(['cat', '/sys/module/tcp_bbr/version'], { allowFailure: true });
    const version = status === 0 ? stdout.trim() : undefined;
    const own = version === '3' ? ", the kernel's own: bbr3-kernel" : '';
    const found = `${names.join(', ')}${names.includes('bbr') ? ` (bbr is ${nameOfBbr(version)}${own})` : ''}`;
    const missing = ['bbr', 'cubic'].filter(name => !names.includes(name));
    if (missing.length > 0) throw refuse(`${found}; missing: ${missing.join(', ')}`);
    return found;
  });
}

/** Returns the speed of a device by ethtool(8), such as "1000Mb/s". The speed of a veth device has no meaning. */
async function linkSpeed(host: Asked, device: string): Promise<string> {
  const driver = /^driver: (\S+)/m.exec(await said(host, ['ethtool', '-i', device]))?.[1];
  if (driver === 'veth') return 'unknown (veth)';
  const speed = /^\s*Speed: (\d+)Mb\/s/m.exec(await said(host, ['ethtool', device]))?.[1];
  return speed === undefined ? `unknown (${driver ?? 'no driver'})` : `${speed} Mbit/s (${driver ?? 'no driver'})`;
}

async function probeDevice(host: Asked, place: LabDevice): Promise<{ found?: TestDevice; capabilities: Capability[] }> {
  const { device } = place;
  let found: TestDevice | undefined;
  const there = await tried(
    {
      id: `device-${device}`,
      title: `device ${device}`,
      required: true,
      cost: 'no way to the test network',
      mend: `give it the address: ip address add ${place.address}/24 dev ${device}; ip link set ${device} up`,
    },
    async () => {
      const { mtu, ...rest } = await findDevice(host, place);
      found = rest;
      return `${rest.address}/${rest.prefixLength}, MTU ${mtu}`;
    },
  );
  if (found === undefined) return { capabilities: [there] };
  const speed = await tried(
    {
      id: `speed-${device}`,
      title: `link speed of ${device}`,
      required: false,
      cost: 'nobody can tell whether the wire is faster than the bottleneck',
      mend: 'apt-get install ethtool',
    },
    () => linkSpeed(host, device),
  );
  const offloads = await tried(
    {
      id: `offloads-${device}`,
      title: `offloads of ${device}`,
      required: false,
      cost: 'the queue counts bundles of packets',
      mend: `ethtool -K ${device} tso off gso off gro off tx off rx off sg off`,
    },
    async () => {
      const on = enabledOffloads(await said(host, ['ethtool', '-k', device]));
      if (on.length > 0) throw refuse(`on: ${on.join(', ')}`);
      return 'off';
    },
  );
  return { found, capabilities: [there, speed, offloads] };
}

function probeForwarding(host: Asked): Promise<Capability> {
  const need = {
    id: 'forwarding',
    title: 'IPv4 forwarding',
    required: true,
    cost: 'as a router: no packet gets to the other side',
    mend: 'sysctl -w net.ipv4.ip_forward=1',
  };
  return tried(need, async () => {
    if ((await said(host, ['cat', '/proc/sys/net/ipv4/ip_forward'])) !== '1') throw refuse('off');
    return 'on';
  });
}

/** Returns the capabilities of a machine without changing the machine. */
export async function examineMachine(
  host: Asked,
  { roles, devices }: LabMachine,
  nameOfBbr: (version: string | undefined) => string,
): Promise<{ devices: TestDevice[]; capabilities: Capability[] }> {
  const userId = await said(host, ['id', '-u']);
  const root: Capability = {
    id: 'root',
    title: 'root',
    required: true,
    works: userId === '0',
    found: userId === '0' ? 'yes' : `no, user id ${userId}`,
    cost: noPart,
    mend: 'let ssh get in as root by a key: "ssh": "root@..."',
  };
  const kernel = await tried(
    {
      id: 'kernel',
      title: 'kernel',
      required: true,
      cost: noPart,
      mend: 'use Linux',
    },
    () => said(host, ['uname', '-srm']),
  );
  const places = await Promise.all(devices.map(place => probeDevice(host, place)));
  return {
    devices: places.flatMap(({ found }) => found ?? []),
    capabilities: [
      root,
      kernel,
      await probeTools(host),
      ...(await probeFeatures(host, root.works)),
      await probeCongestionControls(host, nameOfBbr),
      ...places.flatMap(({ capabilities }) => capabilities),
      ...(roles.includes('router') ? [await probeForwarding(host)] : []),
    ],
  };
}
