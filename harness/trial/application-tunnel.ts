/**
 * Runs the tunnel of an application in one trial, for the port at which the application's server receives UDP. Counts
 * UDP packets that bypass the tunnel; a single one makes the trial void.
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
  /** Network with the hosts of the tunnel's ends, on the link. */
  path: Network;
  /** Address of the application's server. On the link only the client's end of the tunnel has this address. */
  serverAddress: string;
};

/** Records the tunnel. `directory`: folder of the application's record. */
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

  /** True once `carry` has been called. */
  get isUsed(): boolean {
    return this.#carried !== undefined;
  }

  /** Starts the tunnel for packets between the application's client and this port of its server. Called once. */
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

  /** Keeps the facts that the tunnel reports, for the record. */
  describe(): void {
    this.reading.facts = this.#running?.describe() ?? null;
  }

  /**
   * Ends the tunnel, then counts the UDP packets that bypassed it. Throws if the tunnel or the captures cannot be
   * stopped.
   */
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

  /** Returns findings that make the trial void: UDP packets bypassed the tunnel, or were not counted. */
  findings(): Finding[] {
    const { besidePackets } = this.reading;
    const refuse = (message: string): Finding => ({ kind: 'link', status: 'invalid', message });
    if (besidePackets === null) return [refuse('nobody has counted the UDP packets beside the tunnel')];
    return besidePackets === 0
      ? []
      : [refuse(`UDP packets on the link outside of the tunnel: ${besidePackets} (beside-tunnel.*.pcap)`)];
  }
}
