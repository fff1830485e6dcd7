/**
 * Prevents a browser that a page has taken over from crashing the harness or filling its memory. Playwright reads the
 * browser's DevTools pipe and output inside the harness. It keeps a message or line of any length until its end. If a
 * message is unexpected, it throws where no caller can catch the error.
 *
 * The guard checks the lengths in the pieces that Playwright reads, without copying or delaying them. An error that
 * Playwright throws while it handles data of a browser is attributed to that browser (AsyncLocalStorage). In both cases
 * the browser and its trial end. Our own listeners run in the same context; their errors are our own faults.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';
import { CoexistError, exitStatus, messageOf } from '../../../core/errors.ts';
import { faultText } from '../../../core/text/printable.ts';
import { longestMessage } from './devtools.ts';
import { firstLine } from './first-line.ts';

/** Longest line, bytes; Playwright keeps 300 lines of a browser's output. */
const longestLine = 2 ** 18;

/** Guard of the browser whose data is being handled. */
const current = new AsyncLocalStorage<PlaywrightGuard>();

const firstWords = (error: unknown) => firstLine(messageOf(error)).slice(0, 200);

const ownFiles = new URL('../../../', import.meta.url).href;
const isPlaywrights = (frame: string) => frame.includes('/node_modules/playwright-core/');

/** True if Playwright itself threw the error and was not called by our code. */
function isOfPlaywright(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, stack = '' } = error;
  // the message may contain text of the browser that looks like frames
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  const files = frames.filter(frame => /^ +at (?!async )/.test(frame) && /[( ](?:file:\/\/)?\//.test(frame));
  const [innermost] = files;
  return (
    innermost !== undefined &&
    isPlaywrights(innermost) &&
    files.every(frame => isPlaywrights(frame) || !frame.includes(ownFiles))
  );
}

let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  // only this channel reports the programs that Playwright starts, before they run
  subscribe('child_process', message => current.getStore()?.watch((message as { process: ChildProcess }).process));
  process.on('uncaughtException', error => {
    const guard = current.getStore();
    if (guard !== undefined && isOfPlaywright(error))
      return guard.fail(`what cannot be handled: ${firstWords(error)}`, error);
    if (process.listenerCount('uncaughtException') > 1) return;
    // a fault of our own, handled as without this listener
    process.stderr.write(faultText(error));
    process.exit(exitStatus.unexpected);
  });
}

/** Calls `onLong` once if the stream has more than `most` bytes without an `end` byte. Nothing more is read then. */
export function watchLengths(stream: Readable, end: number, most: number, onLong: () => void): void {
  let length = 0;
  const onData = (bytes: Buffer) => {
    const at = bytes.lastIndexOf(end);
    length = at < 0 ? length + bytes.length : bytes.length - 1 - at;
    if (length <= most) return;
    stream.off('data', onData);
    stream.destroy();
    onLong();
  };
  // a listener starts the stream, and Playwright must not miss the first bytes
  const onReader = (event: string | symbol) => {
    if (event !== 'data') return;
    stream.off('newListener', onReader);
    stream.on('data', onData);
  };
  if (stream.listenerCount('data') > 0) stream.on('data', onData);
  else stream.on('newListener', onReader);
}

export class PlaywrightGuard {
  /** Rejects if the browser has sent something that no working browser sends. The browser has been killed then. */
  readonly failed: Promise<never>;
  reason: CoexistError | undefined;
  readonly #reject: (reason: CoexistError) => void;
  #browser: ChildProcess | undefined;

  constructor() {
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.failed.catch(() => {});
    this.#reject = reject;
  }

  /** Starts a browser under this guard. */
  run<T>(launch: () => Promise<T>): Promise<T> {
    listen();
    return current.run(this, launch);
  }

  watch(browser: ChildProcess): void {
    this.#browser = browser;
    browser.once('spawn', () => {
      const [, output, errors, , messages] = browser.stdio as (Readable | null | undefined)[];
      for (const stream of [output, errors])
        if (stream) watchLengths(stream, 10, longestLine, () => this.fail(`a line of more than ${longestLine} bytes`));
      if (messages)
        watchLengths(messages, 0, longestMessage, () =>
          this.fail(`a message of more than ${longestMessage / 2 ** 20} MiB`),
        );
    });
  }

  fail(what: string, cause?: unknown): void {
    if (this.reason !== undefined) return;
    this.reason = new CoexistError('browser-died', `the browser sent ${what}`, { cause });
    this.#kill();
    this.#reject(this.reason);
  }

  #kill(): void {
    const browser = this.#browser;
    // the id of an ended process may belong to another by now
    if (browser?.pid === undefined || browser.exitCode !== null || browser.signalCode !== null) return;
    try {
      process.kill(-browser.pid, 'SIGKILL'); // Playwright makes the browser a group leader
    } catch {
      // it has ended
    }
  }
}
