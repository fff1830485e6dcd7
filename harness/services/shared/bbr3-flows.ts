/**
 * Flows that use this project's BBRv3: loads BBRv3, proves that each flow uses it, and collects its telemetry.
 *
 * The name that `ss` prints for a flow is weak evidence. The proof is BBRv3's own report on the connection. The report
 * shows version 3, and that the memory for the connection was allocated.
 */

import { CoexistError } from '../../../core/errors.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { sleep } from '../../../core/system/deadline.ts';
import type { Host } from '../../../core/system/host.ts';
import type { HeldBbr3 } from '../../../shaper/bbr3/loader.ts';
import { shareBbr3 } from '../../../shaper/bbr3/shared-hold.ts';
import type { Bbr3Budget, Bbr3Counters, Bbr3Event, Bbr3Sample } from '../../../shaper/bbr3/telemetry.ts';
import type { Bbr3Record } from '../../record/series/bbr3.ts';
import type { LoadedCongestionControl, TransportFlow } from '../../record/transport.ts';
import { bbr3TellerOf, type Subscription } from './bbr3-teller.ts';

/** Longest wait for the first acknowledgement of a flow that sends, even behind a long queue, ms. */
const acknowledgedMs = 2000;

type Model = NonNullable<TransportFlow['model']>;

/**
 * Returns the port that identifies a flow in the record, from a sample of its BBRv3; null if the flow belongs to
 * others.
 */
type FlowPort = (sample: Bbr3Sample) => number | null;

/**
 * Proves from a BBRv3 sample that a connection uses BBRv3 with the budget. Returns values for the record. Throws
 * `service-failed` with the reason if the proof fails.
 */
export function proveFlow(port: number, sample: Bbr3Sample | undefined, budget: Bbr3Budget = 'draft'): Model {
  const refuse = (what: string) =>
    new CoexistError('service-failed', `the flow from port ${port} is not proved to use BBRv3: ${what}`);
  if (sample === undefined) throw refuse('BBRv3 has no record of it');
  if (sample.version !== 3) throw refuse(`it says version ${sample.version}`);
  if (sample.budget !== budget) throw refuse(`it uses the budget "${sample.budget}", not "${budget}"`);
  if (sample.ringHits === 0) throw refuse('none of its acknowledgements matched a sent packet');
  const { version, rounds, lossRounds, probeRttEpisodes, transitions, ringHits, ringMisses } = sample;
  return { version, rounds, lossRounds, probeRttEpisodes, transitions, ringHits, ringMisses };
}

/**
 * Sorts BBRv3's telemetry by flow. Events of a socket are kept until a sample identifies the flow of the socket. Events
 * of other applications' flows are dropped.
 */
export class FlowTelemetry {
  /** Last sample of each flow, by the port that identifies the flow. */
  readonly latest = new Map<number, Bbr3Sample>();
  /** Number of connections that got no memory since BBRv3 was loaded. Undefined until it is reported. */
  storeFailures: number | undefined;
  readonly #record: (record: Bbr3Record) => void;
  readonly #flowPort: FlowPort;
  /** Port that identifies a flow, by socket number; null: the flow belongs to others. */
  readonly #ports = new Map<number, number | null>();
  readonly #waiting = new Map<number, Bbr3Event[]>();

  constructor(record: (record: Bbr3Record) => void, flowPort: FlowPort) {
    this.#record = record;
    this.#flowPort = flowPort;
  }

