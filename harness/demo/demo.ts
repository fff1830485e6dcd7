/**
 * A demonstration from its start to its end: the testbed, the windows, the page with the controls, and what these do.
 */
import { nowMs } from '../../core/clock.ts';
import { run } from '../../core/command.ts';
import { sleepUntil } from '../../core/deadline.ts';
import { CoexistError } from '../../core/errors.ts';
import { Lease } from '../../core/lease.ts';
import { describeLink, type Link } from '../../core/link.ts';
import { localHost } from '../../core/local-host.ts';
import { isInUserNamespace } from '../../core/user-namespace.ts';
import { writeWhole } from '../../core/whole-file.ts';
import { findBrowser } from '../browser/find.ts';
import { type BrowserWindow, openBrowser, type WindowPlace } from '../browser/launch.ts';
import { goTo } from '../browser/page.ts';
import { wireRatesWords } from '../derive/live-meter.ts';
import type { RunnerRegistries } from '../runner/registries.ts';
import { controlsWords, displayWords, openVirtualDisplay, type VirtualDisplay } from './display.ts';
import type { FirstValues } from './first-values.ts';
import type { FloodKind } from './flood-kinds.ts';
import type { Change } from './messages.ts';
import { Newest } from './newest.ts';
import { Opened } from './opened.ts';
import { PageServer } from './page-server.ts';
import { ruleWords } from './sentence.ts';
import { changed, controlsOf, linkChange, noFlood, obstacleOf, readyFlood, type Settings } from './settings.ts';
import { Testbed } from './testbed.ts';
import { tile } from './tiling.ts';
import { place, screenOf } from './windows.ts';

type DemoOptions = {
  first: FirstValues;
  kinds: readonly FloodKind[];
  registries: RunnerRegistries;
  /** On a screen that nobody sees. */
  virtual: boolean;
  /** File for a picture of that screen at the end. */
  picture?: string | undefined;
  signal: AbortSignal;
  say(text: string): void;
};

/** Between two values, ms. */
const sampleMs = 250;
const seed = 1;
const openMs = 15_000;
/** Until the screen is known. */
const anywhere: WindowPlace = { left: 0, top: 0, width: 1280, height: 540 };

class Demo {
  readonly #options: DemoOptions;
  readonly #opened = new Opened();
  readonly #wishes = new Newest<Settings>(wish => this.#carryOut(wish));
  readonly #fault = Promise.withResolvers<never>();
  #wanted: Settings;
  /** What is so. */
  #settings: Settings;
  #link: Link;
  #refusal: string | null = null;
  #display: VirtualDisplay | undefined;
  #server: PageServer | undefined;
  #testbed: Testbed | undefined;

  constructor(options: DemoOptions) {
    this.#options = options;
    this.#link = options.first.link;
    this.#settings = this.#wanted = { ...options.first.settings, flood: noFlood };
    this.#fault.promise.catch(() => {});
  }

  async run(): Promise<void> {
    try {
      await this.#guard(this.#show());
    } finally {
      this.#takePicture();
      await this.#opened.close();
    }
  }

