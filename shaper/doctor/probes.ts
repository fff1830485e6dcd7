/** Capabilities of this kernel for the shaper. They are tried in network namespaces made for the attempt. */

import { CoexistError } from '../../core/errors.ts';
import type { Capability } from '../../core/system/capability.ts';
import { Lease } from '../../core/system/lease.ts';
import { isInUserNamespace } from '../../core/system/user-namespace.ts';
import { describeBackend } from '../../core/vocabulary/backends.ts';
import { type BackendId, type Link, mapPaths, plainLink } from '../../core/vocabulary/link.ts';
import { type Aqm, loadAqms } from '../aqm/bound-aqm.ts';
import { aqmLimit } from '../aqm/limit.ts';
import { type Capabilities, probeCapabilities } from '../backend/capabilities.ts';
import { ShapedLink } from '../backend/shaped-link.ts';
import { checkBbr3 } from '../bbr3/loader.ts';
import { getShells } from '../mahimahi/programs.ts';
import { Dumbbell } from '../topology/dumbbell.ts';
import { twoSenders } from '../topology/legs.ts';
import { describeDefault } from './default-link.ts';
import { type Need, tried } from './tried.ts';

const needs = {
  root: {
    id: 'root',
    title: 'root',
    required: true,
    cost: 'no namespaces, so no experiment',
    mend: 'run with sudo, or allow user namespaces',
  },
  topology: {
    id: 'namespaces',
    title: 'network namespaces and veth',
    required: true,
    cost: 'no experiment',
    mend: 'use a kernel with CONFIG_NET_NS and CONFIG_VETH; in a container, give it CAP_NET_ADMIN and CAP_SYS_ADMIN',
  },
  link: {
    id: 'default-link',
    title: 'default link',
    required: true,
    cost: 'no experiment, unless --set link.backend=tc accepts a link that lets packets through early',
    mend: 'use a kernel with CONFIG_PACKET; build the helper with "npm run setup"',
  },
  bbr3: {
    id: 'bbr3',
    title: 'BBRv3 (BPF)',
    required: false,
    cost: 'no floods of BBRv3, unless the kernel has it itself',
    mend: 'use Linux 6.0 or newer with CONFIG_BPF_JIT and CONFIG_DEBUG_INFO_BTF; build its loader with "npm run setup"',
  },
} satisfies Record<string, Need>;

const plain = plainLink(40e6, { unit: 'packets', value: 1000 });
const delayed: Link = { ...plain, paths: mapPaths(plain.paths, path => ({ ...path, downMs: 25 })) };

/** Links that the doctor forms as a test, each with the consequence if it cannot be formed. */
const links: (Need & { link: Link; backend: BackendId; says: string })[] = [
  {
    id: 'emulator',
    title: `backend ${describeBackend('emulator')}`,
    required: false,
    cost: 'no link of a short base round-trip time, no packet-delivery traces, no AQM that this kernel lacks',
    mend: 'use a kernel with CONFIG_PACKET; build the helper with "npm run setup"',
    link: plain,
    backend: 'emulator',
    says: '40 Mbit/s and 1000 packets set',
  },
  {
    id: 'bottleneck',
    title: `backend ${describeBackend('tc')}: HTB with a FIFO`,
    required: false,
    cost: 'no bottleneck by HTB',
    mend: 'modprobe sch_htb',
    link: plain,
    backend: 'tc',
    says: '40 Mbit/s and 1000 packets read back',
  },
  {
    id: 'tbf',
    title: `backend ${describeBackend('tbf')}: TBF with a FIFO`,
    required: false,
    cost: 'no bottleneck by TBF',
    mend: 'modprobe sch_tbf',
    link: plain,
    backend: 'tbf',
    says: '40 Mbit/s and 1000 packets read back',
  },
  {
    id: 'netem-rate',
    title: `backend ${describeBackend('netem')}: netem's rate and limit`,
    required: false,
    cost: 'no bottleneck by netem',
    mend: 'modprobe sch_netem',
    link: plain,
    backend: 'netem',
    says: '40 Mbit/s and 1000 packets read back',
  },
  {
    id: 'loss',
    title: 'seeded random loss (BPF)',
    required: false,
    cost: 'no random loss on links that the kernel forms',
    link: { ...plain, loss: { kind: 'independent', ratio: 0.02, where: 'before' } },
    backend: 'tc',
    says: 'classifier attached',
    mend: 'use a kernel with CONFIG_BPF_SYSCALL and CONFIG_NET_CLS_BPF, not in lockdown; build the helper with "npm run setup"',
  },
  {
    id: 'netem',
    title: 'delay by netem, for backends tc and tbf',
    required: false,
    cost: 'tc and tbf have their delays by the delay line, at about 10 % of a core',
    mend: 'modprobe sch_netem ifb',
    link: delayed,
    backend: 'tc',
    says: '25 ms towards the client',
  },
  {
    id: 'line',
    title: 'delay line, for backends tc+line and tbf+line',
    required: false,
    cost: "no jitter, reordering and duplication, and no delay on the kernel's links where netem is missing",
    mend: 'use a kernel with CONFIG_PACKET; build the helper with "npm run setup"',
    link: delayed,
    backend: 'tc+line',
    says: '25 ms towards the client',
  },
  {
    id: 'mahimahi',
    title: `backend ${describeBackend('mahimahi')}`,
    required: false,
    cost: 'no links of mm-link, mm-delay and mm-loss',
    mend: getShells,
    link: delayed,
    backend: 'mahimahi',
    says: '40 Mbit/s, 1000 packets and 25 ms set',
  },
];

