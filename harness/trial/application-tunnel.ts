/**
 * The tunnel of an application in one trial. Starts it for the port at which the application's server receives UDP,
 * watches it, stops it, and proves that no packet bypassed it.
 */
import { join } from 'node:path';
import { CoexistError } from '../../core/errors.ts';
import type { Network } from '../../core/system/network.ts';
import { Capture } from '../../shaper/recording/capture.ts';
import { hostDevice } from '../../shaper/topology/legs.ts';
import type { TunnelRecord } from '../record/series/tunnel.ts';
import type { Finding, TunnelReading } from '../record/trial-file.ts';
import type { BoundTunnel } from '../tunnels/bound-tunnel.ts';
import type { RunningTunnel } from '../tunnels/tunnel.ts';

export type TunnelOptions = {
  tunnel: Pick<BoundTunnel, 'title' | 'port' | 'open'>;
  /** Hosts of its ends, on the link. */
  path: Network;
  /** Address of the application's server; on the link only the client's end has it. */
  serverAddress: string;
};

/** Destination of its data. `directory`: folder of the application. */
type TunnelRecorder = { directory: string; report(record: TunnelRecord): void };

export class ApplicationTunnel {
  readonly reading: TunnelReading = { facts: null, besidePackets: null };
  readonly #options: TunnelOptions;
  readonly #recorder: TunnelRecorder;
  readonly #failure = Promise.withResolvers<never>();
  #witnesses: Capture[] = [];
  #running: RunningTunnel | undefined;
  #carried: Promise<void> | undefined;

  constructor(options: TunnelOptions, recorder: TunnelRecorder) {
    this.#options = options;
    this.#recorder = recorder;
    this.#failure.promise.catch(() => {}); // reported by the code that awaits `failed`
  }

  /** Rejects if the tunnel fails before `stop`. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  /** True once `carry` was called. */
  get isUsed(): boolean {
    return this.#carried !== undefined;
  }

  /** Carries the packets of the application's client to this port of its server, and the answers. Called once. */
  carry(port: number): Promise<void> {
    if (this.#carried !== undefined)
      return Promise.reject(
        new CoexistError('service-failed', `${this.#options.tunnel.title}: it carries a port already`),
      );
    return (this.#carried = this.#start(port));
  }

  async #start(port: number): Promise<void> {
    const { tunnel, path, serverAddress } = this.#options;
    const { directory } = this.#recorder;
    this.#witnesses = await Promise.all(
      (['server', 'client'] as const).map(end =>
        Capture.start(path.hosts[end], hostDevice, join(directory, `beside-tunnel.${end}.pcap`), tunnel.port),
      ),
    );
    for (const { failed } of this.#witnesses) failed.catch((error: unknown) => this.#failure.reject(error));
    const end = (side: 'server' | 'client') => ({ host: path.hosts[side], address: path.addresses[side] });
    const running = (this.#running = await tunnel.open({
      server: end('server'),
      client: end('client'),
      served: { address: serverAddress, port },
      directory,
      onReport: record => this.#recorder.report(record),
    }));
    running.failed.catch((error: unknown) => this.#failure.reject(error));
  }

  /** Records the facts that the tunnel reports. */
  describe(): void {
    this.reading.facts = this.#running?.describe() ?? null;
  }

  /** Ends the tunnel, and counts the packets that bypassed it. Throws the error that occurred. */
  async stop(): Promise<void> {
    await this.#carried?.catch(() => {}); // a tunnel that is still starting can be stopped once it has started
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
    const witnesses = this.#witnesses;
    this.#witnesses = [];
    if (witnesses.length === 0) return;
    const ends = await Promise.all(witnesses.map(witness => witness.stop()));
    this.reading.besidePackets = ends.reduce((sum, { packets, drops }) => sum + packets + drops, 0);
  }

  /** Findings that make a trial with this tunnel void. */
  findings(): Finding[] {
    const { besidePackets } = this.reading;
    const refuse = (message: string): Finding => ({ kind: 'link', status: 'invalid', message });
    if (besidePackets === null) return [refuse('nobody has counted the UDP packets beside the tunnel')];
    return besidePackets === 0
      ? []
      : [refuse(`UDP packets on the link outside of the tunnel: ${besidePackets} (beside-tunnel.*.pcap)`)];
  }
}