  /** While the windows still stand. */
  #takePicture(): void {
    const { picture, say } = this.#options;
    if (picture === undefined || this.#display === undefined) return;
    writeWhole(picture, [this.#display.picture()], { isFlushed: false });
    say(`picture of the screen: ${picture}`);
  }

  async #show(): Promise<void> {
    const { first, kinds, registries, virtual, signal, say } = this.#options;
    const lease = await this.#opened.open(
      () => Lease.open(),
      async opened => opened.release(),
    );
    await this.#opened.open(
      () => this.#wishes,
      wishes => wishes.end(),
    ); // ended when the hosts are gone, and before the lease is
    // its own network begins without a loopback
    if (isInUserNamespace()) await run(['ip', 'link', 'set', 'dev', 'lo', 'up']);
    if (virtual)
      this.#display = await this.#opened.open(
        () => openVirtualDisplay(lease),
        display => display.stop(),
      );
    say(displayWords(this.#display?.name));
    const server = (this.#server = await this.#opened.open(
      () => PageServer.listen(),
      listening => listening.close(),
    ));
    this.#tellState();
    const controls = await this.#opened.open(
      () => this.#openControls(lease, server.url),
      window => window.close(),
    );
    say(controlsWords(server.url));
    const testbed = (this.#testbed = await this.#opened.open(
      () => Testbed.build(lease, first, registries),
      opened => opened.close(),
    ));
    testbed.flood.onDied = reason => this.#onFloodDied(reason);
    await testbed.setLink(seed);
    const tiles = tile(await screenOf(controls));
    await place(controls, tiles.controls);
    say('loading the clip, twice: once for each viewer');
    await testbed.openViewers(tiles);
    server.onChange = change => this.#onChange(change);
    const flood = kinds.find(({ name }) => name === first.ready)?.label ?? first.ready;
    const switched = first.settings.flood === noFlood ? `the button "Start the flood" starts ${flood}; ` : '';
    say(`it runs: ${describeLink(this.#link)}; ${switched}Ctrl-C or closing a window ends it`);
    this.#want({ ...this.#settings, flood: first.settings.flood });
    await Promise.race([this.#sample(testbed, server, signal), testbed.failed, controls.died, this.#fault.promise]);
  }

  async #openControls(lease: Lease, url: string): Promise<BrowserWindow> {
    const window = await openBrowser({
      executable: findBrowser(),
      host: localHost,
      scratch: lease.scratch,
      headed: true,
      place: anywhere,
      width: anywhere.width,
      height: anywhere.height,
    });
    try {
      await goTo(window, url, 'the page with the controls', openMs);
      return window;
    } catch (error) {
      await window.close();
      throw error;
    }
  }

  async #sample(testbed: Testbed, server: PageServer, signal: AbortSignal): Promise<void> {
    for (let dueMs = nowMs(); ; dueMs = Math.max(dueMs + sampleMs, nowMs())) {
      await sleepUntil(dueMs, signal);
      server.tell(await testbed.sample(this.#settings));
    }
  }

  #onChange(change: Change): void {
    const next = changed(this.#wanted, change);
    const obstacle = obstacleOf(this.#link, next);
    if (obstacle === null) return this.#want(next);
    this.#refusal = obstacle;
    this.#tellState();
  }

  #want(settings: Settings): void {
    this.#wanted = settings;
    this.#wishes.want(settings);
    this.#tellState();
  }

  async #carryOut(wish: Settings): Promise<void> {
    this.#refusal = null;
    try {
      await this.#change(this.#testbed!, wish);
    } catch (error) {
      if (!(error instanceof CoexistError)) return this.#fault.reject(error);
      this.#refusal = error.message;
      this.#wanted = this.#settings;
    }
    setImmediate(() => this.#tellState()); // when it is no longer under way
  }

  async #change(testbed: Testbed, { flood, flows, ...wanted }: Settings): Promise<void> {
    const { flood: floodBefore, flows: flowsBefore, ...before } = this.#settings;
    if (JSON.stringify(wanted) !== JSON.stringify(before)) {
      this.#link = await testbed.link.change(
        linkChange({ ...this.#settings, ...wanted }, this.#options.first.lossWhere),
      );
      await testbed.link.verify();
      this.#settings = { ...this.#settings, ...wanted };
    }
    if (flood === floodBefore && (flows === flowsBefore || flood === noFlood)) {
      this.#settings = { ...this.#settings, flows };
      return;
    }
    this.#settings = { ...this.#settings, flood: noFlood };
    await testbed.flood.set({ flood, flows });
    this.#settings = { ...this.#settings, flood, flows };
  }

  #onFloodDied(reason: string): void {
    this.#refusal = reason;
    this.#wanted = { ...this.#wanted, flood: noFlood };
    this.#settings = { ...this.#settings, flood: noFlood };
    this.#tellState();
  }

  #tellState(): void {
    const { first, kinds } = this.#options;
    this.#server?.tell({
      type: 'state',
      link: describeLink(this.#link),
      flood: this.#testbed?.flood.label ?? 'no flood',
      counted: wireRatesWords,
      rule: ruleWords,
      controls: controlsOf(this.#wanted, first.settings, kinds),
      ready: readyFlood(this.#wanted, first.ready, kinds),
      changing: this.#wishes.busy,
      refusal: this.#refusal,
    });
  }

  /** Given up as soon as it is to end. */
  async #guard<T>(step: Promise<T>): Promise<T> {
    const { signal } = this.#options;
    step.catch(() => {});
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([step, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** Runs until the signal is aborted or a part gives up; leaves nothing. */
export function runDemo(options: DemoOptions): Promise<void> {
  return new Demo(options).run();
}
