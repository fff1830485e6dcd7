/** The DevTools protocol over two pipes (--remote-debugging-pipe): JSON messages, a zero byte after each. */
import type { Readable, Writable } from 'node:stream';
import { within } from '../../core/deadline.ts';
import { CoexistError } from '../../core/errors.ts';

/** What a browser that works answers within; a page that is asked to wait for something answers later. */
export const answerMs = 10_000;

type Message = {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};
/** In characters or bytes; what is read of a page is far smaller, a screenshot of it a few MB. */
export const longestMessage = 64 * 2 ** 20;

function messageIn(text: string): Message | undefined {
  try {
    const message = JSON.parse(text) as unknown;
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

type Waiting = { resolve(result: unknown): void; reject(error: unknown): void };

export class DevTools {
  readonly #input: Writable;
  readonly #onFailure: (reason: CoexistError) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, ((params: never) => void)[]>();
  #lastId = 0;
  #rest = '';
  #hasFailed = false;

  /**
   * `input` is what the browser reads, `output` what it writes. `onFailure` is told where the browser writes what no
   * browser writes; nothing is read any more then.
   */
  constructor(input: Writable, output: Readable, onFailure: (reason: CoexistError) => void = () => {}) {
    this.#input = input;
    this.#onFailure = onFailure;
    input.on('error', () => {}); // the browser's end is noticed by whoever started it
    output.setEncoding('utf8').on('data', (text: string) => this.#onText(text));
  }

  /** What the browser says of a session, or without one of itself. */
  on<T>(method: string, session: string | undefined, listener: (params: T) => void): void {
    const key = `${session ?? ''} ${method}`;
    this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), listener as (params: never) => void]);
  }

  /** Throws `browser-died` where there is no answer in time, `browser-failed` where the browser refuses. */
  async send<T>(method: string, params: object = {}, session?: string, ms = answerMs): Promise<T> {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#input.write(
      `${JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) })}\0`,
    );
    try {
      return (await within(answer, ms, `the browser's answer to ${method}`, { code: 'browser-died' })) as T;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Nothing will be answered any more. */
  end(reason: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(reason);
  }

  #onText(text: string): void {
    if (this.#hasFailed) return;
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop()!;
    if (this.#rest.length > longestMessage) return this.#fail(`a message of more than ${longestMessage / 2 ** 20} MiB`);
    for (const part of parts) {
      const message = messageIn(part);
      if (message === undefined) return this.#fail('what is no message');
      try {
        this.#onMessage(message);
      } catch (error) {
        // it has the form of a message, and its contents are not what a browser writes
        return this.#fail('what the harness cannot handle', error);
      }
    }
  }

  #fail(what: string, cause?: unknown): void {
    this.#hasFailed = true;
    this.#rest = '';
    const reason = new CoexistError('browser-died', `the browser sent ${what}`, { cause });
    this.end(reason);
    this.#onFailure(reason);
  }

  #onMessage({ id, sessionId, method, params, result, error }: Message): void {
    if (id === undefined) {
      for (const listener of this.#listeners.get(`${sessionId ?? ''} ${method}`) ?? []) listener(params as never);
      return;
    }
    const waiting = this.#waiting.get(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new CoexistError('browser-failed', `the browser refuses: ${error.message}`));
  }
}
