/**
 * One trial, from an empty link to a complete record, with any number of applications.
 *
 *   set the link - those with a head start - the others - settling | measured window | teardown
 *
 * An application with a time of its own begins and ends by it. The end of the window is fixed before anything is
 * stopped, and nothing outside the window is ever measured.
 */
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { sleepUntil } from '../../core/deadline.ts';
import { capturedRate } from '../../core/frame-rate.ts';
import { baseRttOf, pathOf } from '../../core/link.ts';
import { gapLimits } from '../../core/measure.ts';
import { subjectOf } from '../../core/subject.ts';
import { LiveMeter } from '../derive/live-meter.ts';
import type { Application } from '../experiment/applications.ts';
import { experimentFormat } from '../experiment/plan.ts';
import type { Series } from '../record/schema/series.ts';
import { linkStopSeries } from '../record/series/link-stops.ts';
import { pingSeries } from '../record/series/ping.ts';
import { queueDelaySeries } from '../record/series/queue-delay.ts';
import type { Finding, TrialFile } from '../record/trial-file.ts';
import { ApplicationRun } from './application-run.ts';
import { cpuRatios, cpuUsed } from './cpu-used.ts';
import { emptySeriesFindings } from './empty-series.ts';
import { externalLossFindings } from './external-loss.ts';
import { Guard } from './guard.ts';
import { awaitProof } from './link-proof.ts';
import { linkStopFindings } from './link-stops.ts';
import { Probes } from './probes.ts';
import { orEarlier, plannedTimes, sampleTimes } from './sample-times.ts';
import { Sampler } from './sampler.ts';
import { SeriesWriter } from './series-writer.ts';
import { slowLinkFindings } from './slow-link.ts';
import { Timetable } from './timetable.ts';
import { traceFindings } from './traces.ts';
import { withDeadlines } from './trial-deadlines.ts';
import type { TrialOptions } from './trial-options.ts';
import { readQueueLog } from './trial-queue-log.ts';
import { clockFindings, machineFindings, suspendFindings, verdictOf } from './verdict.ts';
import { WindowReceived } from './window-received.ts';

/** What all applications have counted is read so long before the window, ms: known on both sides of its start. */
const aheadMs = 250;
const captureName = 'bottleneck.pcap';

class TrialRun {
  readonly #options: Required<TrialOptions>;
  readonly #applications: readonly ApplicationRun[];
  readonly #series: SeriesWriter;
  readonly #clock: Clock;
  readonly #probes: Probes;
  readonly #sampler: Sampler;
  readonly #steps: Guard;
  readonly #received: WindowReceived;
  readonly #live: LiveMeter;
  #timetable: Timetable | undefined;
  #linkFindings: Finding[] = [];
  /** Packets that the clients' devices had taken when the link was set. */
  #receivedAtStart = 0;
  #file: TrialFile;

