/** The DevTools protocol over two pipes (--remote-debugging-pipe): JSON messages, each followed by a zero byte. */
import type { Readable, Writable } from 'node:stream';
import { CoexistError } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { within } from '../../../core/system/deadline.ts';
import { LineSplitter } from '../../../core/system/jsonl.ts';
import { firstLine } from './first-line.ts';

/** Time in which a working browser answers, ms. A page that waits for something takes longer. */
export const answerMs = 10_000;

/** An answer to a request, or an event of the browser. */
const messageSchema = z.looseObject({
  id: z.number().optional(),
  sessionId: z.string().optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Message = z.output<typeof messageSchema>;
/** Longest message, characters or bytes. Values read from a page are far smaller; a screenshot has a few MB. */
export const longestMessage = 64 * 2 ** 20;

function messageIn(text: string): Message | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Parts of the answers to Page.getFrameTree and Runtime.evaluate that are read. */
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
  /** Set when no more answers will come, with the reason. */
  #end: { reason: unknown } | undefined;

  /**
   * `input`: pipe that the browser reads. `output`: pipe that it writes. `onFailure` is called if the browser sends
   * something that no working browser sends; nothing more is read then.
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
   * Listens to events of a session; without a session, to events of the browser itself. A listener throws if an event
   * has unexpected contents.
   */
  on(method: string, session: string | undefined, listener: (params: object) => void): void {
    const key = `${session ?? ''} ${method}`;
    this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), listener]);
  }

  /**
   * Sends a request and checks the answer with a schema. Throws as `send` does, and `browser-died` if the answer does
   * not match.
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

  /** Sends a request. Throws `browser-died` if no answer comes in time, `browser-failed` if the browser refuses. */
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

  /** Rejects all requests with `reason`: no more answers will come. */
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
      // it has the form of a message, but not the contents of a browser's
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
