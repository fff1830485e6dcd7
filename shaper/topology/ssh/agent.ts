/**
 * The agent: it runs on a machine of the lab and executes the orders that the harness sends to its standard input.
 *
 * It runs as long as orders arrive. When its input ends, when nothing has arrived for a while, or when the input is not
 * a valid order, it kills the process groups that it has started and ends. A lost connection therefore leaves nothing
 * behind, even if it never comes back. The agent writes files and changes settings only on orders. The shell that
 * started it removes those files and restores those settings (launch.ts).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { childEnvironment } from '../../../core/system/child-environment.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { killGroup } from '../../../core/system/process-group.ts';
import { fieldsBehindName } from '../../../core/system/process-stat.ts';
import { bodiesOf, encodeFrame, FrameReader } from './frames.ts';
import { maxWaitingBytes, type Order, protocolVersion, type Report, readOrder, silenceMs } from './protocol.ts';
import { openEcho, sendProbes } from './udp-probe.ts';

/** Number of bytes that may wait for the connection; above it, reading from programs pauses. */
const fullBytes = 1 << 22;
/** Milliseconds to wait for killed programs at the end. */
const reapMs = 2000;

const nowUs = () => nowMs() * 1000;

/**
 * End of the agent. `fault`: text of the fault that ended it; undefined after an order to end or the end of the input.
 */
type AgentEnd = { fault: string | undefined };

/** Returns the ids of the processes whose session leader is in `sessions` (proc(5), stat field 6). */
function processIdsOf(sessions: ReadonlySet<number>): number[] {
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const session = Number(fieldsBehindName(stat)[3]);
      return sessions.has(session) ? [Number(name)] : [];
    } catch {
      return []; // the process has ended
    }
  });
}

export class Agent {
  readonly ended: Promise<AgentEnd>;
  readonly #output: Writable;
  readonly #code: string;
  readonly #nowMs: () => number;
  readonly #reader = new FrameReader((head, body) => this.#obey(readOrder(head), body));
  readonly #programs = new Map<number, ChildProcessWithoutNullStreams>();
  readonly #echoes: { close(): void }[] = [];
  #silenceMs = silenceMs;
  #heardMs: number;
  #greeted = false;
  #isEnding = false;
  #end: (end: AgentEnd) => void = () => {};

