/**
 * A program beside us that prints a line for each thing it says, most often JSON, and may be told lines.
 *
 * Whoever waits for a line has a deadline, and is told when the program ends or prints what cannot be read.
 */

import { CoexistError, type ErrorCode } from '../errors.ts';
import type { Child } from './command.ts';
import { within } from './deadline.ts';
import { LineSplitter } from './jsonl.ts';

/** How a program ended. */
type ChildEnd = {
  /** "with status 3", "by SIGKILL". */
  how: string;
  /** Its last words; where it had none, "status 3" or "SIGKILL". */
  reason: string;
  /** Empty where it had none. */
  lastWords: string;
  /** Whether `ready` had resolved. */
  wasReady: boolean;
};

export type JsonLinesOptions<T> = {
  /** As people call it, in messages; left out: the child's name. */
  name?: string;
  /** The error's code when a line cannot be read or is too long. */
  code: ErrorCode;
  /** The error for those who wait when it ends, and for `failed` where it was not asked to. */
  ended(end: ChildEnd): CoexistError;
  /** What a line is; left out: JSON. */
  format?: 'json' | 'text';
  /** What the program means by what a line says; throws where that is nothing known. Left out: just that. */
  read?(said: unknown): T;
  /** Gets what nobody waits for; throws where that cannot be. Left out: it is kept for whoever asks next. */
  onLine?(said: T): void;
  /** From here on a line is too long. */
  maxChars?: number;
};

type WaitOptions<T> = {
  /** Whether the line is the one that is waited for; left out: any is. */
  accepts?(said: T): boolean;
  /** The error's code when the deadline passes. */
  code?: ErrorCode;
  signal?: AbortSignal;
};

type Waiting<T> = { accepts(said: T): boolean; resolve(said: T): void; reject(error: unknown): void };

export class JsonLinesChild<T = unknown> {
  readonly child: Child;
  readonly #name: string;
  readonly #options: JsonLinesOptions<T>;
  /** In the order in which they asked. */
  readonly #waiting: Waiting<T>[] = [];
  readonly #kept: ({ said: T } | { error: unknown })[] = [];
  #failure = newFailure();
  #end: CoexistError | undefined;
  #isReady = false;

  /** `child`: started just now, with a pipe for its output and, where it is told something, for its input. */
  constructor(child: Child, options: JsonLinesOptions<T>) {
    this.child = child;
    this.#name = options.name ?? child.name;
    this.#options = options;
    const { maxChars = 1 << 22 } = options;
    const splitter = new LineSplitter(line => this.#take(line), maxChars);
    child.process.stdin?.on('error', () => {}); // its end tells more
    child.process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      const { dropped } = splitter;
      splitter.push(text);
      if (splitter.dropped > dropped) this.#fail(this.#error(`said a line of more than ${maxChars} characters`));
    });
    void child.ended.then(end => this.#takeEnd(end));
  }

  /** Rejects when the program ends and was not asked to, or prints what cannot be while nobody waits. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  /** From now on `failed` rejects for what happens from now on. */
  forgetFailure(): void {
    this.#failure = newFailure();
    if (this.#end !== undefined && !this.child.stopping) this.#failure.reject(this.#end);
  }

  /** `next` for the line by which it says that it can be used. A program that does not say so in time is killed. */
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
   * The next line that nobody waits for yet. A caller that times out keeps its place, so that a late answer does not go
   * to the next caller. `what` completes "timed out after 5 s waiting for".
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

  /** Tells it a line, JSON where that is an object, and waits for `next`. */
  ask(request: string | object, what: string, ms: number, options?: WaitOptions<T>): Promise<T> {
    const answer = this.next(what, ms, options);
    this.tell(request);
    return answer;
  }

  /** Tells it a line, JSON where that is an object. */
  tell(request: string | object): void {
    this.child.process.stdin!.write(`${typeof request === 'string' ? request : JSON.stringify(request)}\n`);
  }

  /** Ends its input, upon which it ends by itself; a program that has not ended in time is killed. */
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

  /** It may be the answer to whoever has waited longest. */
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
  failure.promise.catch(() => {}); // who watches it is told; nobody has to
  return failure;
}
