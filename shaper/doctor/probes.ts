/** What this kernel can do for the shaper, found by trying each thing in a namespace made for it. */
import { existsSync } from 'node:fs';
import type { Capability } from '../../harness/base/capability.ts';
import { messageOf } from '../../harness/base/errors.ts';
import { Lease } from '../../harness/base/lease.ts';
import { checkBbr3 } from '../bbr3/loader.ts';
import { Bottleneck } from '../tc/bottleneck.ts';
import { lossLoader, lossObject } from '../tc/loss.ts';
import { Dumbbell, bottleneckDevice } from '../topology/dumbbell.ts';

type Need = Pick<Capability, 'id' | 'title' | 'required' | 'cost' | 'mend'>;

async function tried(need: Need, attempt: () => Promise<string>): Promise<Capability> {
  try {
    return { ...need, works: true, found: await attempt() };
  } catch (error) {
    return { ...need, works: false, found: messageOf(error).split('\n')[0]! };
  }
}

const needs = {
  root: { id: 'root', title: 'root', required: true, cost: 'no namespaces, so no experiment', mend: 'run with sudo' },
  topology: { id: 'namespaces', title: 'network namespaces and veth', required: true, cost: 'no experiment', mend: 'use a kernel with CONFIG_NET_NS and CONFIG_VETH; in a container, give it CAP_NET_ADMIN and CAP_SYS_ADMIN' },
  bottleneck: { id: 'bottleneck', title: 'HTB with a FIFO', required: true, cost: 'no bottleneck, so no experiment', mend: 'modprobe sch_htb' },
  loss: { id: 'loss', title: 'seeded random loss (BPF)', required: false, cost: 'no conditions with random loss', mend: 'use a kernel with CONFIG_BPF_SYSCALL and CONFIG_NET_CLS_BPF, not in lockdown; build the helper with "npm run setup"' },
  bbr3: { id: 'bbr3', title: 'BBRv3 (BPF)', required: false, cost: 'no floods of BBRv3, unless the kernel has it itself', mend: 'use Linux 6.0 or newer with CONFIG_BPF_JIT and CONFIG_DEBUG_INFO_BTF; build its loader with "npm run setup"' },
} satisfies Record<string, Need>;

/** Probes the kernel. Makes namespaces, and removes them. */
export async function probeShaper(): Promise<Capability[]> {
  const isRoot = process.getuid?.() === 0;
  const root: Capability = { ...needs.root, works: isRoot, found: isRoot ? 'yes' : `no, user id ${process.getuid?.()}` };
  if (!isRoot) return [root, ...[needs.topology, needs.bottleneck, needs.loss, needs.bbr3].map(need => ({ ...need, works: false, found: 'not tried: needs root' }))];
  const lease = Lease.open();
  let dumbbell: Dumbbell | undefined;
  try {
    const topology = await tried(needs.topology, async () => {
      dumbbell = await Dumbbell.build(lease);
      await dumbbell.checkRoutes();
      return 'four hosts, routes proved';
    });
    if (dumbbell === undefined) return [root, topology, ...[needs.bottleneck, needs.loss].map(need => ({ ...need, works: false, found: 'not tried: no namespaces' }))];
    const bottleneck = new Bottleneck(dumbbell.hosts.router);
    const link = { rateBps: 40e6, queue: { unit: 'packets' as const, value: 1000 } };
    return [
      root, topology,
      await tried(needs.bottleneck, async () => {
        await bottleneck.set({ ...link, lossRatio: 0 }, 1);
        await bottleneck.verify();
        return `40 Mbit/s and 1000 packets read back at ${bottleneckDevice}`;
      }),
      await tried(needs.loss, async () => {
        if (!existsSync(lossLoader) || !existsSync(lossObject)) throw new Error('the native helper is not built');
        await bottleneck.set({ ...link, lossRatio: 0.02 }, 1);
        await bottleneck.verify();
        return 'classifier attached';
      }),
      await tried(needs.bbr3, async () => {
        await checkBbr3();
        return 'the kernel accepts it';
      }),
    ];
  } finally {
    await dumbbell?.remove();
    lease.release();
  }
}
