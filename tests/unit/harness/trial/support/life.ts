/**
 * A trial in virtual time whose parts are stand-ins. Every call to a stand-in is recorded with its time. Each stand-in
 * can fail, hang or interrupt the study. `running`: parts that were started and not stopped.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CoexistError } from '../../../../../core/errors.ts';
import { sleep } from '../../../../../core/system/deadline.ts';
import { networkBetween } from '../../../../../core/system/network.ts';
import { type BackendId, plainLink } from '../../../../../core/vocabulary/link.ts';
import type { Application } from '../../../../../harness/definition/applications.ts';
import { serviceSeries } from '../../../../../harness/record/series/service.ts';
import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import type { PreparedService, RunningService, TrialContext } from '../../../../../harness/services/service.ts';
import { runTrial } from '../../../../../harness/trial/trial.ts';
import type { TrialOptions } from '../../../../../harness/trial/trial-options.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { fakeHost } from '../../support/fake-host.ts';
import { application } from '../../support/record.ts';

export const windowMs = 4000;
export const settleMs = 500;

/** One application of each kind: the subject, one with a head start, and two with planned times. */
const applications: Application[] = [
  application('call', 'video-call', 'stand-in', {}),
  { ...application('ahead', 'baseline', 'stand-in', {}), headStartMs: 300 },
  { ...application('brief', 'baseline', 'stand-in', {}), startMs: 0, stopMs: 2000 },
  { ...application('late', 'baseline', 'stand-in', {}), startMs: 2950 },
];

/**
 * Behaviour of a stand-in at a call: it fails, never answers, answers a second late, or interrupts the study and
 * answers a second later.
 */
export type Fault = { at: string; does: 'fail' | 'hang' | 'delay' | 'interrupt' };

export const delayMs = 1000;

export const interruption = new CoexistError('interrupted', 'interrupted by the test');

/** Time that a stand-in takes for an answer, ms. */
export const answerMs = 20;

const router = fakeHost('true', '', 'router');

export class Life {
  readonly clock = new VirtualClock();
  /** Calls to the stand-ins in order, with their times. */
  readonly asked: { what: string; atMs: number }[] = [];
  /** Parts that were started and not stopped. */
  readonly running = new Set<string>();
  /** Backend that forms the link. */
  backend: BackendId = 'emulator';
  /** True if pings are answered. */
  hasPings = true;
  /** Milliseconds for which the machine sleeps during the trial. */
  sleptMs = 0;
  readonly network: TrialOptions['network'] = {
    router,
    hops: [{ router, bottleneckDevice: 'toClient' }],
    failed: new Promise<never>(() => {}),
    describe: async () => null,
  };
  readonly #abort = new AbortController();
  readonly #fault: Fault | undefined;
  readonly #dies = new Map<string, (error: unknown) => void>();
  readonly #directory: string;
  /** Promise that resolves when the window begins. */
  readonly #window = Promise.withResolvers<void>();

  /** `directory`: folder to create for the trial. */
  constructor(directory: string, fault?: Fault) {
    mkdirSync(directory, { recursive: true });
    this.#directory = directory;
    this.#fault = fault;
  }

  /** Returns the times of the calls named `what`. */
  times(what: string): number[] {
    return this.asked.filter(step => step.what === what).map(({ atMs }) => atMs);
  }

  /** Lets a part die at `offsetMs` from the start of the window. */
  die(part: string, offsetMs: number): void {
    this.atWindow(offsetMs, () =>
      this.#dies.get(part)!(new CoexistError('link-died', `${part} has ended in the middle`)),
    );
  }

  /** Calls `then` at `offsetMs` from the start of the window. */
  atWindow(offsetMs: number, then: () => void): void {
    void this.#window.promise.then(() => this.clock.after(offsetMs, then));
  }

  /** Runs the trial. `change`: options that differ from the usual ones. */
  run(change: Partial<TrialOptions> | ((options: TrialOptions) => Partial<TrialOptions>) = {}): Promise<TrialFile> {
    const options = this.#options();
    return this.clock.run(runTrial({ ...options, ...(typeof change === 'function' ? change(options) : change) }));
  }

  /**
   * Returns options with `count` more clients of an application. `watched` gets the names of the hosts that probes
   * watch.
   */
  withFurtherClients(name: string, count: number, watched: string[]): Partial<TrialOptions> {
    const { applications: all, probes } = this.#options();
    const further = Array.from({ length: count }, (_, k) => ({
      host: fakeHost('true', '', `further-${k + 1}`),
      address: `10.0.2.${100 + k}`,
    }));
    return {
      applications: all.map(one =>
        one.application.name === name ? { ...one, network: { ...one.network, furtherClients: further } } : one,
      ),
      probes: {
        ...probes!,
        load: hosts => {
          watched.push(...hosts.map(host => host.name));
          return probes!.load(hosts);
        },
      },
    };
  }

