/**
 * The native probe (shaper/native/probe) for preflight and benchmarks: UDP senders, receivers with kernel receive
 * stamps, and delays of the machine's timers.
 *
 * All times are CLOCK_MONOTONIC in ms, the same clock on every host of this machine and in `monotonicMs()`. The caller
 * stops the programs that it starts; programs that are left end with the harness.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';
import { readToldJson } from '../../core/system/printed-json.ts';
import { udpHeadersBytes } from '../../core/vocabulary/udp.ts';
import { type Arrival, parseArrivals } from './arrivals.ts';

export const probeProgram = fileURLToPath(new URL('../native/build/coexist-probe', import.meta.url));

/** Returns the present time on the clock of the probes, ms. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Milliseconds that a program may take longer than its plan. */
const graceMs = 5000;

const number = z.number();
const count = z.int().min(0);

/**
 * Schemas of the probe's output. Times in ns may exceed JavaScript's safe integers (after 104 days), so they need not
 * be integers.
 */
const listening = z.looseObject({ port: z.int().min(1).max(65_535) });
const receivedReport = z.looseObject({ kernelDropped: count, clockSteps: count });
const sentReport = z.looseObject({
  sent: count,
  errors: count,
  startNs: number,
  endNs: number,
  lateP99Us: number,
  lateMaxUs: number,
  starved: z.boolean(),
});
const awake = z.looseObject({ ready: z.literal(true) });
const wakeUps = z.looseObject({
  p50Us: number,
  p999Us: number,
  maxUs: number,
  stalls: z.array(z.looseObject({ timeNs: number, us: number, processor: count })),
  scheduling: z.enum(['fifo', 'normal']),
});

/** A running probe. It prints its answers as lines of JSON. */
class Program {
  readonly #name: string;
  readonly #program: JsonLinesChild<string>;

  constructor(host: Host, words: readonly string[]) {
    if (!existsSync(probeProgram))
      throw new CoexistError('missing-program', 'the native helper coexist-probe is not built', {
        hint: 'run "npm run setup"',
      });
    const name = (this.#name = `coexist-probe ${words[0]} on ${host.name}`);
    this.#program = new JsonLinesChild(
      host.start(name, [probeProgram, ...words], { stdio: ['pipe', 'pipe', 'pipe'], isTimed: true }),
      {
        code: 'probe-died',
        format: 'text',
        ended: ({ lastWords }) => new CoexistError('probe-died', `${name} ended without an answer: ${lastWords}`),
      },
    );
  }

  /**
   * Returns the next answer. Throws `probe-died`, with the program's last output, if the program ends without an
   * answer, is too slow, or prints something else.
   */
  async answer<S extends z.ZodType>(schema: S, ms: number, signal?: AbortSignal): Promise<z.output<S>> {
    const line = await this.#program.next(`an answer of ${this.#name}`, ms, {
      code: 'probe-died',
      ...(signal === undefined ? {} : { signal }),
    });
    return readToldJson(this.#name, line, schema, 'probe-died');
  }

  /** Makes the program finish, and returns its report. */
  async finish<S extends z.ZodType>(schema: S): Promise<z.output<S>> {
    this.#program.child.process.stdin!.end();
    return this.answer(schema, graceMs);
  }

  stop(): Promise<void> {
    return this.#program.child.stop();
  }
}

export type Received = {
  /** Arrivals in the order in which the kernel delivered them. */
  arrivals: Arrival[];
  /** Packets that arrived but are not in `arrivals`, because the receiver's socket was full. */
  kernelDropped: number;
  /** Number of times that the wall clock was set while the receiver ran. Delays across such a moment may be wrong. */
  clockSteps: number;
};

export class Receiver {
  readonly port: number;
  readonly #program: Program;
  readonly #file: string;

  private constructor(program: Program, port: number, file: string) {
    this.#program = program;
    this.port = port;
    this.#file = file;
  }

  /** Starts a receiver, which listens when this resolves. `file`: file for the records while the receiver runs. */
  static async start(host: Host, file: string, signal?: AbortSignal): Promise<Receiver> {
    const program = new Program(host, ['receive', '0', file]);
    try {
      const { port } = await program.answer(listening, graceMs, signal);
      return new Receiver(program, port, file);
    } catch (error) {
      await program.stop();
      throw error;
    }
  }

