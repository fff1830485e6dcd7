/**
 * A child program that prints messages as lines, most often JSON, and may receive lines.
 *
 * Every wait for a line has a deadline. It rejects when the program ends or prints a line that cannot be read.
 */

import { CoexistError, type ErrorCode } from '../errors.ts';
import type { Child } from './command.ts';
import { within } from './deadline.ts';
import { LineSplitter } from './jsonl.ts';

type ChildEnd = {
  /** Words for the end: "with status 3" or "by SIGKILL". */
  how: string;
  /** Last line of its standard error. If that is empty, "status 3" or "SIGKILL". */
  reason: string;
  /** Last line of its standard error, or empty. */
  lastWords: string;
  /** True if `ready` had resolved. */
  wasReady: boolean;
};

export type JsonLinesOptions<T> = {
  /** Name in messages. Default: the child's name. */
  name?: string;
  /** Code of the error for a line that cannot be read or is too long. */
  code: ErrorCode;
  /**
   * Returns the error for all waits when the program ends. `failed` also rejects with it if the end was not requested.
   */
  ended(end: ChildEnd): CoexistError;
  /** Format of a line. Default: JSON. */
  format?: 'json' | 'text';
  /** Converts a line to a message; throws if the line is unknown. Default: no conversion. */
  read?(said: unknown): T;
  /**
   * Takes messages for which there is no wait; throws if a message is wrong. Default: they are kept for the next call
   * of `next`.
   */
  onLine?(said: T): void;
  /** Maximum length of a line, characters. A longer line is an error. */
  maxChars?: number;
};

type WaitOptions<T> = {
  /** True for the awaited message. Default: accepts any. */
  accepts?(said: T): boolean;
  /** Code of the error when the deadline passes. */
  code?: ErrorCode;
  signal?: AbortSignal;
};

type Waiting<T> = { accepts(said: T): boolean; resolve(said: T): void; reject(error: unknown): void };

export class JsonLinesChild<T = unknown> {
  readonly child: Child;
  readonly #name: string;
  readonly #options: JsonLinesOptions<T>;
  /** Waits in the order in which they began. */
  readonly #waiting: Waiting<T>[] = [];
  readonly #kept: ({ said: T } | { error: unknown })[] = [];
  #failure = newFailure();
  #end: CoexistError | undefined;
  #isReady = false;

  /** `child`: just started, with a pipe for its output and, if it receives lines, for its input. */
  constructor(child: Child, options: JsonLinesOptions<T>) {
    this.child = child;
    this.#name = options.name ?? child.name;
    this.#options = options;
    const { maxChars = 1 << 22 } = options;
    const splitter = new LineSplitter(line => this.#take(line), maxChars);
    child.process.stdin?.on('error', () => {}); // the end of the program gives a better error
    child.process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      const { dropped } = splitter;
      splitter.push(text);
      if (splitter.dropped > dropped) this.#fail(this.#error(`said a line of more than ${maxChars} characters`));
    });
    void child.ended.then(end => this.#takeEnd(end));
  }

  /** Rejects when the program ends without a request, or prints a wrong line while nothing waits for one. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  /**
   * Resets `failed`, so that it rejects only for later failures. A program that has ended still counts as a failure.
   */
  forgetFailure(): void {
    this.#failure = newFailure();
    if (this.#end !== undefined && !this.child.stopping) this.#failure.reject(this.#end);
  }

  /** Waits for the line that says that the program is ready. Kills the program if the line does not come in time. */
  async ready(what: string, ms: number, options: WaitOptions<T> = {}): Promise<T> {
    try {
      const said = await this.next(what, ms, options);
      this.#isReady = true;
      return said;
    } catch (error) {
      await this.child.stop('SIGKILL');
      throw error;
    }
  }

  /**
   * Returns the next message that no earlier call waits for. A call that times out keeps its place, so that a late
   * answer does not go to the next caller. `what` completes "timed out after 5 s waiting for".
   */
  next(what: string, ms: number, { accepts = () => true, ...options }: WaitOptions<T> = {}): Promise<T> {
    const index = this.#kept.findIndex(kept => 'error' in kept || accepts(kept.said));
    const kept = index < 0 ? undefined : this.#kept.splice(index, 1)[0];
    if (kept !== undefined) return 'error' in kept ? Promise.reject(kept.error) : Promise.resolve(kept.said);
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ accepts, resolve, reject });
    return within(promise, ms, what, options);
  }

  /** Sends a line, an object as JSON, and waits for the next message. */
  ask(request: string | object, what: string, ms: number, options?: WaitOptions<T>): Promise<T> {
    const answer = this.next(what, ms, options);
    this.tell(request);
    return answer;
  }

  /** Sends a line, an object as JSON. */
  tell(request: string | object): void {
    this.child.process.stdin!.write(`${typeof request === 'string' ? request : JSON.stringify(request)}\n`);
  }

  /** Closes the program's input, which ends the program. Kills the program if it has not ended in time. */
  async end(graceMs: number): Promise<void> {
    this.child.stopping = true;
    this.child.process.stdin!.end();
    await within(this.child.ended, graceMs, `${this.#name} to end`).catch(() => this.child.stop('SIGKILL'));
  }

  #take(line: string): void {
    let said: T;
    try {
      said = this.#read(line);
    } catch (error) {
      return this.#fail(error);
    }
    const index = this.#waiting.findIndex(({ accepts }) => accepts(said));
    if (index >= 0) return this.#waiting.splice(index, 1)[0]!.resolve(said);
    const { onLine } = this.#options;
    if (onLine === undefined) return void this.#kept.push({ said });
    try {
      onLine(said);
    } catch (error) {
      this.#fail(error);
    }
  }

  #read(line: string): T {
    const { format = 'json', read = (said: unknown) => said as T } = this.#options;
    if (format === 'text') return read(line);
    let said: unknown;
    try {
      said = JSON.parse(line);
    } catch (error) {
      throw this.#error(`said what is not JSON: ${line.slice(0, 80)}`, error);
    }
    return read(said);
  }

  #error(what: string, cause?: unknown): CoexistError {
    return new CoexistError(this.#options.code, `${this.#name} ${what}`, { cause });
  }

  /** Passes an error to the longest wait, because it may be the answer to it. */
  #fail(error: unknown): void {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) waiting.reject(error);
    else if (this.#options.onLine === undefined) this.#kept.push({ error });
    else this.#failure.reject(error);
  }

  #takeEnd({ status, signal }: { status: number | null; signal: NodeJS.Signals | null }): void {
    const { lastWords } = this.child;
    const end = signal === null ? `status ${status}` : signal;
    this.#end = this.#options.ended({
      how: signal === null ? `with ${end}` : `by ${end}`,
      reason: lastWords === '' ? end : lastWords,
      lastWords,
      wasReady: this.#isReady,
    });
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end);
    if (!this.child.stopping) this.#failure.reject(this.#end);
  }
}

function newFailure(): PromiseWithResolvers<never> {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {}); // no unhandled rejection if nothing watches `failed`
  return failure;
}