/**
 * Returns the capabilities of this kernel for the shaper, found by forming test links. Removes the namespaces that it
 * creates.
 */
export async function probeShaper(): Promise<Capability[]> {
  const isRoot = process.getuid?.() === 0;
  const root: Capability = {
    ...needs.root,
    works: isRoot,
    found: !isRoot ? `no, user id ${process.getuid?.()}` : isInUserNamespace() ? 'of a user namespace' : 'yes',
  };
  if (!isRoot)
    return [root, ...[needs.topology, needs.link, ...links, needs.bbr3].map(need => notTried(need, 'needs root'))];
  const lease = Lease.open();
  const aqms = await loadAqms();
  const can = probeCapabilities();
  let dumbbell: Dumbbell | undefined;
  try {
    const topology = await tried(needs.topology, async () => {
      dumbbell = await Dumbbell.build(lease, twoSenders);
      await dumbbell.checkRoutes();
      return 'four hosts, routes proved';
    });
    if (dumbbell === undefined)
      return [root, topology, ...[needs.link, ...links, needs.bbr3].map(need => notTried(need, 'no namespaces'))];
    const shapedLink = new ShapedLink(dumbbell, aqms, can);
    const formed: Capability[] = [];
    for (const { link, backend, says, ...need } of links) {
      formed.push(
        await tried(need, async () => {
          const formed = await shapedLink.set({ ...link, backend }, 1);
          await shapedLink.verify();
          if (formed !== backend)
            throw new CoexistError('missing-kernel-feature', (await can.netem()) ?? `${formed} stands in`);
          return says;
        }),
      );
    }
    const byDefault = await tried(needs.link, async () => {
      const formed = await shapedLink.set(plain, 1);
      return describeDefault(formed, shapedLink.readiness);
    });
    await shapedLink.clear();
    const bbr3 = await tried(needs.bbr3, async () => {
      await checkBbr3();
      return 'the kernel accepts it';
    });
    return [
      root,
      topology,
      byDefault,
      ...formed,
      bbr3,
      ...(await Promise.all([...aqms.values()].filter(({ id }) => id !== 'fifo').map(aqm => probeAqm(aqm, can)))),
    ];
  } finally {
    await dumbbell?.remove();
    lease.release();
  }
}

function notTried({ id, title, required, cost, mend }: Need, why: string): Capability {
  return { id, title, required, cost, mend, works: false, found: `not tried: ${why}` };
}

/** Returns the capability for an AQM, with the backends that support the AQM. */
async function probeAqm(aqm: Aqm, can: Capabilities): Promise<Capability> {
  const bound = aqm.bind({}, aqm.id);
  const leaf = bound.tc(aqmLimit(plain));
  const noKernel = leaf === null ? 'no kernel has it' : await can.qdisc(`${leaf.kind} ${leaf.words}`);
  const emulated = bound.emulated !== null && (await can.line()) === null;
  return {
    id: `aqm-${aqm.id}`,
    title: `AQM ${aqm.title}`,
    required: false,
    works: noKernel === null || emulated,
    found: noKernel === null ? 'in the kernel' : emulated ? 'emulated; not in this kernel' : noKernel,
    cost: `no conditions with ${aqm.title}`,
    mend: leaf === null ? 'build the helper with "npm run setup"' : `use a kernel with sch_${leaf.kind}`,
  };
}
