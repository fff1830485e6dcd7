/** Observes a trial from outside its applications: pings, load of the machine, and captures of packets. */
import { join } from 'node:path';
import type { Host } from '../../core/system/host.ts';
import type { Scope } from '../../core/system/scope.ts';
import { logAt } from '../../shaper/backend/link-chain.ts';
import { Capture } from '../../shaper/recording/capture.ts';
import type { Topology } from '../../shaper/topology/topology.ts';
import type { HostRecord } from '../record/series/host.ts';
import type { PingRecord } from '../record/series/ping.ts';
import type { TrialFile } from '../record/trial-file.ts';
import { HostLoadCollector } from './collect/host-load.ts';
import { PingCollector } from './collect/ping.ts';
import { SuspendMeter } from './collect/suspend.ts';

/** Name of the capture at the first bottleneck. */
const captureName = 'bottleneck.pcap';

/** Host and device at which a bottleneck sends packets. */
type BottleneckPlace = Pick<Topology, 'router' | 'bottleneckDevice'>;
type Watched = { readonly failed: Promise<never> };
type CaptureReading = NonNullable<TrialFile['capture']>;
type CaptureEnd = Pick<CaptureReading, 'packets' | 'drops'>;

/** Functions that create the probes; tests replace them. */
export type ProbeMakers = {
  /** Pings an address from a host. Calls `onPing` for each answer and for each missing one. */
  ping(host: Host, address: string, onPing: (record: PingRecord) => void): Watched & { stop(): Promise<void> };
  /** Samples the load of the machine, and of the processes on these hosts. */
  load(hosts: readonly Host[]): { sample(): HostRecord; stop(): void };
  /** Measures how long the machine has slept since the call, ms. */
  suspend(): Pick<SuspendMeter, 'sleptMs'>;
  /** Captures the headers of packets that leave a bottleneck into a file. */
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
  /** Captures that have been started, with the names of their files, in the order of the bottlenecks. */
  readonly #captures: { file: string; capture: Awaited<ReturnType<ProbeMakers['capture']>> }[] = [];

  constructor(make: ProbeMakers) {
    this.#make = make;
    this.#suspend = make.suspend();
  }

  /** Milliseconds for which the machine has slept since this object was created. */
  sleptMs(): number {
    return this.#suspend.sleptMs();
  }

  /** Starts a capture at each bottleneck, with its file in `directory`. An error of a capture ends `scope`. */
  async startCaptures(places: readonly BottleneckPlace[], directory: string, scope: Scope): Promise<void> {
    for (const [k, place] of places.entries()) {
      const file = logAt(captureName, k + 1);
      const capture = await this.#make.capture(place, join(directory, file));
      this.#captures.push({ file, capture });
      scope.watch(capture.failed);
    }
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

  /**
   * Stops all probes. Returns a promise for the end of each. `onCapture` gets the result of the capture at the first
   * bottleneck, with those of the others.
   */
  stop(onCapture: (reading: CaptureReading) => void): Promise<unknown>[] {
    this.#load?.stop();
    const readings: CaptureReading[] = [];
    const ends = this.#captures.map(async ({ file, capture }, k) => {
      readings[k] = { file, ...(await capture.stop()) };
    });
    const told = Promise.allSettled(ends).then(() => {
      const [first, ...rest] = readings;
      const further = rest.filter(reading => reading !== undefined);
      if (first !== undefined) onCapture(further.length === 0 ? first : { ...first, further });
    });
    return [this.#ping?.stop(), ...ends, told].filter(end => end !== undefined);
  }
}
