/**
 * One trial, from an empty link to a complete record, with any number of applications.
 *
 *   set the link - those with a head start - the others - settling | measured window | teardown
 *
 * An application with a planned time begins and ends at that time. The end of the window is fixed before anything is
 * stopped, and nothing outside the window is measured.
 *
 * A window may have no end. Then commands change the trial, nothing of it is kept or judged, and the error that ends it
 * is thrown.
 */
import { join } from 'node:path';
import { deriveSeed } from '../../core/random.ts';
import type { Clock } from '../../core/system/clock.ts';
import { sleepUntil } from '../../core/system/deadline.ts';
import { hostsOf } from '../../core/system/network.ts';
import { Scope } from '../../core/system/scope.ts';
import { hopCount } from '../../core/vocabulary/hops.ts';
import { baseRttOf, pathOf } from '../../core/vocabulary/link.ts';
import { gapLimits } from '../../core/vocabulary/measure.ts';
import { subjectOf } from '../../core/vocabulary/subject.ts';
import { LiveMeter } from '../analysis/derive/live-meter.ts';
import type { Application } from '../definition/applications.ts';
import { trialNeverBegun } from '../record/never-begun.ts';
import { linkStopSeries } from '../record/series/link-stops.ts';
import { pingSeries } from '../record/series/ping.ts';
import { queueDelaySeries } from '../record/series/queue-delay.ts';
import type { Finding, TrialFile } from '../record/trial-file.ts';
import { ApplicationRun } from './application-run.ts';
import { cpuRatios, cpuUsed } from './cpu-used.ts';
import { emptyTrialSeries } from './empty-series.ts';
import { estimateFindings } from './estimate-findings.ts';
import { externalLossFindings } from './external-loss.ts';
import { awaitProof } from './link-proof.ts';
import { outsideFindings } from './outside-link.ts';
import { Probes } from './probes.ts';
import { orEarlier, plannedTimes, sampleTimes } from './sample-times.ts';
import { Sampler } from './sampler.ts';
import { SeriesWriter } from './series-writer.ts';
import { keepTimes } from './timetable.ts';
import { traceFindings } from './traces.ts';
import { Commands } from './trial-commands.ts';
import { withDeadlines } from './trial-deadlines.ts';
import type { TrialOptions } from './trial-options.ts';
import { readQueueLogs } from './trial-queue-log.ts';
import { clockFindings, failureFinding, machineFindings, suspendFindings, verdictOf } from './verdict.ts';
import { WindowReceived } from './window-received.ts';

/** Time from an additional reading of all applications (their counters) to the start of the window, ms. */
const aheadMs = 250;

class TrialRun {
  readonly #options: Required<TrialOptions>;
  /** Applications that begin and end without a command, in the order of the condition. */
  readonly #applications: readonly ApplicationRun[];
  readonly #onDemand = new Map<string, ApplicationRun>();
  readonly #commands: Commands;
  readonly #series: SeriesWriter;
  readonly #clock: Clock;
  readonly #probes: Probes;
  readonly #sampler: Sampler;
  readonly #scope: Scope;
  readonly #received: WindowReceived;
  readonly #live: LiveMeter;
  #timetable: Promise<void> | undefined;
  #linkFindings: Finding[] = [];
  /** Number of packets that the clients' devices had received when the link was set. */
  #receivedAtStart = 0;
  #file: TrialFile;