  /** `code`: SHA-256 of the agent's program, which the agent reports. `now`: a monotonic clock, ms. */
  constructor(output: Writable, code: string, now: () => number = nowMs) {
    this.#output = output;
    this.#code = code;
    this.#nowMs = now;
    this.#heardMs = now();
    this.ended = new Promise(resolve => {
      this.#end = resolve;
    });
    output.on('error', () => void this.end());
    output.on('drain', () => {
      for (const program of this.#programs.values()) for (const pipe of [program.stdout, program.stderr]) pipe.resume();
    });
  }

  /** Processes a piece of input from the harness. */
  receive(chunk: Buffer): void {
    if (this.#isEnding) return;
    this.#heardMs = this.#nowMs();
    try {
      this.#reader.push(chunk);
    } catch (error) {
      void this.end(`what came is no order: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Ends the agent if no input has arrived for too long. Must be called often. */
  checkSilence(): void {
    const silentMs = this.#nowMs() - this.#heardMs;
    if (silentMs > this.#silenceMs) void this.end(`nothing came for ${Math.round(silentMs / 100) / 10} s`);
  }

  /** Kills everything that the agent has started, and ends the agent. */
  async end(fault?: string): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const echo of this.#echoes) echo.close();
    const programs = [...this.#programs.values()];
    for (const program of programs) {
      killGroup(program);
      // the output is no longer read, and would delay the end of the pipes
      for (const pipe of [program.stdout, program.stderr]) pipe.destroy();
    }
    await Promise.race([
      Promise.all(programs.map(program => new Promise(resolve => program.once('close', resolve)))),
      new Promise(resolve => setTimeout(resolve, reapMs).unref()),
    ]);
    this.#end({ fault });
  }

  #report(report: Report, body?: Uint8Array): void {
    if (this.#isEnding) return;
    this.#output.write(encodeFrame(report, body));
  }

  #obey(order: Order, body: Buffer): void {
    if (this.#isEnding) return;
    if (order.type !== 'hello' && !this.#greeted) throw new Error('the first order is no hello');
    switch (order.type) {
      case 'hello':
        if (order.protocol !== protocolVersion) throw new Error(`protocol ${order.protocol}, not ${protocolVersion}`);
        this.#greeted = true;
        this.#silenceMs = order.silenceMs;
        return this.#report({
          type: 'hello',
          protocol: protocolVersion,
          code: this.#code,
          node: process.versions.node,
          isContained: process.env['COEXIST_CONTAINED'] === '1',
          folder: process.env['COEXIST_FOLDER'] ?? '',
          monotonicUs: nowUs() - Number(process.hrtime.bigint()) / 1000,
        });
      case 'beat': {
        const t2 = nowUs();
        return this.#report({ type: 'beat', t1: order.t1, t2, t3: nowUs() });
      }
      case 'end':
        return void this.end();
      case 'start':
        return this.#start(order);
      case 'input':
        return this.#input(order.id, body);
      case 'input-end':
        return void this.#programs.get(order.id)?.stdin.end();
      case 'signal': {
        const program = this.#programs.get(order.id);
        if (program === undefined) return;
        if (order.isGroup) killGroup(program);
        else program.kill(order.signal);
        return;
      }
      case 'processes':
        return this.#answer(order.id, async () =>
          processIdsOf(new Set([...this.#programs.values()].flatMap(({ pid }) => pid ?? []))),
        );
      case 'echo':
        return this.#answer(order.id, async () => {
          const echo = await openEcho(order.address);
          this.#echoes.push(echo);
          return echo.port;
        });
      case 'probe':
        return this.#answer(order.id, () => sendProbes(order));
    }
  }

  #answer(id: number, work: () => Promise<unknown>): void {
    work().then(
      value => this.#report({ type: 'answer', id, value }),
      error => this.#failed(id, error),
    );
  }

  #failed(id: number, error: unknown): void {
    const { code = null, message } = error as { code?: string | null; message: string };
    this.#report({ type: 'failed', id, code, message });
  }

  #start({ id, argv: [file, ...words], environment, folder }: Extract<Order, { type: 'start' }>): void {
    if (this.#programs.has(id)) throw new Error(`there is a program ${id}`);
    let program: ChildProcessWithoutNullStreams;
    try {
      // a new session, so that everything that the program starts can be killed with it
      program = spawn(file!, words, {
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
        env: childEnvironment({ ...process.env, ...environment }),
        ...(folder === null ? {} : { cwd: folder }),
      });
    } catch (error) {
      return this.#failed(id, error); // for example arguments that are too long for the kernel
    }
    this.#programs.set(id, program);
    program.once('error', error => {
      if (program.pid !== undefined) return; // a signal that did not reach the program
      this.#programs.delete(id);
      this.#failed(id, error);
    });
    if (program.pid === undefined) return;
    this.#report({ type: 'started', id });
    program.stdin.on('error', () => {}); // the program may end before it has read everything
    for (const [type, pipe] of [['out', program.stdout] as const, ['err', program.stderr] as const]) {
      pipe.on('data', (bytes: Buffer) => {
        for (const part of bodiesOf(bytes)) this.#report({ type, id }, part);
        if (this.#output.writableLength > fullBytes)
          for (const { stdout, stderr } of this.#programs.values()) pause(stdout, stderr);
      });
    }
    program.once('exit', (status, signal) => {
      killGroup(program);
      this.#report({ type: 'exit', id, status, signal });
    });
    program.once('close', () => {
      this.#programs.delete(id);
      this.#report({ type: 'closed', id });
    });
  }

  #input(id: number, body: Buffer): void {
    const program = this.#programs.get(id);
    if (program === undefined || program.stdin.writableEnded) return;
    if (program.stdin.writableLength + body.length > maxWaitingBytes) return void killGroup(program);
    program.stdin.write(Buffer.from(body));
  }
}

const pause = (...pipes: readonly { pause(): unknown }[]) => pipes.forEach(pipe => void pipe.pause());
