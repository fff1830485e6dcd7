/**
 * Keeps a browser that a page has taken over from ending or filling the harness. Playwright reads the browser's DevTools
 * pipe and output inside the harness: it keeps a message or line until its end, however long that is, and throws where a
 * message is not what it expects, which nobody could catch.
 *
 * This looks for the ends in the same pieces that Playwright reads, without copying or holding them up. What Playwright
 * throws while it handles what a browser has sent belongs to that browser (AsyncLocalStorage). Either ends that browser
 * and its trial. Our own listeners run in there as well, and what they throw is a fault of ours.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';
import { CoexistError, exitStatus, messageOf } from '../../../core/errors.ts';
import { faultText } from '../../../core/text/printable.ts';
import { longestMessage } from './devtools.ts';
import { firstLine } from './first-line.ts';

/** Playwright keeps 300 lines of what a browser prints; bytes of one. */
const longestLine = 2 ** 18;

/** Of the browser whose bytes are handled. */
const current = new AsyncLocalStorage<PlaywrightGuard>();

const firstWords = (error: unknown) => firstLine(messageOf(error)).slice(0, 200);

const ownFiles = new URL('../../../', import.meta.url).href;
const isPlaywrights = (frame: string) => frame.includes('/node_modules/playwright-core/');

/** True where Playwright itself has thrown it, and was not called by us. */
function isOfPlaywright(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { message, stack = '' } = error;
  // the message may hold a browser's words, which can look like frames
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
  // a program that Playwright starts is known to nobody else; the channel tells it before it runs
  subscribe('child_process', message => current.getStore()?.watch((message as { process: ChildProcess }).process));
  process.on('uncaughtException', error => {
    const guard = current.getStore();
    if (guard !== undefined && isOfPlaywright(error))
      return guard.fail(`what cannot be handled: ${firstWords(error)}`, error);
    if (process.listenerCount('uncaughtException') > 1) return;
    // a fault of ours, as without this listener
    process.stderr.write(faultText(error));
    process.exit(exitStatus.unexpected);
  });
}

/** Calls `onLong` once where the stream has more than `most` bytes without an `end`; nothing is read any more then. */
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
  // a listener starts the stream, and Playwright must not miss its beginning
  const onReader = (event: string | symbol) => {
    if (event !== 'data') return;
    stream.off('newListener', onReader);
    stream.on('data', onData);
  };
  if (stream.listenerCount('data') > 0) stream.on('data', onData);
  else stream.on('newListener', onReader);
}

export class PlaywrightGuard {
  /** Rejects when the browser has sent what no browser sends; it has been killed then. */
  readonly failed: Promise<never>;
  /** Why. */
  reason: CoexistError | undefined;
  readonly #reject: (reason: CoexistError) => void;
  #browser: ChildProcess | undefined;

  constructor() {
    const { promise, reject } = Promise.withResolvers<never>();
    this.failed = promise;
    this.failed.catch(() => {});
    this.#reject = reject;
  }

  /** Starts a browser. */
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
    // the number of one that has ended may be another's by now
    if (browser?.pid === undefined || browser.exitCode !== null || browser.signalCode !== null) return;
    try {
      process.kill(-browser.pid, 'SIGKILL'); // Playwright makes it the leader of a group
    } catch {
      // it has ended
    }
  }
}