  sample(sample: Bbr3Sample): void {
    const {
      socket,
      version: _version,
      budget: _budget,
      source: _source,
      sourcePort: _own,
      destination: _destination,
      destinationPort: _port,
      ended: _ended,
      ...rest
    } = sample;
    if (!this.#ports.has(socket)) this.#ports.set(socket, this.#flowPort(sample));
    const port = this.#ports.get(socket);
    if (typeof port === 'number') {
      this.latest.set(port, sample);
      this.#record({ kind: 'sample', port, ...rest });
    }
    for (const event of this.#waiting.get(socket) ?? []) this.event(event);
    this.#waiting.delete(socket);
  }

  event(event: Bbr3Event): void {
    const { socket, ...rest } = event;
    const port = this.#ports.get(socket);
    if (typeof port === 'number') this.#record({ kind: 'event', port, ...rest });
    else if (port === undefined) this.#waiting.set(socket, [...(this.#waiting.get(socket) ?? []), event]);
  }

  counters({ storeFailures }: Bbr3Counters): void {
    this.storeFailures = storeFailures;
  }
}

export class Bbr3Flows {
  readonly loaded: LoadedCongestionControl;
  /** Rejects if the telemetry, or the process that keeps BBRv3 in the kernel, ends before `stop`. */
  readonly failed: Promise<never>;
  readonly #flows: FlowTelemetry;
  readonly #failuresBefore: number;
  readonly #subscription: Subscription;
  readonly #held: HeldBbr3;

  private constructor(
    held: HeldBbr3,
    loaded: LoadedCongestionControl,
    flows: FlowTelemetry,
    subscription: Subscription,
  ) {
    this.loaded = loaded;
    this.failed = Promise.race([subscription.failed, held.failed]);
    this.failed.catch(() => {}); // reported by the code that awaits `failed`
    this.#held = held;
    this.#flows = flows;
    this.#failuresBefore = flows.storeFailures ?? 0;
    this.#subscription = subscription;
  }

  /**
   * Loads BBRv3 into the kernel of the sending host if it is missing; called before any flow begins. `record`: receives
   * the telemetry of the flows for which `flowPort` returns a port.
   */
  static async prepare({
    host,
    flowPort,
    record,
    budget: wanted = 'draft',
  }: {
    host: Host;
    flowPort: FlowPort;
    record: (record: Bbr3Record) => void;
    budget?: Bbr3Budget;
  }): Promise<Bbr3Flows> {
    const held = await shareBbr3(host, wanted);
    const { draft, objectSha256, budget, forRuns } = held.identity;
    const startMs = nowMs();
    const flows = new FlowTelemetry(record, sample => (sample.beginMs >= startMs ? flowPort(sample) : null));
    try {
      const subscription = await (await bbr3TellerOf(host)).listen(flows);
      const loaded = {
        draft,
        objectSha256,
        budget,
        kernel: (await host.read('/proc/sys/kernel/osrelease')).trim(),
        loadedForThis: forRuns,
      };
      return new Bbr3Flows(held, loaded, flows, subscription);
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  /** Label of the flows for the record, and the evidence for it. */
  get label(): { label: string; evidence: string } {
    const { draft, budget } = this.loaded;
    return {
      label:
        budget === 'kernel' ? "BBRv3 (draft-ietf-ccwg-bbr, budget of Google's kernel)" : 'BBRv3 (draft-ietf-ccwg-bbr)',
      evidence: `ss -tin shows "bbr3", and BBRv3's own account of each flow says version 3 (${draft}) and the budget "${budget}"`,
    };
  }

  /**
   * Proves that every flow uses BBRv3. `ports`: ports that identify the flows. Waits for the first acknowledgements of
   * flows that have just begun.
   */
  async prove(ports: readonly number[]): Promise<Map<number, Model>> {
    for (const endMs = nowMs() + acknowledgedMs; ; ) {
      try {
        return this.#proveNow(ports);
      } catch (error) {
        if (nowMs() > endMs) throw error;
        await sleep(50);
      }
    }
  }

  #proveNow(ports: readonly number[]): Map<number, Model> {
    if (this.#flows.storeFailures! > this.#failuresBefore) {
      throw new CoexistError(
        'service-failed',
        'the kernel refused BBRv3 the memory for a connection (net.core.optmem_max), so not every flow uses BBRv3',
        { hint: 'raise the limit: sysctl -w net.core.optmem_max=131072' },
      );
    }
    return new Map(ports.map(port => [port, proveFlow(port, this.#flows.latest.get(port), this.loaded.budget)]));
  }

  async stop(): Promise<void> {
    await this.#subscription.close();
    await this.#held.release();
  }
}
