/**
 * Starts a fresh headless Chromium on a host, for pages that transfer much data. Enables only the DevTools domains that
 * are needed. Playwright also enables the Network domain, in which the browser reports every piece of data that a page
 * receives; for a page that reads 50 Mbit/s that costs another half core.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { CoexistError } from '../../../core/errors.ts';
import { z } from '../../../core/schema/schema.ts';
import { until, within } from '../../../core/system/deadline.ts';
import { Bounds, plainEnd } from './bounds.ts';
import { browserCommand } from './browser-command.ts';
import { noSandbox, withSandboxThatStarts } from './confinement.ts';
import { DevTools, evaluated, frames } from './devtools.ts';
import type { BrowserConfinement } from './entrance.ts';
import { firstLine } from './first-line.ts';
import { type BrowserOptions, commonSwitches, launchMs, withoutQuic } from './launch.ts';
import { startHint } from './program-place.ts';
import { useLimits } from './use.ts';

/**
 * Switches in addition to `commonSwitches`, taken from Playwright: no dialogs, and no throttling of pages that the
 * browser considers hidden.
 */
const bareSwitches = [
  '--headless',
  '--remote-debugging-pipe',
  '--hide-scrollbars',
  '--mute-audio',
  '--no-default-browser-check',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-field-trial-config',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disable-dev-shm-usage',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

const closeMs = 5000;

/** Schemas of those parts of the browser's answers that are read. */
const navigated = z.looseObject({ errorText: z.string().optional() });
const world = z.looseObject({ executionContextId: z.number() });
const version = z.looseObject({ product: z.string() });
const target = z.looseObject({ targetId: z.string() });
const attached = z.looseObject({ sessionId: z.string() });

export class BarePage {
  readonly devtools: DevTools;
  readonly session: string;

  constructor(devtools: DevTools, session: string) {
    this.devtools = devtools;
    this.session = session;
  }

  /**
   * Opens an address in the page. Throws `browser-failed` if the address cannot be opened. `what`: name of the page in
   * the error.
   */
  async goTo(url: string, what: string, ms: number): Promise<void> {
    const answer = this.devtools.ask(navigated, 'Page.navigate', { url }, this.session, 2 * ms);
    const { errorText } = await within(answer, ms, what, { code: 'browser-failed' });
    if (errorText !== undefined && errorText !== '')
      throw new CoexistError('browser-failed', `the browser could not open ${what}: ${firstLine(errorText)}`);
  }

  /**
   * Evaluates an expression in the page and returns its value; waits for a value that is a promise. Throws
   * `browser-failed` with the page's error, and `browser-died` if the page does not answer.
   */
  async ask<T>(expression: string): Promise<T> {
    return (await this.#evaluate(expression)) as T;
  }

  /**
   * Evaluates an expression that sees the page's document, but not what the page's scripts have changed in built-in
   * objects. Throws the same errors as `ask`.
   */
  async askIsolated(expression: string): Promise<unknown> {
    const {
      frameTree: { frame },
    } = await this.devtools.ask(frames, 'Page.getFrameTree', {}, this.session);
    const { executionContextId: contextId } = await this.devtools.ask(
      world,
      'Page.createIsolatedWorld',
      { frameId: frame.id, worldName: 'coexist' },
      this.session,
    );
    return this.#evaluate(expression, { contextId });
  }

  async #evaluate(expression: string, where: { contextId?: number } = {}): Promise<unknown> {
    const { result, exceptionDetails } = await this.devtools.ask(
      evaluated,
      'Runtime.evaluate',
      { expression, ...where, awaitPromise: true, returnByValue: true },
      this.session,
    );
    if (exceptionDetails === undefined) return result.value;
    throw new CoexistError(
      'browser-failed',
      `the page failed: ${firstLine(exceptionDetails.exception?.description ?? exceptionDetails.text)}`,
    );
  }

  /** Waits until a script of the page has set `globalThis.coexist`. */
  async ready(what: string, ms: number): Promise<void> {
    await until(
      async () => ((await this.ask<boolean>('globalThis.coexist !== undefined')) ? true : undefined),
      ms,
      what,
      { code: 'browser-failed' },
    );
  }
}

export type BareBrowser = {
  version: string;
  confinement: BrowserConfinement;
  /** Rejects if the browser ends or one of its pages crashes before `close`. */
  died: Promise<never>;
  /** Opens an empty page of the size that the options request. */
  newPage(): Promise<BarePage>;
  close(): Promise<void>;
};

type BareOptions = Omit<BrowserOptions, 'headed' | 'log' | 'place'>;

export function openBareBrowser(options: BareOptions): Promise<BareBrowser> {
  return withSandboxThatStarts(() => start(options));
}

async function start(options: BareOptions): Promise<BareBrowser> {
  const { executable, host, scratch, switches = [], quic = false, width, height } = options;
  const directory = mkdtempSync(join(scratch, 'browser-'));
  const { command, environment, confinement: found } = await browserCommand({ ...options, headed: false }, directory);
  const bounds = await Bounds.make(options.limits ?? useLimits, directory, options.isTrusted);
  const profile = found.isConfined ? '/tmp/profile' : join(directory, 'profile');
  const child = host.start(
    'browser',
    [
      ...bounds.command(command),
      ...bareSwitches,
      ...commonSwitches,
      ...(found.hasChromiumSandbox ? [] : [noSandbox]),
      ...(quic ? [] : [withoutQuic]),
      ...switches,
      `--user-data-dir=${profile}`,
      `--window-size=${width},${height}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], env: environment },
  );
  const [, , , input, output] = child.process.stdio;
  const { promise: died, reject } = Promise.withResolvers<never>();
  const devtools = new DevTools(input as Writable, output as Readable, reject);
  died.catch(() => {});
  bounds.watch(child.pid ?? 0, error => {
    reject(error);
    void child.stop('SIGKILL');
  });
  void child.ended.then(() => {
    const reason = bounds.ended(`${plainEnd}${child.lastWords === '' ? '' : `: ${child.lastWords}`}`);
    devtools.end(reason);
    if (!child.stopping) reject(reason);
  });
  devtools.on('Target.targetCrashed', undefined, () =>
    reject(bounds.ended("the browser's page crashed in the middle of the trial")),
  );
  const close = async () => {
    child.stopping = true;
    if (child.alive) {
      await devtools.send('Browser.close', {}, undefined, closeMs).catch(() => {});
      await within(child.ended, closeMs, 'the browser to close').catch(() => child.stop('SIGKILL'));
    }
    await bounds.end();
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const { product } = await devtools.ask(version, 'Browser.getVersion', {}, undefined, launchMs);
    await devtools.send('Target.setDiscoverTargets', { discover: true });
    await devtools.send('Browser.setDownloadBehavior', { behavior: 'deny' });
    return {
      version: product.split('/').at(-1)!,
      confinement: { ...found, limits: bounds.kind },
      died,
      close,
      async newPage() {
        const { targetId } = await devtools.ask(target, 'Target.createTarget', { url: 'about:blank' });
        const { sessionId } = await devtools.ask(attached, 'Target.attachToTarget', {
          targetId,
          flatten: true,
        });
        await devtools.send(
          'Emulation.setDeviceMetricsOverride',
          { width, height, deviceScaleFactor: 1, mobile: false },
          sessionId,
        );
        return new BarePage(devtools, sessionId);
      },
    };
  } catch (error) {
    await close();
    throw new CoexistError(
      'browser-failed',
      `the browser ${executable} did not start: ${child.lastWords === '' ? 'it does not answer' : child.lastWords}`,
      {
        hint: startHint(executable, found.isConfined),
        cause: error,
      },
    );
  }
}
