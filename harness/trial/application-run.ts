/** One application in a trial: its hosts, its running service and its results. */
import { join } from 'node:path';
import { CoexistError } from '../../core/errors.ts';
import { type Clock, realClock } from '../../core/system/clock.ts';
import { until, within } from '../../core/system/deadline.ts';
import { makeFolder } from '../../core/system/folders.ts';
import type { Host } from '../../core/system/host.ts';
import { addressesOf, hostsOf, type Network } from '../../core/system/network.ts';
import type { Marker } from '../../shaper/marking/marker.ts';
import type { Party } from '../../shaper/queue-log/summary.ts';
import { EstimateMeter } from '../analysis/derive/estimate-meter.ts';
import { FlowLimitMeter } from '../analysis/derive/flow-limits.ts';
import type { Application } from '../definition/applications.ts';
import { neverBegun } from '../record/never-begun.ts';
import type { HostRecord } from '../record/series/host.ts';
import { type MediaQueueRecord, mediaQueueSeries } from '../record/series/queue.media.ts';
import { tunnelSeries } from '../record/series/tunnel.ts';
import type { ApplicationFile, Finding, Phases } from '../record/trial-file.ts';
import { applicationsFolder } from '../record/trial-record.ts';
import type { ArmedService, LiveValues, RunningService, TrialContext } from '../services/service.ts';
import type { ApplicationOptions } from './application-options.ts';
import { ApplicationTunnel } from './application-tunnel.ts';
import { markDscp } from './dscp.ts';
import { unreachedFindings } from './external-loss.ts';
import { SeriesWriter } from './series-writer.ts';
import { noVitals, writeOf } from './service-series.ts';
import { hostFindings, latenessFindings } from './verdict.ts';

/**
 * Longest wait for a service to be ready. The service's own waits are shorter (services/shared/patience.ts), so a
 * service that is not ready by then will not become ready.
 */
const ready = { withinMs: 180_000, roundTrips: 60 } as const;
const stopWithinMs = 30_000;
/** Longest wait for killed processes to end, ms. Only a busy machine needs more than a moment. */
const endWithinMs = 5000;
/**
 * Upper limit of the time from an application's last reading to its planned stop, ms. The time is twice the longest
 * duration of a reading so far.
 */
export const longestReadLeadMs = 1000;
const shortestReadLeadMs = 100;

export class ApplicationRun {
  readonly application: Application;
  readonly network: Network;
  /** Ends of the application on the link: its own hosts, or those of its tunnel. */
  readonly path: Network;
  readonly file: ApplicationFile;
  /** Series of the application. The caller closes them when everything is written. */
  readonly series: SeriesWriter;
  readonly estimates = new EstimateMeter();
  readonly #limits = new FlowLimitMeter();
  readonly #options: ApplicationOptions;
  readonly #vitals = noVitals();
  readonly #tunnel: ApplicationTunnel | undefined;
  readonly #context: TrialContext;
  readonly #clock: Clock;
  #markers: readonly Marker[] = [];
  #service: RunningService | undefined;
  #armed: Promise<ArmedService> | undefined;
  #opening: Promise<RunningService> | undefined;
  #stopping: Promise<void> | undefined;
  /** Last reading that was requested. The next one waits for it, so that only one runs at a time. */
  #reading: Promise<unknown> = Promise.resolve();
  #longestReadMs = 0;
  #takenBytes = 0;
  #takenMs: number | undefined;
  #isLost = false;
  #unreached: Finding[] = [];
  /** True once the trial no longer waits for the service. */
  #isOver = false;
  /** Ids of the processes that ran on each host before the service began; these stay. Undefined: nothing was begun. */
  #kept: ReadonlyMap<Host, ReadonlySet<number>> | undefined;