  /** Ends the receiver and returns its records. */
  async finish(): Promise<Received> {
    try {
      const { kernelDropped, clockSteps } = await this.#program.finish(receivedReport);
      await this.#program.stop();
      return { arrivals: parseArrivals(await readFile(this.#file)), kernelDropped, clockSteps };
    } finally {
      await this.stop();
    }
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}

/**
 * Plan of a sender: constant rate, trains, or single packets. Sizes are those of the UDP payload, 24 to 1472 bytes.
 * `rateBps` counts payload, UDP and IP headers and `overheadBytes` of each packet. The first `prefillPackets` are sent
 * at three times the rate.
 */
export type SendPlan = {
  payloadBytes: number;
  flow?: number;
  /** ECN field of the packets; if missing, the packets are not ECN-capable. */
  ecn?: 'ect1';
} & (
  | { rateBps: number; seconds: number; prefillPackets: number; overheadBytes: number }
  | { trainPackets: number; trains: number; everyMs: number }
  | { packets: number; everyUs: number }
);

/** Returns the number of packets of a plan and the time that sending them takes, ms. */
export function planTotals(plan: SendPlan): { packets: number; durationMs: number } {
  if ('rateBps' in plan) {
    const intervalMs = ((plan.payloadBytes + udpHeadersBytes + plan.overheadBytes) * 8e3) / plan.rateBps;
    return {
      packets: plan.prefillPackets + Math.ceil((plan.seconds * 1e3) / intervalMs),
      durationMs: plan.seconds * 1e3 + (plan.prefillPackets * intervalMs) / 3,
    };
  }
  if ('trains' in plan) return { packets: plan.trainPackets * plan.trains, durationMs: plan.trains * plan.everyMs };
  return { packets: plan.packets, durationMs: (plan.packets * plan.everyUs) / 1e3 };
}

export type SendReport = {
  sent: number;
  /** Packets that the sender's host refused to send. */
  errors: number;
  startMs: number;
  endMs: number;
  /** Delays of the packets behind the schedule, ms. */
  lateP99Ms: number;
  lateMaxMs: number;
  /** True if a packet was more than 5 ms late or was refused. A queue may then have run empty. */
  starved: boolean;
};

export async function sendProbes(
  host: Host,
  address: string,
  port: number,
  plan: SendPlan,
  signal?: AbortSignal,
): Promise<SendReport> {
  const how =
    'rateBps' in plan
      ? [
          '--rate',
          plan.rateBps,
          '--seconds',
          plan.seconds,
          '--prefill',
          plan.prefillPackets,
          '--overhead',
          plan.overheadBytes,
        ]
      : 'trains' in plan
        ? ['--train', plan.trainPackets, '--count', plan.trains, '--gap-ms', plan.everyMs]
        : ['--count', plan.packets, '--interval-us', plan.everyUs];
  const program = new Program(host, [
    'send',
    address,
    String(port),
    '--bytes',
    String(plan.payloadBytes),
    '--flow',
    String(plan.flow ?? 0),
    ...(plan.ecn === undefined ? [] : ['--ecn', '1']),
    ...how.map(String),
  ]);
  try {
    const report = await program.answer(sentReport, planTotals(plan).durationMs + graceMs, signal);
    const { sent, errors, starved } = report;
    return {
      sent,
      errors,
      startMs: report.startNs / 1e6,
      endMs: report.endNs / 1e6,
      lateP99Ms: report.lateP99Us / 1e3,
      lateMaxMs: report.lateMaxUs / 1e3,
      starved,
    };
  } finally {
    await program.stop();
  }
}

/** Delays of the timers on every processor of a host. */
export type WakeUpReport = {
  p50Us: number;
  p999Us: number;
  maxUs: number;
  /** Timer delays of more than 5 ms, at most 1000 of them. */
  lateWakeUps: { timeMs: number; durationMs: number; processor: number }[];
  /** Scheduling of the measuring threads. Without SCHED_FIFO a timer is late whenever other programs run. */
  scheduling: 'fifo' | 'normal';
};

/** Measurement of timer delays on every processor of a host, by `coexist-probe canary`. */
export class ProbeWakeUps {
  readonly #program: Program;

  private constructor(program: Program) {
    this.#program = program;
  }

  static async start(host: Host, signal?: AbortSignal): Promise<ProbeWakeUps> {
    const program = new Program(host, ['canary']);
    try {
      await program.answer(awake, graceMs, signal);
      return new ProbeWakeUps(program);
    } catch (error) {
      await program.stop();
      throw error;
    }
  }

  async finish(): Promise<WakeUpReport> {
    try {
      const report = await this.#program.finish(wakeUps);
      const { p50Us, p999Us, maxUs, scheduling } = report;
      return {
        p50Us,
        p999Us,
        maxUs,
        scheduling,
        lateWakeUps: report.stalls.map(({ timeNs, us, processor }) => ({
          timeMs: timeNs / 1e6,
          durationMs: us / 1e3,
          processor,
        })),
      };
    } finally {
      await this.stop();
    }
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}