  async #ask(what: string): Promise<void> {
    this.asked.push({ what, atMs: this.clock.nowMs() });
    const fault = this.#fault?.at === what ? this.#fault.does : undefined;
    if (fault === 'hang') return new Promise(() => {});
    if (fault === 'interrupt') this.#abort.abort(interruption);
    if (fault === 'interrupt' || fault === 'delay') await sleep(delayMs, undefined, this.clock);
    await sleep(answerMs, undefined, this.clock);
    if (fault === 'fail') throw new CoexistError('service-failed', `${what}: it cannot`);
  }

  /** Starts a part, which counts as running until `stopped`. */
  async #start(what: string): Promise<void> {
    await this.#ask(what);
    this.running.add(what);
  }

  async #stop(what: string, started: string): Promise<void> {
    await this.#ask(what);
    this.running.delete(started);
  }

  #failed(part: string): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.#dies.set(part, reject);
    return promise;
  }

  #service(name: string): PreparedService {
    const open = async (trial: TrialContext): Promise<RunningService> => {
      await this.#start(`${name} opens`);
      let bytes = 0;
      return {
        failed: this.#failed(name),
        readyMs: this.clock.nowMs(),
        collect: async () => {
          await this.#ask(`${name} tells`);
          trial.write(serviceSeries, {
            timeMs: this.clock.nowMs(),
            kind: 'transfer',
            receivedBytes: (bytes += 1e6),
            flows: 1,
          });
          return { framesPerSecond: null, goodputBps: 8e6, lost: false };
        },
        clocks: async () => {
          await this.#ask(`${name} describes itself`);
          const same = { offsetMs: 0, uncertaintyMs: 0 };
          return { server: same, page: same };
        },
        describe: () => ({ stand: 'in' }),
        transport: () => null,
        setPaused: isPaused => this.#ask(`${name} ${isPaused ? 'pauses' : 'goes on'}`),
        stop: () => this.#stop(`${name} stops`, `${name} opens`),
      };
    };
    return {
      open,
      arm: async trial => {
        await this.#start(`${name} is armed`);
        return {
          begin: async () => {
            this.running.delete(`${name} is armed`);
            return open(trial);
          },
          stop: () => this.#stop(`${name} is disarmed`, `${name} is armed`),
        };
      },
    };
  }

  #options(): TrialOptions {
    const names = applications.map((_, k) => `left-${k + 1}`);
    const link = plainLink(10e6, { unit: 'packets', value: 100 }, names);
    const counters = {
      sentBytes: 0,
      sentPackets: 0,
      droppedPackets: 0,
      markedPackets: 0,
      backlogBytes: 0,
      backlogPackets: 0,
    };
    const end = (name: string, address: string) => ({ host: fakeHost('true', '', name), address });
    const failed = this.#failed('the link');
    return {
      study: 'life',
      times: { windowMs, settleMs, coolDownMs: 200, queueLog: 'summary', pcap: true, externalLossRatio: 0.01 },
      trial: { number: 1, id: '0001-all', condition: 'all', repeat: 1, seed: 7 },
      condition: {
        id: 'all',
        title: 'All',
        baseline: 'all',
        subject: 'call',
        link: plainLink(
          10e6,
          link.queue,
          applications.map(({ name }) => name),
        ),
        applications,
      },
      attempt: 1,
      directory: this.#directory,
      network: this.network,
      checkNetwork: async () => {
        await this.#ask('the network is checked');
        return { hosts: [], routesMs: 0, offloadsMs: 0 };
      },
      link,
      applications: applications.map((one, k) => ({
        application: one,
        network: networkBetween(end(`left-${k + 1}`, `10.0.${k + 3}.2`), end(`right-${k + 1}`, `10.0.2.${k + 2}`)),
        prepared: this.#service(one.name),
      })),
      received: async () => {
        await this.#ask('received');
        return applications.map(() => ({ timeMs: this.clock.nowMs(), bytes: 1000 * this.clock.nowMs(), packets: 0 }));
      },
      shapedLink: {
        clear: () => this.#ask('the link is cleared'),
        set: async () => {
          await this.#start('the link is set');
          return this.backend;
        },
        failed,
        traces: null,
        further: [],
        change: async change => {
          await this.#ask('the link is changed');
          return { ...link, ...change };
        },
        verify: () => this.#ask('the link is verified'),
        start: async () => {
          this.#window.resolve();
          await this.#ask('the link starts');
          return null;
        },
        counters: async () => {
          await this.#ask('counters');
          return { ...counters, up: null, loss: [], further: [] };
        },
        endLogs: async () => {
          await this.#stop('the log ends', 'the link is set');
          return [];
        },
      },
      prove: async () => {
        await this.#ask('the link is proved');
        return null;
      },
      signal: this.#abort.signal,
      onLive: () => {},
      clock: this.clock,
      probes: {
        ping: (_host, _address, onPing) => {
          this.running.add('ping');
          if (this.hasPings) onPing({ timeMs: this.clock.nowMs(), sequence: 1, rttMs: 50 });
          return { failed: this.#failed('ping'), stop: () => this.#stop('ping stops', 'ping') };
        },
        load: () => {
          this.running.add('load');
          return {
            sample: () => ({
              timeMs: this.clock.nowMs(),
              cores: 2,
              busyRatio: 0.5,
              stealRatio: 0,
              wakeUpDelayMaxMs: 1,
              harnessDelayMaxMs: 1,
            }),
            stop: () => void this.running.delete('load'),
          };
        },
        capture: async () => {
          await this.#start('the capture starts');
          return {
            failed: this.#failed('the capture'),
            stop: async () => {
              await this.#stop('the capture stops', 'the capture starts');
              return { packets: 0, drops: 0 };
            },
          };
        },
        suspend: () => ({ sleptMs: () => this.sleptMs }),
      },
    };
  }
}

/** Returns the folder of the n-th trial in a test's folder. */
export const lifeFolder = (folder: string, n: number) => join(folder, `life-${n}`);