  constructor(options: ApplicationOptions) {
    const { application, network } = options;
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.application = application;
    this.network = network;
    this.path = options.tunnel?.path ?? network;
    const directory = join(options.directory, applicationsFolder, application.name);
    makeFolder(directory);
    const { outside, baseRttMs, seed, isKept = true, live, listeners } = options;
    this.series = new SeriesWriter(isKept ? directory : null, listeners);
    const kept = { vitals: this.#vitals, estimates: this.estimates, limits: this.#limits };
    const write = writeOf(this.series, { live, ...(isKept ? kept : {}) });
    const tunnel = (this.#tunnel =
      options.tunnel === undefined
        ? undefined
        : new ApplicationTunnel(options.tunnel, {
            directory,
            report: record => this.series.write(tunnelSeries, record),
          }));
    this.#context = {
      directory,
      write,
      ...(baseRttMs === undefined ? {} : { baseRttMs }),
      ...(seed === undefined ? {} : { seed }),
      ...(outside === undefined ? {} : { outside }),
      ...(tunnel === undefined ? {} : { tunnel }),
    };
    this.file = {
      ...neverBegun(application.name, addressesOf(this.path)),
      readMs: null,
      endedMs: null,
      packets: null,
      ...(tunnel === undefined ? {} : { tunnel: tunnel.reading }),
    };
  }

  /** Hosts of the service and of the application's ends on the link. */
  get hosts(): Host[] {
    return [...new Set([this.network, this.path].flatMap(hostsOf))];
  }

  /** True while the service is in use and can be read. */
  get isOpen(): boolean {
    return this.#service !== undefined && this.file.readMs === null && this.#stopping === undefined;
  }

  get #readyMs(): number {
    return ready.withinMs + ready.roundTrips * (this.#options.baseRttMs ?? 0);
  }

