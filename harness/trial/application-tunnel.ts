/**
 * The tunnel of an application in one trial: starts it for the port at which the application's server takes UDP,
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
  /** Address of the application's server, which nobody on the link has but the client's end. */
  serverAddress: string;
};

/** What is written of it: `directory` is the application's folder. */
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
    this.#failure.promise.catch(() => {}); // told by whoever waits for it
  }

  /** Rejects when it fails before `stop`. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  /** Whether anything has been asked of it. */
  get isUsed(): boolean {
    return this.#carried !== undefined;
  }

  /** Carries what the application's client sends to that port of its server, and the answers. Called once. */
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

  /** Takes down what it says of itself. */
  describe(): void {
    this.reading.facts = this.#running?.describe() ?? null;
  }

  /** Ends it, and counts what went past it. Throws what went wrong. */
  async stop(): Promise<void> {
    await this.#carried?.catch(() => {}); // one that is still starting can be stopped when it has
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
    const witnesses = this.#witnesses;
    this.#witnesses = [];
    if (witnesses.length === 0) return;
    const ends = await Promise.all(witnesses.map(witness => witness.stop()));
    this.reading.besidePackets = ends.reduce((sum, { packets, drops }) => sum + packets + drops, 0);
  }

  /** What makes a trial with it void. */
  findings(): Finding[] {
    const { besidePackets } = this.reading;
    const refuse = (message: string): Finding => ({ kind: 'link', status: 'invalid', message });
    if (besidePackets === null) return [refuse('nobody has counted the UDP packets beside the tunnel')];
    return besidePackets === 0
      ? []
      : [refuse(`UDP packets on the link outside of the tunnel: ${besidePackets} (beside-tunnel.*.pcap)`)];
  }
}
