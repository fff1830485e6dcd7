/** The harness's end of the connection to an agent. The connection is any pair of streams. */
import type { Readable, Writable } from 'node:stream';
import { CoexistError } from '../../../core/errors.ts';
import { nowMs } from '../../../core/system/clock.ts';
import type { ClockSample } from '../../../core/system/clock-estimate.ts';
import { within } from '../../../core/system/deadline.ts';
import { bodiesOf, encodeFrame, FrameReader } from './frames.ts';
import {
  beatMs,
  type Order,
  protocolVersion,
  type Report,
  readOrder,
  readReport,
  readSamples,
  readWholeNumbers,
  silenceMs,
} from './protocol.ts';
import { RemoteProgram } from './remote-program.ts';
import type { ProbePlan } from './udp-probe.ts';

type Hello = Extract<Report, { type: 'hello' }>;
type Pending = { resolve(value: unknown): void; reject(error: Error): void };
type Question = { type: 'processes' } | { type: 'echo'; address: string } | ({ type: 'probe' } & ProbePlan);

/** Longest time for an answer, ms. Agents answer at once, except to requests for probes. */
const answerMs = 10_000;

const nowUs = () => nowMs() * 1000;

export class AgentClient {
  /** Rejects with `host-lost` and one line with the machine's name when the agent is lost. */
  readonly failed: Promise<never>;
  readonly #name: string;
  readonly #input: Writable;
  readonly #reader = new FrameReader((head, body) => this.#take(readReport(head), body));
  readonly #programs = new Map<number, RemoteProgram>();
  readonly #questions = new Map<number, Pending>();
  readonly #greeting = Promise.withResolvers<Hello>();
  /** Callers that wait for the answer to a beat (a message that samples the clock), in the order of sending. */
  readonly #beats: { resolve(sample: ClockSample): void; reject(error: Error): void }[] = [];
  readonly #timer: NodeJS.Timeout;
  #fail: (error: CoexistError) => void = () => {};
  #lastId = 0;
  #heardMs = nowMs();
  #lost: CoexistError | undefined;
  #isEnding = false;

  /** `input`: the agent's standard input; `output`: its standard output. */
  constructor(name: string, input: Writable, output: Readable) {
    this.#name = name;
    this.#input = input;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {});
    this.#greeting.promise.catch(() => {});
    input.on('error', () => {}); // the end of the output gives a better reason
    output.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#timer = setInterval(() => this.#beat(), beatMs);
  }

  /** Reason why the machine is lost; undefined while it is connected. */
  get lost(): CoexistError | undefined {
    return this.#lost;
  }