  /** Does the slow part of the start in advance, so that `open` only has to begin the use. */
  async arm(): Promise<void> {
    const { prepared } = this.#options;
    const { name } = this.application;
    if (prepared.arm === undefined) return;
    this.#armed = this.#prepare().then(() => prepared.arm!(this.#context));
    // stops a service that becomes ready after the trial gave it up
    void this.#armed
      .then(async armed => {
        if (this.#isOver) await armed.stop();
      })
      .catch(() => {}); // reported by the wait below
    await this.#named(this.#within(this.#armed, this.#readyMs, `${name} to be ready to begin`));
  }

  /** Starts the service; resolves when it is in use. */
  async open(): Promise<RunningService> {
    const { name } = this.application;
    this.file.startMs = this.#clock.nowMs();
    this.#opening =
      this.#armed === undefined
        ? this.#prepare().then(() => this.#options.prepared.open(this.#context))
        : this.#armed.then(armed => armed.begin());
    // stops a service that is in use only after the trial gave it up
    void this.#opening
      .then(async service => {
        if (this.#isOver) await service.stop();
        else this.#service = service;
      })
      .catch(() => {}); // reported by the wait below
    const opened = this.#within(this.#opening, this.#readyMs, `${name} to be ready`);
    const service = await this.#named(
      this.#tunnel === undefined ? opened : Promise.race([opened, this.#tunnel.failed]),
    );
    if (this.#tunnel?.isUsed === false)
      throw new CoexistError('service-failed', this.#captioned(`${name} gave its tunnel no UDP port`));
    this.file.readyMs = service.readyMs;
    return service;
  }

  /**
   * Addresses that identify the application's packets at the bottleneck. For a service that uses the Internet, every
   * packet to its client counts.
   */
  get party(): Party {
    const { addresses } = this.file;
    return this.#options.outside === undefined ? addresses : { ...addresses, server: null };
  }

  /** Rejects if the service or its tunnel fails before `stop`. */
  get failed(): Promise<never> {
    const parts = [this.#service!, ...(this.#tunnel === undefined ? [] : [this.#tunnel]), ...this.#markers];
    return this.#named(Promise.race(parts.map(({ failed }) => failed)));
  }

  collect(): Promise<LiveValues> {
    const reading = this.#reading.then(() => this.#collect());
    this.#reading = reading.catch(() => {}); // the caller gets the error
    return reading;
  }

  async #collect(): Promise<LiveValues> {
    const beginMs = this.#clock.nowMs();
    const live = await this.#named(this.#service!.collect());
    this.#longestReadMs = Math.max(this.#longestReadMs, this.#clock.nowMs() - beginMs);
    this.#isLost ||= live.lost;
    const nowMs = this.#clock.nowMs();
    if (this.#takenMs !== undefined) this.#takenBytes += (live.goodputBps * (nowMs - this.#takenMs)) / 8000;
    this.#takenMs = nowMs;
    return live;
  }

  /** Bytes that the application's user has received up to the last reading, as the service reports them. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Lets the sender of the service stop sending media, or go on with it. */
  async setPaused(isPaused: boolean): Promise<void> {
    const what = `${this.application.name} to ${isPaused ? 'pause' : 'go on'}`;
    await this.#named(this.#within(this.#service!.setPaused!(isPaused), stopWithinMs, what));
    const timeMs = this.#clock.nowMs();
    const pauses = (this.file.pauses ??= []);
    if (isPaused) pauses.push({ startMs: timeMs, endMs: null });
    else pauses.at(-1)!.endMs = timeMs;
  }

  /** Milliseconds from the last reading to a planned stop. */
  get readLeadMs(): number {
    return Math.min(longestReadLeadMs, Math.max(shortestReadLeadMs, 2 * this.#longestReadMs));
  }

  /** Reads the service for the last time before a planned stop, so that the stop waits for no reading. */
  async readOut(): Promise<void> {
    this.file.readMs = this.#clock.nowMs();
    await this.collect();
    await this.describe();
  }

  /** Records clock offsets, facts and transport of the running service. */
  async describe(): Promise<void> {
    this.file.clocks = await this.#named(this.#service!.clocks());
    this.file.facts = this.#service!.describe();
    this.file.transport = this.#service!.transport();
    this.#tunnel?.describe();
  }

  /**
   * Stops the service. Ends the processes that are left if there is nothing to stop after a failed start, or if the
   * stop fails. Throws errors of the stop, not those of the start. Further calls wait for the same stop.
   */
  stop(withinMs = stopWithinMs): Promise<void> {
    return (this.#stopping ??= this.#stop(withinMs));
  }

  async #stop(withinMs: number): Promise<void> {
    const { name } = this.application;
    if (this.#armed === undefined && this.#opening === undefined) return;
    let isInOrder = false;
    try {
      if (this.#opening === undefined) {
        const armed = await this.#within(
          this.#armed!.catch(() => undefined),
          withinMs,
          `${name} to be ready to begin or to fail`,
        );
        if (armed === undefined) return;
        await this.#within(armed.stop(), withinMs, `${name} to stop`);
        isInOrder = true;
        return;
      }
      this.file.stopMs = this.#clock.nowMs();
      // waits for a service that is still starting, since it can be stopped only afterwards
      await this.#within(
        this.#opening.catch(() => {}),
        withinMs,
        `${name} to begin or to fail`,
      );
      if (this.#service === undefined) return;
      await this.#within(this.#service.stop(), withinMs, `${name} to stop`);
      isInOrder = true;
    } finally {
      this.#isOver = true;
      try {
        await this.#tunnel?.stop();
        await Promise.all(this.#markers.map(marker => marker.stop()));
        if (isInOrder && this.file.stopMs !== null) this.file.endedMs = this.#clock.nowMs();
      } finally {
        if (!isInOrder) await this.#endRest();
      }
    }
  }

  /** Process ids on each host. Each host numbers its processes separately. */
  async #processes(): Promise<Map<Host, number[]>> {
    return new Map(await Promise.all(this.hosts.map(async host => [host, await host.processIds()] as const)));
  }

  /** Records the processes that already run on the hosts, then starts to mark packets. */
  async #prepare(): Promise<void> {
    this.#kept = new Map([...(await this.#processes())].map(([host, ids]) => [host, new Set(ids)]));
    this.#markers = await markDscp(this.path, this.application.dscp);
  }

  /** Ends the processes that the service left. They would disturb the next trial, which uses the same hosts. */
  async #endRest(): Promise<void> {
    await until(
      async () => {
        let isLeft = false;
        for (const [host, ids] of await this.#processes()) {
          const rest = ids.filter(id => this.#kept?.get(host)?.has(id) === false);
          if (rest.length > 0) await host.endProcesses(rest);
          isLeft ||= rest.length > 0;
        }
        return isLeft ? undefined : true;
      },
      endWithinMs,
      `the remaining processes of ${this.application.name} to end`,
      { everyMs: 25, clock: this.#clock },
    );
  }

  /**
   * Records what happened to the application's media packets at the bottleneck, once the application has stopped.
   * `toQueueMs`: longest time from sending a packet to its arrival at the bottleneck; null if the packets meet another
   * bottleneck before it.
   */
  media(lines: readonly MediaQueueRecord[], toQueueMs: number | null): void {
    for (const line of lines) this.series.write(mediaQueueSeries, line);
    if (toQueueMs === null) return;
    const { stopMs, clocks } = this.file;
    // the queue cannot read sequence numbers of packets inside a tunnel
    if (this.#tunnel !== undefined || stopMs === null || clocks === null) return;
    this.#unreached = unreachedFindings({
      samples: this.#vitals.sender,
      reachedPackets: lines.reduce((sum, { sequences }) => sum + sequences.length, 0),
      untilMs: stopMs - clocks.server.offsetMs - toQueueMs,
    });
  }

  /** Returns findings about everything that disturbed the application while it ran. */
  findings(phases: Phases, host: HostRecord[]): Finding[] {
    const { clocks, startMs, packets, readyMs, readMs, stopMs } = this.file;
    const { name, startMs: start, stopMs: stop, pauses: plannedPauses = [] } = this.application;
    if (clocks === null || readyMs === null) return [];
    const active = {
      startMs: Math.max(phases.windowStartMs, readyMs),
      endMs: Math.min(phases.windowEndMs, readMs ?? stopMs ?? phases.windowEndMs),
    };
    const lost: Finding = {
      kind: 'failure',
      status: 'degraded',
      message: "the viewer's connection failed in the window",
    };
    const planned = (offsetMs: number | null) => ({
      plannedMs: offsetMs === null ? null : phases.windowStartMs + offsetMs,
      leadMs: -(offsetMs ?? 0),
    });
    // an armed service begins with its first packet; another one starts its programs at `startMs`
    const begunMs = this.#armed === undefined ? startMs : (packets?.firstMs ?? startMs);
    const late = latenessFindings(name, [
      { what: 'began', timeMs: begunMs, ...planned(start) },
      ...plannedPauses.flatMap(({ fromMs, toMs }, k) => [
        { what: 'paused', timeMs: this.file.pauses?.[k]?.startMs ?? null, ...planned(fromMs) } as const,
        { what: 'went on', timeMs: this.file.pauses?.[k]?.endMs ?? null, ...planned(toMs) } as const,
      ]),
      { what: 'ended', timeMs: stopMs, ...planned(stop) },
    ]);
    const findings = [
      ...hostFindings({ window: active, clocks, ...this.#vitals, host }),
      ...late,
      ...(this.#isLost ? [lost] : []),
      ...this.#unreached,
      ...(this.#tunnel?.findings() ?? []),
      ...[...(this.#service?.notes?.() ?? []), ...this.#limits.notes(active, this.file.transport?.flows)].map(
        (message): Finding => ({ kind: 'content', status: 'note', message }),
      ),
    ];
    return findings.map(finding =>
      finding.kind === 'failure' || finding.kind === 'content'
        ? { ...finding, message: this.#captioned(finding.message) }
        : finding,
    );
  }

  #within<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
    return within(promise, ms, what, { clock: this.#clock });
  }

  #captioned(message: string): string {
    const { caption } = this.#options;
    return caption === undefined ? message : `${caption}: ${message}`;
  }

  async #named<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      if (!(error instanceof CoexistError)) throw error;
      throw new CoexistError(error.code, this.#captioned(error.message), {
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        cause: error,
      });
    }
  }
}