  constructor(options: Required<TrialOptions>) {
    const { applications, condition, study, trial, attempt, measure, clock } = options;
    this.#options = options;
    this.#live = new LiveMeter(gapLimits(measure, subjectOf(condition).frameRate));
    this.#clock = clock;
    this.#probes = new Probes(options.probes);
    this.#scope = new Scope({ signal: options.signal });
    this.#series = new SeriesWriter(this.#isKept ? options.directory : null, options.listenersOf(null));
    this.#applications = applications.filter(one => one.onDemand === undefined).map(one => this.#make(one));
    this.#commands = new Commands({
      shapedLink: options.shapedLink,
      scope: this.#scope,
      applications: this.#onDemand,
      make: async (name, params) => {
        const one = applications.find(({ application }) => application.name === name)!;
        const application = { ...one.application, service: { ...one.application.service, params } };
        return this.#make({ ...one, application, prepared: await one.onDemand!(application) });
      },
    });
    this.#received = new WindowReceived(() => options.received(), this.#applications);
    this.#sampler = new Sampler({
      applications: this.#applications,
      subject: condition.subject,
      shapedLink: options.shapedLink,
      series: this.#series,
      live: this.#live,
      probes: this.#probes,
      scope: this.#scope,
      clock,
      onLive: options.onLive,
    });
    this.#file = {
      ...trialNeverBegun(
        { study, trial, condition, attempt },
        this.#applications.map(({ file }) => file),
        [],
      ),
      network: null,
    };
  }

  /** False if the window has no end: the record would have no end either. */
  get #isKept(): boolean {
    return Number.isFinite(this.#options.times.windowMs);
  }

  #make(one: TrialOptions['applications'][number]): ApplicationRun {
    const { directory, condition, trial, clock, listenersOf, applications } = this.#options;
    const { name } = one.application;
    return new ApplicationRun({
      ...one,
      directory,
      isKept: this.#isKept,
      listeners: listenersOf(name),
      caption: captionOf(one.application, applications.filter(({ onDemand }) => onDemand === undefined).length),
      baseRttMs: baseRttOf(pathOf(condition.link.paths, name)),
      seed: deriveSeed(trial.seed, name),
      live: name === condition.subject ? this.#live : undefined,
      clock,
    });
  }

  /** Runs the trial. A part that fails makes the trial invalid. Throws if it is interrupted or the disk is full. */
  async run(): Promise<TrialFile> {
    const findings: Finding[] = [];
    try {
      await this.#measure();
    } catch (error) {
      if (!this.#isKept) throw error;
      findings.push(this.#finding(error));
    } finally {
      try {
        this.#options.onEnd();
      } finally {
        findings.push(...(await this.#end()));
      }
    }
    const { phases } = this.#file;
    if (phases !== null) {
      phases.endMs = this.#clock.nowMs();
      findings.push(...this.#applications.flatMap(application => application.findings(phases, this.#sampler.host)));
      findings.push(...emptyTrialSeries(this.#file, this.#series, this.#options.times.windowMs));
    }
    findings.push(
      ...this.#linkFindings,
      ...estimateFindings(this.#file, this.#options.condition.link, this.#applications),
      ...suspendFindings(this.#probes.sleptMs()),
    );
    this.#file.verdict = verdictOf(
      findings.filter((finding, k) => findings.findIndex(other => other.message === finding.message) === k),
    );
    return this.#file;
  }

  async #measure(): Promise<void> {
    const { times, trial, shapedLink, link, network, checkNetwork, sampleMs } = this.#options;
    this.#scope.watch(network.failed);
    const preparedMs = this.#clock.nowMs();
    await shapedLink.clear();
    this.#file.network = await checkNetwork();
    if (!(await this.#proveLink())) return;
    this.#file.backend = await shapedLink.set(
      link,
      trial.seed,
      times.queueLog === 'off' ? {} : { log: this.#queueLogFile },
    );
    const { traces, further } = shapedLink;
    if (traces !== null) this.#file.traces = traces;
    if (further.length > 0) this.#file.further = [...further];
    this.#linkFindings.push(...outsideFindings(this.#file.backend));
    this.#linkFindings.push(...traceFindings(link, [traces, ...further.map(hop => hop.traces)]));
    this.#scope.watch(shapedLink.failed);
    await shapedLink.verify();
    if (times.externalLossRatio !== null) this.#receivedAtStart = await this.#receivedPackets();
    if (times.pcap) await this.#startCaptures();

    // Applications with a planned start are armed now, before anything else is in use, because the start of browsers
    // delays streams. Then no program has to start for them inside the window, which would delay the harness and other
    // applications that begin or end at that time.
    await this.#scope.race(
      Promise.all(this.#applications.filter(({ application: { startMs } }) => startMs !== null).map(one => one.arm())),
    );
    const readyMs = await this.#openEarly();
    const planned = plannedTimes(this.#applications.map(({ application }) => application));
    const windowStartMs = Math.max(
      readyMs + times.settleMs,
      this.#clock.nowMs() + Math.max(aheadMs, ...planned.map(ms => -ms)),
    );
    const windowEndMs = windowStartMs + times.windowMs;
    this.#timetable = keepTimes(this.#applications, windowStartMs, this.#scope, this.#clock, index =>
      this.#begin(this.#applications[index]!),
    );
    const until = (offsetMs: number) => this.#sleepUntil(windowStartMs + offsetMs);
    await until(orEarlier(-aheadMs, planned));
    await this.#sampler.collect();
    await this.#scope.race(this.#received.read('before'));
    const cpuBefore = await cpuUsed(this.#applications, this.#clock);
    await until(0);

    await this.#scope.race(shapedLink.start());
    this.#live.reset();
    const first = await this.#sampler.read();
    this.#options.onWindow(this.#commands);
    const { startMs, betweenMs, endMs } = sampleTimes(times.windowMs, planned, sampleMs);
    await until(startMs);
    await this.#sampler.tell(windowStartMs);
    for (const offsetMs of betweenMs) {
      if (this.#clock.nowMs() >= windowStartMs + offsetMs + sampleMs) continue; // the next reading is due already
      await until(offsetMs);
      await this.#sampler.sample(windowStartMs);
    }
    await until(times.windowMs);
    const last = await this.#sampler.read();
    const cpuAfter = await cpuUsed(this.#applications, this.#clock);
    await this.#scope.race(this.#received.read('after'));
    await until(endMs);
    await this.#sampler.tell(windowStartMs);

    this.#file.cpuRatio = cpuRatios(cpuBefore, cpuAfter);
    this.#file.bottleneck = { before: first, after: last };
    await this.#scope.race(Promise.all(this.#open.map(application => application.describe())));
    this.#file.phases = { preparedMs, readyMs, windowStartMs, windowEndMs, endMs: windowEndMs };
    await this.#sleepUntil(windowEndMs + times.coolDownMs);
  }

  get #open(): ApplicationRun[] {
    return this.#applications.filter(({ isOpen }) => isOpen);
  }

  /**
   * Opens the applications that begin before the window without a command. Returns the time at which the last
   * application without a head start was in use.
   */
  async #openEarly(): Promise<number> {
    const early = this.#applications.filter(({ application: { startMs } }) => startMs === null);
    const ahead = early.filter(({ application: { headStartMs } }) => headStartMs !== null);
    const rest = early.filter(({ application: { headStartMs } }) => headStartMs === null);
    const openAll = async (which: readonly ApplicationRun[]) => {
      const readyMs = await Promise.all(which.map(application => this.#begin(application)));
      return Math.max(this.#clock.nowMs(), ...readyMs);
    };
    const aheadReadyMs = ahead.length === 0 ? undefined : await openAll(ahead);
    if (aheadReadyMs !== undefined)
      await this.#sleepUntil(
        this.#clock.nowMs() + Math.max(...ahead.map(({ application: { headStartMs } }) => headStartMs!)),
      );
    this.#startProbes();
    if (rest.length === 0) return aheadReadyMs ?? this.#clock.nowMs();
    await openAll(rest);
    return Math.max(...rest.map(({ file: { readyMs } }) => readyMs!));
  }

  /** Begins the use of an application. Returns the time from which it is in use. */
  async #begin(application: ApplicationRun): Promise<number> {
    const { readyMs } = await this.#scope.race(application.open());
    this.#scope.watch(application.failed);
    return readyMs;
  }

  /** Proves the link. False if the link differs from the request, or if the machine prevents measuring it. */
  async #proveLink(): Promise<boolean> {
    const proof = await awaitProof(this.#options.prove(), this.#scope);
    if (proof === null) return true;
    this.#file.preflight = proof.reading;
    this.#linkFindings = [...proof.findings];
    return proof.findings.every(finding => finding.status !== 'invalid');
  }

  /** Starts a capture at each bottleneck of the link. The network may have more, for other links of the study. */
  async #startCaptures(): Promise<void> {
    const { network, directory, link } = this.#options;
    await this.#probes.startCaptures(network.hops.slice(0, hopCount([link])), directory, this.#scope);
  }

  #startProbes(): void {
    const isSubject = ({ application: { name } }: ApplicationRun) => name === this.#options.condition.subject;
    const { hosts, addresses } = this.#applications.find(isSubject)!.path;
    const all = this.#options.applications.flatMap(({ network, tunnel }) =>
      [network, tunnel?.path ?? network].flatMap(hostsOf),
    );
    const everywhere = [...this.#options.network.hops.map(({ router }) => router), ...all];
    this.#probes.start(hosts.server, addresses.client, everywhere, this.#scope, record => {
      this.#live.ping(record);
      this.#series.write(pingSeries, record);
    });
  }

  #sleepUntil(timeMs: number): Promise<void> {
    return this.#scope.race(sleepUntil(timeMs, this.#options.signal, this.#clock));
  }

  #finding(error: unknown): Finding {
    return failureFinding(error, this.#options.signal);
  }

  /** Stops all running parts, even if some fail to stop. */
  async #stop(): Promise<Finding[]> {
    const results = await Promise.allSettled([
      this.#timetable,
      this.#commands.end(),
      ...[...this.#applications, ...this.#onDemand.values()].map(one => one.stop()),
      ...this.#probes.stop(reading => {
        this.#file.capture = reading;
      }),
    ]);
    return results.flatMap(result => (result.status === 'rejected' ? [this.#finding(result.reason)] : []));
  }

  /**
   * Stops everything and completes the record, whatever happened before. Throws only errors that end the whole study,
   * such as a full disk.
   */
  async #end(): Promise<Finding[]> {
    const findings: Finding[] = [];
    this.#scope.end();
    try {
      findings.push(...(await this.#stop()));
      findings.push(...(await this.#describeHosts()));
      await this.#checkExternalLoss();
      if (this.#file.phases !== null) this.#linkFindings.push(...this.#received.findings());
      await this.#readQueueLog();
    } catch (error) {
      findings.push(this.#finding(error));
    } finally {
      const closed = await Promise.allSettled(
        [this.#series, ...this.#applications.map(({ series }) => series)].map(series => series.close()),
      );
      for (const result of closed) if (result.status === 'rejected') findings.push(this.#finding(result.reason));
    }
    return findings;
  }

  /** Records facts about the hosts if they are machines of a lab. Returns findings about them. */
  async #describeHosts(): Promise<Finding[]> {
    const hosts = await this.#options.network.describe();
    if (hosts === null) return [];
    this.#file.hosts = hosts;
    return [
      ...clockFindings(Math.max(...hosts.map(({ clock }) => clock.uncertaintyMs))),
      ...hosts.flatMap(machineFindings),
    ];
  }

  /** Returns the number of packets that the devices of all clients have received. */
  async #receivedPackets(): Promise<number> {
    return (await this.#options.received()).reduce((sum, { packets }) => sum + packets, 0);
  }

  /** Compares the packets that left the bottleneck with those that reached the clients, over the whole trial. */
  async #checkExternalLoss(): Promise<void> {
    const {
      times: { externalLossRatio },
      shapedLink,
    } = this.#options;
    if (externalLossRatio === null || this.#file.phases === null) return;
    const counters = await shapedLink.counters();
    const { sentPackets } = counters.further.at(-1) ?? counters;
    const receivedPackets = (await this.#receivedPackets()) - this.#receivedAtStart;
    this.#linkFindings.push(...externalLossFindings({ sentPackets, receivedPackets, mostRatio: externalLossRatio }));
  }

  get #queueLogFile(): string {
    return join(this.#options.directory, 'queue.log');
  }

  /** Reads the queue logs into the record and the series. Throws `link-refused` if one is incomplete. */
  async #readQueueLog(): Promise<void> {
    const { condition, shapedLink, times, network } = this.#options;
    const ends = await shapedLink.endLogs();
    const log = { ends, file: this.#queueLogFile, router: network.router, phases: this.#file.phases };
    const read = await readQueueLogs({ ...log, kept: times.queueLog === 'full' }, condition.link, this.#applications);
    if (read === null) return;
    this.#file.queueLog = read.reading;
    for (const bin of read.delays) this.#series.write(queueDelaySeries, bin);
    for (const stop of read.stops) this.#series.write(linkStopSeries, stop);
    this.#linkFindings.push(...read.findings);
  }
}

/** Returns the title; without one, the name in trials of more than two applications, else undefined. */
function captionOf({ name, title }: Application, applications: number): string | undefined {
  return title ?? (applications > 2 ? name : undefined);
}

export function runTrial(options: TrialOptions): Promise<TrialFile> {
  return new TrialRun(withDeadlines(options)).run();
}