  constructor(options: Required<TrialOptions>) {
    const { directory, applications, condition, study, trial, attempt, measure, clock } = options;
    this.#options = options;
    this.#live = new LiveMeter(gapLimits(measure, capturedRate(subjectOf(condition))));
    this.#clock = clock;
    this.#probes = new Probes(options.probes);
    this.#steps = new Guard(options.signal);
    this.#series = new SeriesWriter(directory);
    this.#applications = applications.map(
      one =>
        new ApplicationRun({
          ...one,
          directory,
          caption: captionOf(one.application, applications.length),
          baseRttMs: baseRttOf(pathOf(condition.link.paths, one.application.name)),
          live: one.application.name === condition.subject ? this.#live : undefined,
          clock,
        }),
    );
    this.#received = new WindowReceived(() => options.received(), this.#applications);
    this.#sampler = new Sampler({
      applications: this.#applications,
      subject: condition.subject,
      shapedLink: options.shapedLink,
      series: this.#series,
      live: this.#live,
      probes: this.#probes,
      steps: this.#steps,
      clock,
      onLive: options.onLive,
    });
    this.#file = {
      format: experimentFormat,
      study,
      trial,
      condition,
      attempt,
      verdict: verdictOf([]),
      phases: null,
      backend: null,
      network: null,
      preflight: null,
      bottleneck: null,
      queueLog: null,
      capture: null,
      applications: this.#applications.map(({ file }) => file),
      cpuRatio: null,
    };
  }

  /** Runs the trial. A part that fails makes it invalid; an interruption or a full disk is thrown. */
  async run(): Promise<TrialFile> {
    const findings: Finding[] = [];
    try {
      await this.#measure();
    } catch (error) {
      findings.push(this.#steps.finding(error));
    } finally {
      findings.push(...(await this.#end()));
    }
    const { phases } = this.#file;
    if (phases !== null) {
      phases.endMs = this.#clock.nowMs();
      findings.push(...this.#applications.flatMap(application => application.findings(phases, this.#sampler.host)));
      findings.push(...this.#emptySeries());
    }
    findings.push(...this.#linkFindings, ...this.#estimateFindings(), ...suspendFindings(this.#probes.sleptMs()));
    this.#file.verdict = verdictOf(
      findings.filter((finding, k) => findings.findIndex(other => other.message === finding.message) === k),
    );
    return this.#file;
  }

  async #measure(): Promise<void> {
    const { times, trial, shapedLink, link, network, checkNetwork } = this.#options;
    this.#steps.watch(network.failed);
    const preparedMs = this.#clock.nowMs();
    await shapedLink.clear();
    this.#file.network = await checkNetwork();
    if (!(await this.#proveLink())) return;
    this.#file.backend = await shapedLink.set(
      link,
      trial.seed,
      times.queueLog === 'off' ? {} : { log: this.#queueLogFile },
    );
    const { traces } = shapedLink;
    if (traces !== null) {
      this.#file.traces = traces;
      this.#linkFindings = [...this.#linkFindings, ...traceFindings(link, traces)];
    }
    this.#steps.watch(shapedLink.failed);
    await shapedLink.verify();
    if (times.externalLossRatio !== null) this.#receivedAtStart = await this.#receivedPackets();
    if (times.pcap) await this.#startCapture();

    // Inside the window no program has to be started for them: that would hold up the harness, and whoever begins or
    // ends at the same time. Before anything else is in use: the start of browsers holds up streams.
    await this.#guard(
      Promise.all(this.#applications.filter(({ application: { startMs } }) => startMs !== null).map(one => one.arm())),
    );
    const readyMs = await this.#openEarly();
    const planned = plannedTimes(this.#applications.map(({ application }) => application));
    const windowStartMs = Math.max(
      readyMs + times.settleMs,
      this.#clock.nowMs() + Math.max(aheadMs, ...planned.map(ms => -ms)),
    );
    const windowEndMs = windowStartMs + times.windowMs;
    this.#timetable = new Timetable(this.#applications, windowStartMs, this.#clock, index =>
      this.#begin(this.#applications[index]!),
    );
    this.#steps.watch(this.#timetable.failed);
    const until = (offsetMs: number) => this.#sleepUntil(windowStartMs + offsetMs);
    await until(orEarlier(-aheadMs, planned));
    await this.#sampler.collect();
    await this.#guard(this.#received.read('before'));
    const cpuBefore = await cpuUsed(this.#applications, this.#clock);
    await until(0);

    await this.#guard(shapedLink.start());
    this.#live.reset();
    const first = await this.#sampler.read();
    const [start, ...rest] = sampleTimes(times.windowMs, planned);
    const end = rest.pop()!;
    await until(start!);
    await this.#sampler.tell(windowStartMs);
    for (const sampleMs of rest) {
      await until(sampleMs);
      await this.#sampler.sample(windowStartMs);
    }
    await until(times.windowMs);
    const last = await this.#sampler.read();
    const cpuAfter = await cpuUsed(this.#applications, this.#clock);
    await this.#guard(this.#received.read('after'));
    await until(end);
    await this.#sampler.tell(windowStartMs);

    this.#file.cpuRatio = cpuRatios(cpuBefore, cpuAfter);
    this.#file.bottleneck = { before: first, after: last };
    await this.#guard(Promise.all(this.#open.map(application => application.describe())));
    this.#file.phases = { preparedMs, readyMs, windowStartMs, windowEndMs, endMs: windowEndMs };
    await this.#sleepUntil(windowEndMs + times.coolDownMs);
  }

  get #open(): ApplicationRun[] {
    return this.#applications.filter(({ isOpen }) => isOpen);
  }

  /**
   * Those that begin before the window by themselves. Returns when the last of them that has no head start was in use.
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

  /** Returns when it was in use. */
  async #begin(application: ApplicationRun): Promise<number> {
    const { readyMs } = await this.#guard(application.open());
    this.#steps.watch(application.failed);
    return readyMs;
  }

  /** Of what is watched for the whole window, whatever the applications are. */
  #emptySeries(): Finding[] {
    const { queueLog, bottleneck } = this.#file;
    const passed = bottleneck === null ? 0 : bottleneck.after.sentPackets - bottleneck.before.sentPackets;
    const watched = (series: Series, means: string) => ({
      file: series.file,
      records: this.#series.count(series),
      watchedMs: this.#options.times.windowMs,
      means,
    });
    return emptySeriesFindings([
      watched(pingSeries, 'no answer to a ping came in the whole trial, so nothing is known of round trips'),
      ...(queueLog !== null && passed > 0
        ? [watched(queueDelaySeries, 'packets passed the bottleneck, and its log has none of the window')]
        : []),
    ]);
  }

  #estimateFindings(): Finding[] {
    const { backend, phases } = this.#file;
    if (phases === null || backend === null) return [];
    return this.#applications.flatMap(({ estimates, file: { transport } }): Finding[] => {
      if (transport === null) return [];
      const message = estimates.tooHigh(this.#options.link, {
        backend,
        label: transport.label,
        window: { startMs: phases.windowStartMs, endMs: phases.windowEndMs },
      });
      return message === null ? [] : [{ kind: 'estimate', status: 'note', message }];
    });
  }

  /**
   * False where a trial on this link would tell nothing: it is not what was asked for, or the machine does not let it
   * be measured.
   */
  async #proveLink(): Promise<boolean> {
    const proof = await awaitProof(this.#options.prove(), this.#steps);
    if (proof === null) return true;
    this.#file.preflight = proof.reading;
    this.#linkFindings = [...proof.findings];
    return proof.findings.every(finding => finding.status !== 'invalid');
  }

  async #startCapture(): Promise<void> {
    const { network, directory } = this.#options;
    for (const failed of await this.#probes.startCapture(network, join(directory, captureName)))
      this.#steps.watch(failed);
  }

  #startProbes(): void {
    const isSubject = ({ application: { name } }: ApplicationRun) => name === this.#options.condition.subject;
    const { hosts, addresses } = this.#applications.find(isSubject)!.path;
    const everywhere = [this.#options.network.router, ...this.#applications.flatMap(one => one.hosts)];
    const failures = this.#probes.start(hosts.server, addresses.client, everywhere, record => {
      this.#live.ping(record);
      this.#series.write(pingSeries, record);
    });
    for (const failed of failures) this.#steps.watch(failed);
  }

  #sleepUntil(timeMs: number): Promise<void> {
    return this.#guard(sleepUntil(timeMs, this.#options.signal, this.#clock));
  }

  #guard<T>(step: Promise<T>): Promise<T> {
    return this.#steps.of(step);
  }

  /** Stops what runs, all of it whatever fails. */
  async #stop(): Promise<Finding[]> {
    const results = await Promise.allSettled([
      this.#timetable?.end(),
      ...this.#applications.map(one => one.stop()),
      ...this.#probes.stop(end => {
        this.#file.capture = { file: captureName, ...end };
      }),
    ]);
    return results.flatMap(result => (result.status === 'rejected' ? [this.#steps.finding(result.reason)] : []));
  }

  /**
   * Stops everything and completes the record, whatever came before. Throws only what ends the whole study, such as a
   * full disk.
   */
  async #end(): Promise<Finding[]> {
    const findings: Finding[] = [];
    try {
      findings.push(...(await this.#stop()));
      findings.push(...(await this.#describeHosts()));
      await this.#checkExternalLoss();
      if (this.#file.phases !== null) this.#linkFindings.push(...this.#received.findings());
      await this.#readQueueLog();
    } catch (error) {
      findings.push(this.#steps.finding(error));
    } finally {
      const closed = await Promise.allSettled(
        [this.#series, ...this.#applications.map(({ series }) => series)].map(series => series.close()),
      );
      for (const result of closed) if (result.status === 'rejected') findings.push(this.#steps.finding(result.reason));
    }
    return findings;
  }

  /** Takes down who the hosts were, where they are other machines. */
  async #describeHosts(): Promise<Finding[]> {
    const hosts = await this.#options.network.describe();
    if (hosts === null) return [];
    this.#file.hosts = hosts;
    return [
      ...clockFindings(Math.max(...hosts.map(({ clock }) => clock.uncertaintyMs))),
      ...hosts.flatMap(machineFindings),
    ];
  }

  /** Packets that the devices of all clients have taken. */
  async #receivedPackets(): Promise<number> {
    return (await this.#options.received()).reduce((sum, { packets }) => sum + packets, 0);
  }

  /** What left the bottleneck must have come to the clients, over the whole trial. */
  async #checkExternalLoss(): Promise<void> {
    const {
      times: { externalLossRatio },
      shapedLink,
    } = this.#options;
    if (externalLossRatio === null || this.#file.phases === null) return;
    const { sentPackets } = await shapedLink.counters();
    const receivedPackets = (await this.#receivedPackets()) - this.#receivedAtStart;
    this.#linkFindings.push(...externalLossFindings({ sentPackets, receivedPackets, mostRatio: externalLossRatio }));
  }

  get #queueLogFile(): string {
    return join(this.#options.directory, 'queue.log');
  }

  /** What the log of the queue says. Throws `link-refused` where it is not sound. */
  async #readQueueLog(): Promise<void> {
    const { link, shapedLink, times, network } = this.#options;
    const end = await shapedLink.endLog();
    const log = { end, file: this.#queueLogFile, router: network.router, phases: this.#file.phases };
    const read = await readQueueLog({ ...log, kept: times.queueLog === 'full' }, link, this.#applications);
    if (read === null) return;
    this.#file.queueLog = read.reading;
    for (const bin of read.delays) this.#series.write(queueDelaySeries, bin);
    for (const stop of read.stops) this.#series.write(linkStopSeries, stop);
    this.#linkFindings.push(...linkStopFindings(read.reading.stops ?? [], times.windowMs));
    const { windowStartMs: startMs, windowEndMs: endMs } = this.#file.phases!;
    this.#linkFindings.push(...slowLinkFindings(read.delays, link, { startMs, endMs }));
  }
}

/** What people call it where there are others. */
function captionOf({ name, title }: Application, applications: number): string | undefined {
  return title ?? (applications > 2 ? name : undefined);
}

export function runTrial(options: TrialOptions): Promise<TrialFile> {
  return new TrialRun(withDeadlines(options)).run();
}
