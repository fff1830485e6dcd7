/**
 * Pairs of veth devices on one host: packets routed into a near end come out of the far end, where coexist-link reads
 * them. Packets that the program sends back arrive at the near end. A near end has no ARP: its frames are addressed to
 * itself (native/port.h).
 */
import type { Host } from '../../core/system/host.ts';

export function farEnd(near: string): string {
  return `${near}Far`;
}

export class PortPairs {
  readonly #host: Host;
  readonly #near: readonly string[];

  private constructor(host: Host, near: readonly string[]) {
    this.#host = host;
    this.#near = near;
  }

  /**
   * Creates a pair for each name in `near`, and replaces pairs that an earlier program left. Both ends are up when this
   * resolves.
   */
  static async make(host: Host, near: readonly string[]): Promise<PortPairs> {
    const pairs = new PortPairs(host, near);
    await pairs.remove();
    await host.run(['ip', '-batch', '-'], {
      input: near
        .flatMap(name => [
          `link add name ${name} type veth peer name ${farEnd(name)}`,
          `link set dev ${name} arp off up`,
          `link set dev ${farEnd(name)} arp off up`,
        ])
        .join('\n'),
      code: 'missing-kernel-feature',
      hint: 'the link needs veth devices; "npm run doctor" tells more',
    });
    return pairs;
  }

  /** Removes the pairs and, with them, their routes. */
  async remove(): Promise<void> {
    await Promise.all(
      this.#near.map(name => this.#host.run(['ip', 'link', 'del', 'dev', name], { allowFailure: true })),
    );
  }
}
