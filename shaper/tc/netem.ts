/**
 * Propagation delay of each sender by the kernel's netem. netem is never on the bottleneck's device, and its limit is
 * never reached.
 *
 * Towards the client, packets of a sender are redirected through an ifb device with netem when they enter the router.
 * On the sender's own device netem would throttle TCP, which counts packets that wait there (TCP small queues). On the
 * return path netem is on the router's device towards the sender.
 */
import { type Path, pathOf } from '../../core/vocabulary/link.ts';
import type { Topology } from '../topology/topology.ts';

/** Packets that netem may hold; more than any link has in flight. */
const limitPackets = 1_000_000;

/** Returns the name of the ifb device for the packets that come in at a device of the router. */
export const delayDevice = (device: string) => `delay-${device}`.slice(0, 15);
const netem = (delayMs: number) => `netem delay ${Math.round(delayMs * 1000)}us limit ${limitPackets}`;

export class NetemDelay {
  readonly #topology: Pick<Topology, 'left' | 'router'>;

  constructor(topology: Pick<Topology, 'left' | 'router'>) {
    this.#topology = topology;
  }

  async set(paths: Readonly<Record<string, Pick<Path, 'downMs' | 'upMs'>>>): Promise<void> {
    await this.clear();
    const { left, router } = this.#topology;
    const delayed = left
      .map(({ host: { name }, device }) => ({ device, ...pathOf(paths, name) }))
      .filter(({ downMs, upMs }) => downMs > 0 || upMs > 0);
    if (delayed.length === 0) return;
    const down = delayed.filter(({ downMs }) => downMs > 0);
    if (down.length > 0)
      await router.run(['ip', '-batch', '-'], {
        input: down
          .map(({ device }) => `link add name ${delayDevice(device)} type ifb\nlink set dev ${delayDevice(device)} up`)
          .join('\n'),
      });
    await router.run(['tc', '-batch', '-'], {
      input: [
        ...delayed
          .filter(({ upMs }) => upMs > 0)
          .map(({ device, upMs }) => `qdisc add dev ${device} root ${netem(upMs)}`),
        ...down.flatMap(({ device, downMs }) => [
          `qdisc add dev ${delayDevice(device)} root ${netem(downMs)}`,
          `qdisc add dev ${device} clsact`,
          `filter add dev ${device} ingress matchall action mirred egress redirect dev ${delayDevice(device)}`,
        ]),
      ].join('\n'),
    });
  }

  /** Removes all parts that exist. Commands that remove missing parts fail without effect. */
  async clear(): Promise<void> {
    const { left, router } = this.#topology;
    await router.run(['tc', '-force', '-batch', '-'], {
      input: left
        .flatMap(({ device }) => [`qdisc del dev ${device} root`, `qdisc del dev ${device} clsact`])
        .join('\n'),
      allowFailure: true,
    });
    await router.run(['ip', '-force', '-batch', '-'], {
      input: left.map(({ device }) => `link del dev ${delayDevice(device)}`).join('\n'),
      allowFailure: true,
    });
  }
}