  /** Sends the greeting. Resolves with the agent's greeting. */
  hello(timeoutMs: number): Promise<Hello> {
    this.#send({ type: 'hello', protocol: protocolVersion, silenceMs });
    return within(this.#greeting.promise, timeoutMs, `the agent on machine "${this.#name}" to answer`, {
      code: 'host-lost',
    });
  }

  start(argv: readonly string[], environment: Record<string, string>, folder: string | null): RemoteProgram {
    const id = ++this.#lastId;
    const program = new RemoteProgram({
      input: (bytes, done) => {
        for (const part of bodiesOf(bytes)) this.#send({ type: 'input', id }, part);
        if (this.#input.writableNeedDrain && !this.#isOver) this.#input.once('drain', done);
        else done();
      },
      inputEnd: () => this.#send({ type: 'input-end', id }),
      signal: (signal, isGroup) => this.#send({ type: 'signal', id, signal, isGroup }),
    });
    if (this.#lost !== undefined) setImmediate(() => program.onFailed(this.#lost!));
    else {
      this.#programs.set(id, program);
      this.#send({ type: 'start', id, argv: [...argv], environment, folder });
    }
    return program;
  }

  async processIds(): Promise<number[]> {
    return readWholeNumbers(await this.#ask({ type: 'processes' }));
  }

  /** Starts an echo of probes at an address of the machine. Returns the port of the echo. */
  async echo(address: string): Promise<number> {
    return Number(await this.#ask({ type: 'echo', address }));
  }

  /** Makes the machine send probes. Returns their samples; times t1 and t4 are of the machine's clock. */
  async probe(plan: ProbePlan): Promise<ClockSample[]> {
    return readSamples(await this.#ask({ type: 'probe', ...plan }, plan.count * plan.intervalMs + answerMs));
  }

  /** Samples the machine's clock once over this connection, which is slower than the test network. */
  async clockSample(): Promise<ClockSample> {
    if (this.#lost !== undefined) throw this.#lost;
    const sample = new Promise<ClockSample>((resolve, reject) => this.#beats.push({ resolve, reject }));
    this.#send({ type: 'beat', t1: nowUs() });
    return within(sample, answerMs, `machine "${this.#name}" to tell its time`, { code: 'host-lost' });
  }

  /** Makes the agent end. The agent then kills everything that it has started. */
  end(): void {
    this.#isEnding = true;
    clearInterval(this.#timer);
    this.#send({ type: 'end' });
    this.#input.end();
  }

  /** Marks the machine as lost. Only the first reason is kept. */
  lose(reason: string, hint?: string): void {
    clearInterval(this.#timer);
    if (this.#lost !== undefined) return;
    const error = new CoexistError(
      'host-lost',
      `machine "${this.#name}": ${this.#isEnding ? 'the connection was closed' : reason}`,
      hint === undefined ? {} : { hint },
    );
    this.#lost = error;
    this.#greeting.reject(error);
    for (const pending of [...this.#questions.values(), ...this.#beats]) pending.reject(error);
    for (const program of this.#programs.values()) program.onFailed(error);
    this.#questions.clear();
    this.#programs.clear();
    if (!this.#isEnding) this.#fail(error);
  }

  get #isOver(): boolean {
    return this.#lost !== undefined || this.#input.destroyed;
  }

  #send(order: Order, body?: Uint8Array): void {
    if (!this.#isOver && !this.#input.writableEnded) this.#input.write(encodeFrame(order, body));
  }

  async #ask(question: Question, timeoutMs = answerMs): Promise<unknown> {
    if (this.#lost !== undefined) throw this.#lost;
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#questions.set(id, { resolve, reject });
    try {
      const order = readOrder({ ...question, id }); // checked here, because an invalid order would end the agent
      this.#send(order);
      return await within(promise, timeoutMs, `machine "${this.#name}" to answer`, { code: 'host-lost' });
    } finally {
      this.#questions.delete(id);
    }
  }

  #beat(): void {
    const silentMs = nowMs() - this.#heardMs;
    if (silentMs > silenceMs) return this.lose(`nothing came from it for ${Math.round(silentMs / 1000)} s`);
    this.#send({ type: 'beat', t1: nowUs() });
    this.#beats.push({ resolve: () => {}, reject: () => {} });
  }

  #receive(chunk: Buffer): void {
    this.#heardMs = nowMs();
    if (this.#lost !== undefined) return;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.lose(
        `what it sent is not from an agent: ${error instanceof Error ? error.message : String(error)}`,
        'where its login shell prints something before a command (~/.bashrc), let it print nothing',
      );
    }
  }

  #take(report: Report, body: Buffer): void {
    switch (report.type) {
      case 'hello':
        return this.#greeting.resolve(report);
      case 'beat': {
        const { t1, t2, t3 } = report;
        // answers have the order of the questions
        return this.#beats.shift()?.resolve({ t1, t2, t3, t4: nowUs() });
      }
      case 'started':
        return;
      case 'out':
      case 'err':
        return this.#programs.get(report.id)?.onOutput(report.type, Buffer.from(body));
      case 'exit':
        return this.#programs.get(report.id)?.onExit(report.status, report.signal as NodeJS.Signals | null);
      case 'closed': {
        const program = this.#programs.get(report.id);
        this.#programs.delete(report.id);
        return program?.onClosed();
      }
      case 'failed': {
        const program = this.#programs.get(report.id);
        this.#programs.delete(report.id);
        program?.onFailed(Object.assign(new Error(report.message), { code: report.code ?? undefined }));
        return this.#questions
          .get(report.id)
          ?.reject(new CoexistError('command-failed', `machine "${this.#name}": ${report.message}`));
      }
      case 'answer':
        return this.#questions.get(report.id)?.resolve(report.value);
    }
  }
}
