/**
 * Runs our script in a page from the Internet, isolated from the page's own scripts (isolated worlds of Chromium's
 * DevTools protocol). Our script sees the same documents, but none of the changes that the page's scripts make to
 * built-in objects and interfaces. The page's scripts do not see our script. It runs in every frame, including frames
 * in other processes. A second script of ours may run in the page's own world, before the page's scripts, for objects
 * that only those hold.
 */
import type { CDPSession, Frame, Page } from 'playwright-core';
import { CoexistError } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { within } from '../../../core/system/deadline.ts';
import { answerMs, evaluated, frames } from './devtools.ts';
import { firstLine } from './first-line.ts';
import { soon } from './page.ts';

/** Maximum number of frames that are read, since a page may have any number. */
const mostFrames = 64;
const nameOfWorld = 'coexist';

/**
 * Schema of those parts of Runtime.executionContextCreated that are read. `auxData` is present if the context belongs
 * to a frame.
 */
const created = z.looseObject({
  context: z.looseObject({
    id: z.number(),
    name: z.string(),
    auxData: z.looseObject({ frameId: z.string().optional(), isDefault: z.boolean().optional() }).optional(),
  }),
});

/**
 * Checks an answer of the browser, which Playwright passes on unchecked. Throws `browser-died` if the answer does not
 * fit.
 */
const checked = <S extends z.ZodType>(schema: S, answer: unknown, method: string): z.output<S> =>
  check(schema, answer, `the browser's answer to ${method}`, 'browser-died');

/** World in which an expression is evaluated: ours, or the page's own. */
type World = 'isolated' | 'page';
/** Ids of execution contexts by frame id, in each world. */
type Contexts = Record<World, Map<string, number>>;

export class IsolatedWorld {
  readonly #page: Page;
  readonly #script: string;
  readonly #pageScript: string | undefined;
  readonly #answerMs: number;
  readonly #sessions = new Map<CDPSession, Contexts>();
  #mainFrame = '';
  #main: CDPSession | undefined;

  private constructor(page: Page, script: string, ms: number, pageScript?: string) {
    this.#page = page;
    this.#script = script;
    this.#pageScript = pageScript;
    this.#answerMs = ms;
  }

  /**
   * Adds the script to the page, where it runs before the page's own scripts. Throws `browser-died` if adding it to a
   * frame or the page takes longer than `ms`. `pageScript`: script for the page's own world.
   */
  static async open(page: Page, script: string, ms = answerMs, pageScript?: string): Promise<IsolatedWorld> {
    const world = new IsolatedWorld(page, script, ms, pageScript);
    world.#main = await world.#enter(page);
    const { frameTree } = checked(frames, await soon(world.#main.send('Page.getFrameTree'), ms), 'Page.getFrameTree');
    world.#mainFrame = frameTree.frame.id;
    const take = (frame: Frame) => {
      if (frame !== page.mainFrame() && world.#sessions.size < mostFrames) world.#enter(frame).catch(() => {});
    }; // a frame in the page's own process shares the page's session
    page.on('frameattached', take).on('framenavigated', take);
    return world;
  }

  /**
   * Evaluates an expression in all frames and returns the values. Frames that are closing or take longer than `ms` are
   * left out.
   */
  async askFrames(expression: string, ms: number, world: World = 'isolated'): Promise<unknown[]> {
    const contexts = [...this.#sessions]
      .flatMap(([session, byFrame]) => [...byFrame[world].values()].map(context => ({ session, context })))
      .slice(0, mostFrames);
    const answers = await Promise.allSettled(
      contexts.map(({ session, context }) => within(this.#evaluate(session, context, expression), ms, 'a frame')),
    );
    return answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  /**
   * Evaluates an expression in the page's main frame and returns the value; waits for a value that is a promise. Throws
   * `browser-died` if there is no answer within `ms`.
   */
  async ask(expression: string, ms: number): Promise<unknown> {
    const context = this.#sessions.get(this.#main!)?.isolated.get(this.#mainFrame);
    if (context === undefined) throw new CoexistError('browser-died', "the browser's page is going away");
    return soon(this.#evaluate(this.#main!, context, expression), ms);
  }

  #enter(target: Page | Frame): Promise<CDPSession> {
    return soon(this.#begin(target), this.#answerMs);
  }

  async #begin(target: Page | Frame): Promise<CDPSession> {
    const session = await this.#page.context().newCDPSession(target);
    const contexts: Contexts = { isolated: new Map(), page: new Map() };
    const maps = Object.values(contexts);
    session.on('Runtime.executionContextCreated', (told: unknown) => {
      const { context } = created.safeParse(told).data ?? {}; // an unexpected event is ignored
      if (context === undefined) return;
      const frame = context.auxData?.frameId;
      if (frame === undefined) return;
      if (context.name === nameOfWorld) contexts.isolated.set(frame, context.id);
      else if (context.auxData?.isDefault === true) contexts.page.set(frame, context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      for (const map of maps) for (const [frame, id] of map) if (id === executionContextId) map.delete(frame);
    });
    session.on('Runtime.executionContextsCleared', () => {
      for (const map of maps) map.clear();
    });
    session.on('close', () => this.#sessions.delete(session));
    this.#sessions.set(session, contexts);
    await session.send('Page.enable');
    await session.send('Runtime.enable');
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: this.#script,
      worldName: nameOfWorld,
      runImmediately: true,
    });
    if (this.#pageScript !== undefined)
      await session.send('Page.addScriptToEvaluateOnNewDocument', { source: this.#pageScript, runImmediately: true });
    return session;
  }

  async #evaluate(session: CDPSession, contextId: number, expression: string): Promise<unknown> {
    const answer = await session.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    const { result, exceptionDetails } = checked(evaluated, answer, 'Runtime.evaluate');
    if (exceptionDetails !== undefined)
      throw new CoexistError('browser-failed', `the page failed: ${firstLine(exceptionDetails.text)}`);
    return result.value;
  }
}
