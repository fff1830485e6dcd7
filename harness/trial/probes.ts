/** Monitoring of a trial outside its applications: pings, the load of the machine, a capture of packets. */
import type { Host } from '../../core/system/host.ts';
import type { Scope } from '../../core/system/scope.ts';
import { Capture } from '../../shaper/recording/capture.ts';
import type { Topology } from '../../shaper/topology/topology.ts';
import type { HostRecord } from '../record/series/host.ts';
import type { PingRecord } from '../record/series/ping.ts';
import type { TrialFile } from '../record/trial-file.ts';
import { HostLoadCollector } from './collect/host-load.ts';
import { PingCollector } from './collect/ping.ts';
import { SuspendMeter } from './collect/suspend.ts';

/** Where the bottleneck is. */
type BottleneckPlace = Pick<Topology, 'router' | 'bottleneckDevice'>;
type Watched = { readonly failed: Promise<never> };
type CaptureEnd = Omit<NonNullable<TrialFile['capture']>, 'file'>;

/** How the probes are made. */
export type ProbeMakers = {
  /** Pings from a host to an address; each answer, or that there is none, is told. */
  ping(host: Host, address: string, onPing: (record: PingRecord) => void): Watched & { stop(): Promise<void> };
  /** The machine, and what the trial has on these hosts of it. */
  load(hosts: readonly Host[]): { sample(): HostRecord; stop(): void };
  /** Time that the machine has slept since this was made. */
  suspend(): Pick<SuspendMeter, 'sleptMs'>;
  /** Headers of what leaves the bottleneck, into a file. */
  capture(place: BottleneckPlace, file: string): Promise<Watched & { stop(): Promise<CaptureEnd> }>;
};

export const realProbes: ProbeMakers = {
  ping: (host, address, onPing) => new PingCollector(host, address, onPing),
  load: hosts => new HostLoadCollector(hosts),
  suspend: () => new SuspendMeter(),
  capture: ({ router, bottleneckDevice }, file) => Capture.start(router, bottleneckDevice, file),
};

export class Probes {
  readonly #make: ProbeMakers;
  readonly #suspend: ReturnType<ProbeMakers['suspend']>;
  #ping: ReturnType<ProbeMakers['ping']> | undefined;
  #load: ReturnType<ProbeMakers['load']> | undefined;
  #capture: Awaited<ReturnType<ProbeMakers['capture']>> | undefined;

  constructor(make: ProbeMakers) {
    this.#make = make;
    this.#suspend = make.suspend();
  }

  /** Time that the machine has slept since this was made. */
  sleptMs(): number {
    return this.#suspend.sleptMs();
  }

  /** `scope` ends when the capture fails. */
  async startCapture(place: BottleneckPlace, file: string, scope: Scope): Promise<void> {
    this.#capture = await this.#make.capture(place, file);
    scope.watch(this.#capture.failed);
  }

  /** `hosts`: all of the trial; `scope` ends when the pings end before `stop`. */
  start(from: Host, address: string, hosts: readonly Host[], scope: Scope, onPing: (record: PingRecord) => void): void {
    this.#ping = this.#make.ping(from, address, onPing);
    this.#load = this.#make.load(hosts);
    scope.watch(this.#ping.failed);
  }

  /** The machine since the last call. */
  load(): HostRecord {
    return this.#load!.sample();
  }

  /** Ends all that was started: what each end comes to, and what the capture holds. */
  stop(onCapture: (end: CaptureEnd) => void): Promise<unknown>[] {
    this.#load?.stop();
    return [this.#ping?.stop(), this.#capture?.stop().then(onCapture)].filter(end => end !== undefined);
  }
}
