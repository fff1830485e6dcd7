/** Observes a trial from outside its applications: pings, load of the machine, and a capture of packets. */
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

/** Host and device at which the bottleneck sends packets. */
type BottleneckPlace = Pick<Topology, 'router' | 'bottleneckDevice'>;
type Watched = { readonly failed: Promise<never> };
type CaptureEnd = Omit<NonNullable<TrialFile['capture']>, 'file'>;

/** Functions that create the probes; tests replace them. */
export type ProbeMakers = {
  /** Pings an address from a host. Calls `onPing` for each answer and for each missing one. */
  ping(host: Host, address: string, onPing: (record: PingRecord) => void): Watched & { stop(): Promise<void> };
  /** Samples the load of the machine, and of the processes on these hosts. */
  load(hosts: readonly Host[]): { sample(): HostRecord; stop(): void };
  /** Measures how long the machine has slept since the call, ms. */
  suspend(): Pick<SuspendMeter, 'sleptMs'>;
  /** Captures the headers of packets that leave the bottleneck into a file. */
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

  /** Milliseconds for which the machine has slept since this object was created. */
  sleptMs(): number {
    return this.#suspend.sleptMs();
  }

  /** Starts the capture. An error of the capture ends `scope`. */
  async startCapture(place: BottleneckPlace, file: string, scope: Scope): Promise<void> {
    this.#capture = await this.#make.capture(place, file);
    scope.watch(this.#capture.failed);
  }

  /**
   * Starts the pings and the samples of the load. `hosts`: all hosts of the trial. Pings that end before `stop` end
   * `scope`.
   */
  start(from: Host, address: string, hosts: readonly Host[], scope: Scope, onPing: (record: PingRecord) => void): void {
    this.#ping = this.#make.ping(from, address, onPing);
    this.#load = this.#make.load(hosts);
    scope.watch(this.#ping.failed);
  }

  /** Returns the load of the machine since the last call. */
  load(): HostRecord {
    return this.#load!.sample();
  }

  /** Stops all probes. Returns a promise for the end of each. `onCapture` gets the result of the capture. */
  stop(onCapture: (end: CaptureEnd) => void): Promise<unknown>[] {
    this.#load?.stop();
    return [this.#ping?.stop(), this.#capture?.stop().then(onCapture)].filter(end => end !== undefined);
  }
}
