/**
 * A link that the native program forms in virtual time: rate, queue, AQM, delay and loss. It uses no queue discipline
 * of the kernel.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Direction, Link } from '../../core/vocabulary/link.ts';
import type { LinkTrace } from '../../core/vocabulary/link-trace.ts';
import { playOf } from '../../core/vocabulary/link-trace.ts';
import type { LinkTraces } from '../../core/vocabulary/trace-facts.ts';
import { type EmulatedAqms, emulatorConfiguration, emulatorLimits } from '../emulator/configuration.ts';
import type { BottleneckCounters, LinkReadiness, LinkCounters as NativeCounters } from '../emulator/link-answers.ts';
import { checkPassed, LinkRedirect } from '../emulator/link-redirect.ts';
import type { QueueLogEnd } from '../queue-log/recorder.ts';
import type { QueueCounters } from '../tc/bottleneck.ts';
import type { Topology } from '../topology/topology.ts';
import { type LoadedTrace, startMsOf, traceKey, tracesOf } from '../traces/load.ts';
import type { LinkBackend, LinkCounters } from './backend.ts';
import { clearKernelLink } from './kernel-link.ts';
import { withTraceFiles } from './trace-file.ts';

function queueCounters({
  sentBytes,
  sentPackets,
  overflowPackets,
  aqmDroppedPackets,
  markedPackets,
  backlogBytes,
  backlogPackets,
}: BottleneckCounters): QueueCounters {
  return {
    sentBytes,
    sentPackets,
    droppedPackets: overflowPackets + aqmDroppedPackets,
    markedPackets,
    backlogBytes,
    backlogPackets,
  };
}

type Formed = {
  link: Link;
  traces: ReadonlyMap<string, LoadedTrace>;
  aqms: EmulatedAqms;
  seed: number;
  log: string | undefined;
};

export class EmulatedLink implements LinkBackend {
  readonly id = 'emulator';
  readonly failed: Promise<never>;
  readonly readiness: LinkReadiness;
  readonly #topology: Topology;
  readonly #redirect: LinkRedirect;
  #link: Link;
  /** Traces by `traceKey`, with the contents of the first reading. */
  readonly #traces: ReadonlyMap<string, LoadedTrace>;
  readonly #aqms: EmulatedAqms;
  readonly #seed: number;
  readonly #log: string | undefined;

  private constructor(topology: Topology, redirect: LinkRedirect, { link, traces, aqms, seed, log }: Formed) {
    this.#topology = topology;
    this.#redirect = redirect;
    this.#link = link;
    this.#traces = traces;
    this.#aqms = aqms;
    this.#seed = seed;
    this.#log = log;
    this.failed = redirect.program.failed;
    this.readiness = redirect.program.readiness;
  }

  /** Forms a link. No other link may be set up on the same devices. */
  static async form(
    topology: Topology,
    link: Link,
    aqms: EmulatedAqms,
    seed: number,
    options: { log?: string | undefined } = {},
  ): Promise<EmulatedLink> {
    const traces = tracesOf([link]);
    const redirect = await LinkRedirect.start(topology, options);
    return new EmulatedLink(topology, redirect, { link, traces, aqms, seed, log: options.log });
  }

  get traces(): LinkTraces | null {
    if (this.#traces.size === 0) return null;
    const of = <T>(trace: LinkTrace | null, direction: Direction, value: (one: LoadedTrace, trace: LinkTrace) => T) =>
      trace === null ? null : value(this.#traces.get(traceKey(trace, direction))!, trace);
    const both = <T>(value: (one: LoadedTrace, trace: LinkTrace) => T) => ({
      down: of(this.#link.trace, 'down', value),
      up: of(this.#link.up?.trace ?? null, 'up', value),
    });
    return {
      ...both(({ opportunities }) => opportunities?.facts ?? null),
      tables: both(({ table }) => table?.facts ?? null),
      startMs: both((one, trace) => startMsOf(playOf(trace), one, this.#seed)),
    };
  }

  async setPaths(paths: Link['paths']): Promise<void> {
    const { left, router } = this.#topology;
    await withTraceFiles(this.#link, this.#traces, { router, seed: this.#seed }, played =>
      this.#redirect.set(emulatorConfiguration(this.#link, paths, this.#aqms, { left, seed: this.#seed, played })),
    );
  }

  async start(): Promise<number> {
    return (await this.#redirect.program.start()) / 1e6;
  }

  async change(link: Link): Promise<void> {
    const { program } = this.#redirect;
    await program.rate(link.rateBps);
    await program.limit(emulatorLimits(link));
    await program.loss(link.loss);
    this.#link = link;
  }

  async verify(): Promise<void> {
    await this.#read();
  }

  /** Reads the counters. Throws `link-refused` if the counters of a bottleneck are missing. */
  async #read(): Promise<NativeCounters & { bottleneck: BottleneckCounters }> {
    const { bottleneck, up, ...rest } = await this.#redirect.program.read();
    if (bottleneck === null || (up === null) !== (this.#link.up === null))
      throw new CoexistError(
        'link-refused',
        'the link is not what was asked for: the emulator lacks a bottleneck, or has one too many',
      );
    return { bottleneck, up, ...rest };
  }

  async counters(): Promise<LinkCounters> {
    const { bottleneck, up, flows, ...rest } = await this.#read();
    checkPassed(rest);
    return { ...queueCounters(bottleneck), up: up === null ? null : queueCounters(up), loss: flows };
  }

  async endLog(): Promise<QueueLogEnd | null> {
    const { log } = await this.#redirect.program.read();
    await this.#redirect.stop(); // when the program ends, it writes the rest of the log
    if (this.#log !== undefined) await this.#topology.router.bring(this.#log);
    return log;
  }

  async clear(): Promise<void> {
    await this.#redirect.stop();
    await clearKernelLink(this.#topology);
  }
}
