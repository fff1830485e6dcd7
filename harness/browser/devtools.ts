/** The DevTools protocol over two pipes (--remote-debugging-pipe): JSON messages, a zero byte after each. */
import type { Readable, Writable } from 'node:stream';
import { within } from '../../core/deadline.ts';
import { CoexistError } from '../../core/errors.ts';

/** What a browser that works answers within; a page that is asked to wait for something answers later. */
export const answerMs = 10_000;

type Message = { id?: number; sessionId?: string; method?: string; params?: unknown; result?: unknown; error?: { message: string } };
type Waiting = { resolve(result: unknown): void; reject(error: unknown): void };

export class DevTools {
  readonly #input: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, ((params: never) => void)[]>();
  #lastId = 0;
  #rest = '';

  /** `input` is what the browser reads, `output` what it writes. */
  constructor(input: Writable, output: Readable) {
    this.#input = input;
    input.on('error', () => {}); // the browser's end is noticed by whoever started it
    output.setEncoding('utf8').on('data', (text: string) => this.#onText(text));
  }

  /** What the browser says of a session, or without one of itself. */
  on<T>(method: string, session: string | undefined, listener: (params: T) => void): void {
    const key = `${session ?? ''} ${method}`;
    this.#listeners.set(key, [...this.#listeners.get(key) ?? [], listener as (params: never) => void]);
  }

  /** Throws `browser-died` where there is no answer in time, `browser-failed` where the browser refuses. */
  async send<T>(method: string, params: object = {}, session?: string, ms = answerMs): Promise<T> {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#input.write(`${JSON.stringify({ id, method, params, ...session === undefined ? {} : { sessionId: session } })}\0`);
    try {
      return await within(answer, ms, `the browser's answer to ${method}`, { code: 'browser-died' }) as T;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Nothing will be answered any more. */
  end(reason: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(reason);
  }

  #onText(text: string): void {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop()!;
    for (const part of parts) this.#onMessage(JSON.parse(part) as Message);
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
