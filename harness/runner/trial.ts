/**
 * One trial, from an empty link to a complete record.
 *
 *   set the link - flood - client - first picture - start-up | measured window | teardown
 *
 * The end of the window is fixed before anything is stopped, and nothing outside the window is ever measured.
 */
import { join } from 'node:path';
import { nowMs } from '../../core/clock.ts';
import { sleep, sleepUntil } from '../../core/deadline.ts';
import type { Lease } from '../../core/lease.ts';
import type { Network } from '../../core/network.ts';
import { roles } from '../../core/host.ts';
import { PingCollector } from '../collect/ping.ts';
import { HostLoadCollector, cpuSeconds } from '../collect/host-load.ts';
import { EstimateMeter } from '../derive/estimate-meter.ts';
import { LiveMeter } from '../derive/live-meter.ts';
import type { LiveReading } from '../derive/live-meter.ts';
import type { Condition } from '../experiment/conditions.ts';
import type { RunTimes, Trial } from '../experiment/plan.ts';
import type { FloodPlugin, RunningFlood } from '../floods/flood.ts';
import type { HostRecord, MediaQueueRecord, QueueDelayRecord } from '../record/series.ts';
import type { BottleneckReading, BySender, Finding, TrialFile } from '../record/trial-file.ts';
import type { PreparedService, RunningService } from '../services/service.ts';
import type { LinkBox } from '../../shaper/backend/link-box.ts';
import { digestQueueLog } from '../../shaper/queue-log/digest.ts';
import { Capture } from '../../shaper/recording/capture.ts';
import { bottleneckDevice } from '../../shaper/topology/dumbbell.ts';
import type { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { Guard } from './guard.ts';
import { awaitProof } from './link-proof.ts';
import type { Proof } from './link-proof.ts';
import { SeriesWriter } from './series-writer.ts';
import { accountOf, noVitals, serviceSeries } from './service-series.ts';
import { readSoundLog } from './sound-log.ts';
import { hostFindings, verdictOf } from './verdict.ts';

export type TrialOptions = {
  study: string;
  run: RunTimes;
  trial: Trial;
  condition: Condition;
  attempt: number;
  /** Folder to write to; it exists and is empty. */
  directory: string;
  lease: Lease;
  dumbbell: Dumbbell;
  link: LinkBox;
  service: PreparedService;
  flood: FloodPlugin;
  signal: AbortSignal;
  /** Has the link proved; null where that is not wanted. */
  prove(): Promise<Proof | null>;
  /** Called once a second of the window. */
  onLive(values: LiveReading & { elapsedMs: number }): void;
};

/** Time that a trial may take beside its window, its start-up and its lead, before the flood ends by itself. */
const marginMs = 60_000;
const sampleMs = 1000;
const captureName = 'bottleneck.pcap';

type Running = { ping: PingCollector; load: HostLoadCollector; flood: RunningFlood | null; service: RunningService; capture: Capture };

class TrialRun {
  readonly #options: TrialOptions;
  readonly #network: Network;
  readonly #series: SeriesWriter;
  readonly #vitals = { ...noVitals(), host: [] as HostRecord[] };
  readonly #running: Partial<Running> = {};
  readonly #steps: Guard;
  readonly #live = new LiveMeter();
  readonly #estimates = new EstimateMeter();
  #connectionLost = false;
  #linkFindings: Finding[] = [];
  #file: TrialFile;

  constructor(options: TrialOptions) {
    this.#options = options;
    this.#steps = new Guard(options.signal);
    this.#network = { hosts: options.dumbbell.hosts, addresses: options.dumbbell.addresses };
    this.#series = new SeriesWriter(options.directory);
    const { study, trial, condition, attempt } = options;
    this.#file = {
      format: 2, study, trial, condition, attempt, verdict: verdictOf([]),
      phases: null, clocks: null, backend: null, preflight: null, bottleneck: null, queueLog: null, capture: null, flood: null, service: null, cpuRatio: null,
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
      findings.push(...await this.#end());
    }
    if (this.#file.phases !== null && this.#file.clocks !== null) {
      this.#file.phases.endMs = nowMs();
      findings.push(...hostFindings({ phases: this.#file.phases, clocks: this.#file.clocks, ...this.#vitals }));
    }
    findings.push(...this.#linkFindings, ...this.#estimateFindings());
    if (this.#connectionLost) findings.push({ kind: 'failure', status: 'degraded', message: 'the viewer\'s connection gave up in the window' });
    this.#file.verdict = verdictOf(findings);
    return this.#file;
  }

  async #measure(): Promise<void> {
    const { run, condition, trial, link, dumbbell } = this.#options;
    const preparedMs = nowMs();
    await link.clear();
    await Promise.all([dumbbell.checkRoutes(), dumbbell.checkOffloads()]); // before any loss is there to lose the probes
    if (!await this.#proveLink()) return;
    this.#file.backend = await link.set(condition.link, trial.seed, run.queueLog === 'off' ? {} : { log: this.#queueLogFile });
    this.#steps.watch(link.failed);
    await link.verify();
    if (run.pcap) await this.#startCapture();

    const flood = await this.#startFlood(run.windowMs + run.startUpMs + run.floodLeadMs + marginMs);
    const floodStartMs = flood === null ? null : nowMs();
    if (flood !== null) await this.#guard(sleep(run.floodLeadMs));
    const clientStartMs = nowMs();
    this.#startProbes();
    const service = await this.#openService();
    await this.#guard(sleepUntil(service.readyMs + run.startUpMs));

    if (flood !== null) await this.#guard(flood.sample()); // so that its counters are known on both sides of the window's start
    const windowStartMs = nowMs();
    await this.#guard(link.start());
    const cpuBefore = await this.#cpu();
    this.#live.reset();
    const before = await this.#sample(windowStartMs);
    for (let k = 1; k * sampleMs < run.windowMs; k++) {
      await this.#guard(sleepUntil(windowStartMs + k * sampleMs));
      await this.#sample(windowStartMs);
    }
    await this.#guard(sleepUntil(windowStartMs + run.windowMs));
    const windowEndMs = windowStartMs + run.windowMs;
    const after = await this.#sample(windowStartMs);
    const cpuAfter = await this.#cpu();

    const cpuMs = cpuAfter.timeMs - cpuBefore.timeMs;
    this.#file.cpuRatio = Object.fromEntries(Object.entries(cpuAfter.seconds).map(([role, s]) => [role, (s - cpuBefore.seconds[role]!) * 1000 / cpuMs]));
    this.#file.bottleneck = { before, after };
    this.#file.flood = flood === null ? null : await this.#guard(flood.read());
    this.#file.clocks = await this.#guard(service.clocks());
    this.#file.service = accountOf(service);
    this.#file.phases = { preparedMs, floodStartMs, clientStartMs, firstPictureMs: service.readyMs, windowStartMs, windowEndMs, endMs: windowEndMs };
  }

  #estimateFindings(): Finding[] {
    const { backend, phases, flood } = this.#file;
    if (phases === null || backend === null || flood === null) return [];
    const message = this.#estimates.tooHigh(this.#options.condition.link, { backend, label: flood.label, window: { startMs: phases.windowStartMs, endMs: phases.windowEndMs } });
    return message === null ? [] : [{ kind: 'estimate', status: 'note', message }];
  }

  /** False where a trial on this link would tell nothing: it is not what was asked for, or the machine does not let it be measured. */
  async #proveLink(): Promise<boolean> {
    const proof = await awaitProof(this.#options.prove(), this.#steps);
    if (proof === null) return true;
    this.#file.preflight = proof.reading;
    this.#linkFindings = proof.findings;
    return proof.findings.every(finding => finding.status !== 'invalid');
  }

  async #startFlood(maxMs: number): Promise<RunningFlood | null> {
    const { flood: plugin, condition, lease, signal } = this.#options;
    signal.throwIfAborted();
    const flood = await plugin.start({
      network: this.#network, lease, maxMs,
      record: record => {
        this.#live.tcp(record);
        this.#estimates.tcp(record);
        this.#series.write('tcp', record);
      },
      model: record => {
        this.#estimates.bbr3(record);
        this.#series.write('bbr3', record);
      },
    }, condition.flood.params as never);
    if (flood === null) return null;
    this.#running.flood = flood;
    this.#steps.watch(flood.failed);
    await this.#guard(flood.read()); // what it is not must not run for a whole window
    return flood;
  }

  async #startCapture(): Promise<void> {
    const { dumbbell, directory } = this.#options;
    const capture = this.#running.capture = await Capture.start(dumbbell.hosts.router, bottleneckDevice, join(directory, captureName));
    this.#steps.watch(capture.failed);
  }

  #startProbes(): void {
    const ping = this.#running.ping = new PingCollector(this.#network.hosts.server, this.#network.addresses.client, record => {
      this.#live.ping(record);
      this.#series.write('ping', record);
    });
    this.#steps.watch(ping.failed);
    this.#running.load = new HostLoadCollector();
  }

  async #openService(): Promise<RunningService> {
    const { service: prepared, directory, condition } = this.#options;
    const opening = prepared.open(serviceSeries(directory, this.#series, this.#vitals, this.#live), condition.service.params as never);
    // a browser that is still starting when the trial is given up must be stopped too
    void opening.then(service => { this.#running.service = service; }, () => {});
    try {
      const service = await this.#guard(opening);
      this.#running.service = service;
      this.#steps.watch(service.failed);
      return service;
    } catch (error) {
      await opening.catch(() => {});
      throw error;
    }
  }

  /** One reading of everything that is polled. */
  async #sample(windowStartMs: number): Promise<BottleneckReading> {
    const { link, onLive } = this.#options;
    const load = this.#running.load!.sample();
    this.#vitals.host.push(load);
    this.#series.write('host', load);
    const [reading, live] = await this.#guard(Promise.all([
      this.#readBottleneck(link), this.#running.service!.collect(), this.#running.flood?.sample(),
    ]));
    this.#connectionLost ||= live.lost;
    onLive({ ...this.#live.read(nowMs()), ...live, elapsedMs: nowMs() - windowStartMs });
    return reading;
  }

  async #readBottleneck(link: LinkBox): Promise<BottleneckReading> {
    const counters = await link.counters();
    const timeMs = nowMs();
    this.#series.write('queue', {
      timeMs, sentBytes: counters.sentBytes, sentPackets: counters.sentPackets, droppedPackets: counters.droppedPackets,
      backlogBytes: counters.backlogBytes, backlogPackets: counters.backlogPackets, lostPackets: counters.loss.reduce((sum, flow) => sum + flow.lostPackets, 0),
    });
    return {
      timeMs, sentBytes: counters.sentBytes, sentPackets: counters.sentPackets, droppedPackets: counters.droppedPackets, backlogPackets: counters.backlogPackets,
      randomLoss: counters.loss.map(({ source, protocol, packets, bytes, lostPackets }) => ({ source, protocol, packets, bytes, lostPackets })),
    };
  }

  /** CPU time used so far on each host, and by the harness, s. */
  async #cpu(): Promise<{ timeMs: number; seconds: Record<string, number> }> {
    const used = await Promise.all(roles.filter(role => role !== 'router').map(async role => [role, await this.#network.hosts[role].processIds()] as const));
    return { timeMs: nowMs(), seconds: { ...Object.fromEntries(used.map(([role, pids]) => [role, cpuSeconds(pids)])), harness: cpuSeconds([process.pid]) } };
  }

  #guard<T>(step: Promise<T>): Promise<T> {
    return this.#steps.of(step);
  }

  /** Stops what runs. Throws only what ends the whole study, such as a full disk. */
  async #stop(): Promise<void> {
    const { ping, load, flood, service, capture } = this.#running;
    load?.stop();
    const results = await Promise.allSettled([
      service?.stop(), flood?.stop(), ping?.stop(), capture?.stop().then(end => { this.#file.capture = { file: captureName, ...end }; }),
    ]);
    for (const result of results) if (result.status === 'rejected') this.#steps.finding(result.reason);
  }

  /** Stops everything and completes the record, whatever came before. */
  async #end(): Promise<Finding[]> {
    try {
      await this.#stop();
      await this.#readQueueLog();
      return [];
    } catch (error) {
      return [this.#steps.finding(error)];
    } finally {
      await this.#series.close();
    }
  }

  get #queueLogFile(): string {
    return join(this.#options.directory, 'queue.log');
  }

  /** What the log of the queue says. Throws `link-refused` where it is not sound. */
  async #readQueueLog(): Promise<void> {
    const { server, flooder } = this.#network.addresses;
    const end = await this.#options.link.endLog();
    const digest = await readSoundLog({ end, file: this.#queueLogFile, phases: this.#file.phases, kept: this.#options.run.queueLog === 'full' },
      window => digestQueueLog({ ...window, mediaSource: server }));
    if (digest === null) return;
    const { traffic, flows, bins, media } = digest;
    const sender = (source: string): BySender['sender'] => (source === server ? 'server' : source === flooder ? 'flooder' : null);
    const named = <T extends { source: string }>(kinds: readonly T[]) => kinds.map(kind => ({ sender: sender(kind.source), ...kind }));
    this.#file.queueLog = { records: end!.records, lostRecords: end!.lost, traffic: named(traffic), flows: named(flows) };
    for (const line of media) this.#series.write('queueMedia', line satisfies MediaQueueRecord);
    for (const bin of bins) this.#series.write('queueDelay', { sender: sender(bin.source), ...bin } satisfies QueueDelayRecord);
  }
}

export function runTrial(options: TrialOptions): Promise<TrialFile> {
  return new TrialRun(options).run();
}
