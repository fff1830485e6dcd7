/**
 * Prevents a browser that a page has taken over from crashing the harness or filling its memory. Playwright reads the
 * browser's DevTools pipe and output inside the harness. It keeps a message or line of any length until the end of the
 * message. At an unexpected message, Playwright throws where no caller can catch the error.
 *
 * The guard checks the lengths in the data that Playwright reads, without copying or delaying the data. An error that
 * Playwright throws while it handles data of a browser is attributed to that browser (AsyncLocalStorage). In both cases
 * the browser is killed and its trial ends. Our own listeners run in the same context; an error that they throw is not
 * the browser's fault.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';
import { CoexistError, exitStatus, messageOf } from '../../../core/errors.ts';
import { faultText } from '../../../core/text/printable.ts';
import { longestMessage } from './devtools.ts';
import { firstLine } from './first-line.ts';

/** Maximum length of a line, bytes. Playwright keeps 300 lines of a browser's output. */
const longestLine = 2 ** 18;

/** Guard of the browser whose data is being handled at the moment. */
const current = new AsyncLocalStorage<PlaywrightGuard>();

const firstWords = (error: unknown) => firstLine(messageOf(error)).slice(0, 200);

const ownFiles = new URL('../../../', import.meta.url).href;
const isPlaywrights = (frame: string) => frame.includes('/node_modules/playwright-core/');

/** True if Playwright's code threw the error, and not code of ours that Playwright called. */
function isOfPlaywright(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, stack = '' } = error;
  // the message may contain text of the browser that looks like stack frames
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
  // no other channel reports the programs that Playwright starts before they run
  subscribe('child_process', message => current.getStore()?.watch((message as { process: ChildProcess }).process));
  process.on('uncaughtException', error => {
    const guard = current.getStore();
    if (guard !== undefined && isOfPlaywright(error))
      return guard.fail(`what cannot be handled: ${firstWords(error)}`, error);
    if (process.listenerCount('uncaughtException') > 1) return;
    // an error of our own code is handled as without this listener
    process.stderr.write(faultText(error));
    process.exit(exitStatus.unexpected);
  });
}

/**
 * Calls `onLong` once if more than `most` bytes come without the byte `end`. Nothing more is read from the stream then.
 */
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
  // a listener starts the stream, so ours is added only when Playwright adds its own
  const onReader = (event: string | symbol) => {
    if (event !== 'data') return;
    stream.off('newListener', onReader);
    stream.on('data', onData);
  };
  if (stream.listenerCount('data') > 0) stream.on('data', onData);
  else stream.on('newListener', onReader);
}

export class PlaywrightGuard {
  /** Rejects if the browser has sent data that no working browser sends. The browser is killed then. */
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
    // another process may have the id of a process that has ended
    if (browser?.pid === undefined || browser.exitCode !== null || browser.signalCode !== null) return;
    try {
      process.kill(-browser.pid, 'SIGKILL'); // Playwright makes the browser a group leader
    } catch {
      // the browser has ended
    }
  }
}
