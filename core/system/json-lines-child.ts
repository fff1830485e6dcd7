/**
 * Exchanges lines with a child program: the program prints messages as lines, most often JSON, and may receive lines.
 *
 * Every wait for a line has a deadline, and rejects when the program ends or prints a line that cannot be read.
 */

import { CoexistError, type ErrorCode } from '../errors.ts';
import type { Child } from './command.ts';
import { within } from './deadline.ts';
import { LineSplitter } from './jsonl.ts';

type ChildEnd = {
  /** Words for a message about the end of the program: "with status 3" or "by SIGKILL". */
  how: string;
  /**
   * Reason for a message about the end: the last line of the program's standard error, or "status 3" or "SIGKILL" if
   * the program printed none.
   */
  reason: string;
  /** Last line of the program's standard error. Empty if the program printed none. */
  lastWords: string;
  /** True if the program had printed the line that `ready` waits for. */
  wasReady: boolean;
};

export type JsonLinesOptions<T> = {
  /** Name of the program in messages. Default: the name of the child. */
  name?: string;
  /** Code of the error for a line that cannot be read or is too long. */
  code: ErrorCode;
  /**
   * Returns the error with which all waits reject when the program ends. `failed` rejects with the same error unless
   * the caller asked for the end.
   */
  ended(end: ChildEnd): CoexistError;
  /** Format of the lines that the program prints. Default: JSON. */
  format?: 'json' | 'text';
  /** Converts a line to a message. Throws if the line is not a known message. Default: the line is the message. */
  read?(said: unknown): T;
  /**
   * Receives a message if no caller waits for one. Throws if the message is wrong. Without this function, messages are
   * kept for later calls of `next`.
   */
  onLine?(said: T): void;
  /** Maximum length of a line, characters. A longer line is an error. Default: 4,194,304. */
  maxChars?: number;
};

type WaitOptions<T> = {
  /** True if the message is the awaited one. Default: every message is. */
  accepts?(said: T): boolean;
  /** Code of the error that is thrown when the deadline passes. Default: `timed-out`. */
  code?: ErrorCode;
  signal?: AbortSignal;
};

type Waiting<T> = { accepts(said: T): boolean; resolve(said: T): void; reject(error: unknown): void };

export class JsonLinesChild<T = unknown> {
  readonly child: Child;
  readonly #name: string;
  readonly #options: JsonLinesOptions<T>;
  /** Calls that wait for a message, the oldest first. */
  readonly #waiting: Waiting<T>[] = [];
  readonly #kept: ({ said: T } | { error: unknown })[] = [];
  #failure = newFailure();
  #end: CoexistError | undefined;
  #isReady = false;

  /**
   * `child`: a program that was just started, with a pipe for its output. A program that receives lines also has a pipe
   * for its input.
   */
  constructor(child: Child, options: JsonLinesOptions<T>) {
    this.child = child;
    this.#name = options.name ?? child.name;
    this.#options = options;
    const { maxChars = 1 << 22 } = options;
    const splitter = new LineSplitter(line => this.#take(line), maxChars);
    child.process.stdin?.on('error', () => {}); // ignored: the end of the program gives a better error
    child.process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      const { dropped } = splitter;
      splitter.push(text);
      if (splitter.dropped > dropped) this.#fail(this.#error(`said a line of more than ${maxChars} characters`));
    });
    void child.ended.then(end => this.#takeEnd(end));
  }

  /** Promise that rejects when the program ends unasked, or prints a wrong line while no caller waits for one. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  /**
   * Replaces `failed` by a new promise, which rejects only for later failures. If the program has ended unasked, the
   * new promise rejects as well.
   */
  forgetFailure(): void {
    this.#failure = newFailure();
    if (this.#end !== undefined && !this.child.stopping) this.#failure.reject(this.#end);
  }

  /** Waits for the line by which the program reports that it is ready. Kills the program if the wait fails. */
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
   * Returns the next message that no earlier call waits for. A call that has timed out still receives its message, so
   * that a late answer does not go to the next caller. `what` completes the message "timed out after 5 s waiting for".
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

  /** Sends a line and returns the next message. An object is sent as JSON. */
  ask(request: string | object, what: string, ms: number, options?: WaitOptions<T>): Promise<T> {
    const answer = this.next(what, ms, options);
    this.tell(request);
    return answer;
  }

  /** Sends a line. An object is sent as JSON. */
  tell(request: string | object): void {
    this.child.process.stdin!.write(`${typeof request === 'string' ? request : JSON.stringify(request)}\n`);
  }

  /** Closes the program's input, at which the program ends. Kills the program if it still runs after `graceMs`. */
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

  /** Rejects the oldest wait with the error, because the unreadable line may have been the answer to that call. */
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
  failure.promise.catch(() => {}); // avoids an unhandled rejection if nothing uses `failed`
  return failure;
}
