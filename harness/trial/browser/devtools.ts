/**
 * Client of the DevTools protocol over two pipes (--remote-debugging-pipe). Messages are JSON, each followed by a zero
 * byte.
 */
import type { Readable, Writable } from 'node:stream';
import { CoexistError } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { within } from '../../../core/system/deadline.ts';
import { LineSplitter } from '../../../core/system/jsonl.ts';
import { firstLine } from './first-line.ts';

/**
 * Deadline for an answer, ms. A working browser answers sooner. A page that waits for something needs a longer
 * deadline.
 */
export const answerMs = 10_000;

/** Schema of a message: an answer to a request, or an event of the browser. */
const messageSchema = z.looseObject({
  id: z.number().optional(),
  sessionId: z.string().optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Message = z.output<typeof messageSchema>;
/**
 * Maximum length of a message, characters or bytes. Values read from a page are far smaller, and a screenshot has a few
 * MB.
 */
export const longestMessage = 64 * 2 ** 20;

function messageIn(text: string): Message | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Schemas of those parts of the answers to Page.getFrameTree and Runtime.evaluate that are read. */
export const frames = z.looseObject({ frameTree: z.looseObject({ frame: z.looseObject({ id: z.string() }) }) });
export const evaluated = z.looseObject({
  result: z.looseObject({ value: z.unknown().optional() }),
  exceptionDetails: z
    .looseObject({ text: z.string(), exception: z.looseObject({ description: z.string().optional() }).optional() })
    .optional(),
});

type Waiting = { resolve(result: unknown): void; reject(error: unknown): void };

export class DevTools {
  readonly #input: Writable;
  readonly #onFailure: (reason: CoexistError) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, ((params: object) => void)[]>();
  #lastId = 0;
  /** Reason why no more answers will come; undefined while the connection works. */
  #end: { reason: unknown } | undefined;

  /**
   * `input`: pipe that the browser reads. `output`: pipe that the browser writes. `onFailure`: called if the browser
   * sends data that no working browser sends; nothing more is read then.
   */
  constructor(input: Writable, output: Readable, onFailure: (reason: CoexistError) => void = () => {}) {
    this.#input = input;
    this.#onFailure = onFailure;
    input.on('error', () => {}); // the code that started the browser notices its end
    const messages = new LineSplitter(text => this.#onText(text), longestMessage, '\0');
    output.setEncoding('utf8').on('data', (text: string) => {
      if (this.#end !== undefined) return;
      messages.push(text);
      if (messages.dropped > 0) this.#fail(`a message of more than ${longestMessage / 2 ** 20} MiB`);
    });
  }

  /**
   * Calls `listener` for each event `method` of a session, or of the browser itself if `session` is undefined. A
   * listener should throw if the contents of an event are unexpected.
   */
  on(method: string, session: string | undefined, listener: (params: object) => void): void {
    const key = `${session ?? ''} ${method}`;
    this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), listener]);
  }

  /**
   * Sends a request and checks the answer with `schema`. Throws the errors of `send`, and `browser-died` if the answer
   * does not fit.
   */
  async ask<S extends z.ZodType>(
    schema: S,
    method: string,
    params: object = {},
    session?: string,
    ms?: number,
  ): Promise<z.output<S>> {
    return check(
      schema,
      await this.send(method, params, session, ms),
      `the browser's answer to ${method}`,
      'browser-died',
    );
  }

  /**
   * Sends a request and returns the answer. Throws `browser-died` if no answer comes within `ms`, and `browser-failed`
   * if the browser refuses the request.
   */
  async send(method: string, params: object = {}, session?: string, ms = answerMs): Promise<unknown> {
    if (this.#end !== undefined) throw this.#end.reason;
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#input.write(
      `${JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) })}\0`,
    );
    try {
      return await within(answer, ms, `the browser's answer to ${method}`, { code: 'browser-died' });
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Rejects all open and later requests with `reason`, since no more answers will come. */
  end(reason: unknown): void {
    this.#end ??= { reason };
    for (const { reject } of this.#waiting.values()) reject(reason);
  }

  #onText(text: string): void {
    if (this.#end !== undefined) return;
    const message = messageIn(text);
    if (message === undefined) return this.#fail('what is no message');
    try {
      this.#onMessage(message);
    } catch (error) {
      // the message has the right form, but its contents are not those of a browser
      this.#fail('what the harness cannot handle', error);
    }
  }

  #fail(what: string, cause?: unknown): void {
    const reason = new CoexistError('browser-died', `the browser sent ${what}`, { cause });
    this.end(reason);
    this.#onFailure(reason);
  }

  #onMessage({ id, sessionId, method, params = {}, result = {}, error }: Message): void {
    if (id === undefined) {
      for (const listener of this.#listeners.get(`${sessionId ?? ''} ${method}`) ?? []) listener(params);
      return;
    }
    const waiting = this.#waiting.get(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new CoexistError('browser-failed', `the browser refuses: ${firstLine(error.message)}`));
  }
}
