/**
 * Propagation delay by the kernel's netem, for each sender, away from the bottleneck and with a limit of its own
 * that no delayed packet ever meets.
 *
 * Towards the client the packets of a sender are redirected, as they come in at the router, through an ifb device
 * that carries netem: on the sender's own device netem would hold back TCP, which counts what waits there (TCP small
 * queues). On the way back netem sits on the router's device towards the sender.
 */
import type { Host } from '../../core/host.ts';
import type { Way } from '../../core/link.ts';
import type { LeftHost } from '../topology/dumbbell.ts';

/** Packets that netem may hold: more than any link here has in flight. */
const limitPackets = 1_000_000;

const ifb = ({ routerDevice }: LeftHost) => `delay-${routerDevice}`;
const netem = (delayMs: number) => `netem delay ${Math.round(delayMs * 1000)}us limit ${limitPackets}`;

export class NetemDelay {
  readonly #router: Host;
  readonly #senders: readonly LeftHost[];

  constructor(router: Host, senders: readonly LeftHost[]) {
    this.#router = router;
    this.#senders = senders;
  }

  /** `ways`: by the name of the sender's host. */
  async set(ways: Readonly<Record<string, Pick<Way, 'downMs' | 'upMs'>>>): Promise<void> {
    await this.clear();
    for (const sender of this.#senders) {
      const { downMs, upMs } = ways[sender.host.name] ?? { downMs: 0, upMs: 0 };
      const device = sender.routerDevice;
      if (upMs > 0) await this.#router.run(['tc', 'qdisc', 'add', 'dev', device, 'root', ...netem(upMs).split(' ')]);
      if (downMs === 0) continue;
      await this.#router.run(['ip', '-batch', '-'], { input: `link add name ${ifb(sender)} type ifb\nlink set dev ${ifb(sender)} up` });
      await this.#router.run(['tc', '-batch', '-'], {
        input: [
          `qdisc add dev ${ifb(sender)} root ${netem(downMs)}`,
          `qdisc add dev ${device} clsact`,
          `filter add dev ${device} ingress matchall action mirred egress redirect dev ${ifb(sender)}`,
        ].join('\n'),
      });
    }
  }

  async clear(): Promise<void> {
    for (const sender of this.#senders) {
      const device = sender.routerDevice;
      await this.#router.run(['tc', 'qdisc', 'del', 'dev', device, 'root'], { allowFailure: true });
      await this.#router.run(['tc', 'qdisc', 'del', 'dev', device, 'clsact'], { allowFailure: true });
      await this.#router.run(['ip', 'link', 'del', 'dev', ifb(sender)], { allowFailure: true });
    }
  }
}
