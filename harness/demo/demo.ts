/**
 * Runs a demonstration from start to end: its windows, the page with the controls, the trial without end, and the
 * changes that the user makes by the controls.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import { Lease } from '../../core/system/lease.ts';
import { localHost } from '../../core/system/local-host.ts';
import { Scope } from '../../core/system/scope.ts';
import { isInUserNamespace } from '../../core/system/user-namespace.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { counted } from '../../core/text/counted.ts';
import { describeLink, type Link } from '../../core/vocabulary/link.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { wireRatesWords } from '../analysis/derive/live-meter.ts';
import { findBrowser } from '../trial/browser/find.ts';
import { openBrowser, type WindowPlace } from '../trial/browser/launch.ts';
import { goTo } from '../trial/browser/page.ts';
import { Lane } from '../trial/lane.ts';
import type { RunnerRegistries } from '../trial/registries.ts';
import type { TrialCommands } from '../trial/trial-commands.ts';
import { DemoMeter } from './demo-meter.ts';
import { demoTrial, floodParams, hostPairs, names, shownIn } from './demo-trial.ts';
import { controlsWords, displayWords, openVirtualDisplay, type VirtualDisplay } from './display.ts';
import type { FirstValues } from './first-values.ts';
import type { FloodKind } from './flood-kinds.ts';
import type { Change } from './messages.ts';
import { Newest } from './newest.ts';
import { PageServer } from './page-server.ts';
import { ruleWords } from './sentence.ts';
import { changed, controlsOf, linkChange, noFlood, obstacleOf, readyFlood, type Settings } from './settings.ts';
import { type Tiles, tile } from './tiling.ts';
import { place, screenOf } from './windows.ts';

type DemoOptions = {
  first: FirstValues;
  kinds: readonly FloodKind[];
  registries: RunnerRegistries;
  /** True if the windows are shown on a virtual display. */
  virtual: boolean;
  /** Path of the file for a picture of the virtual display at the end of the demonstration. */
  picture?: string | undefined;
  signal: AbortSignal;
  say(text: string): void;
};

/** Time between two values on the page, ms. */
const sampleMs = 250;
const openMs = 15_000;
const noFloodLabel = 'no flood';
/** Place of the first window until the size of the screen is known. */
const anywhere: WindowPlace = { left: 0, top: 0, width: 1280, height: 540 };

class Demo {
  readonly #options: DemoOptions;
  readonly #scope: Scope;
  readonly #wishes = new Newest<Settings>(wish => this.#carryOut(wish));
  readonly #meter: DemoMeter;
  #wanted: Settings;
  /** Settings that are in effect. */
  #settings: Settings;
  #link: Link;
  /** Label of the running flood. Its congestion control is read back from the sockets of the flood. */
  #flood = noFloodLabel;
  #refusal: string | null = null;
  #display: VirtualDisplay | undefined;
  #server: PageServer | undefined;
  #commands: TrialCommands | undefined;

  constructor(options: DemoOptions, scope: Scope) {
    this.#options = options;
    this.#scope = scope;
    this.#meter = new DemoMeter(options.first);
    this.#link = options.first.link;
    this.#settings = this.#wanted = { ...options.first.settings, flood: noFlood };
  }

  async show(): Promise<void> {
    try {
      await this.#show();
    } finally {
      this.#takePicture();
    }
  }

  async #show(): Promise<void> {
    const { virtual, say } = this.#options;
    const scope = this.#scope;
    const lease = await scope.open(Lease.open(), opened => opened.release());
    scope.defer(() => this.#wishes.end()); // runs after the hosts have been removed and before the lease is released
    // the network of a new user namespace has no loopback that is up
    if (isInUserNamespace()) await run(['ip', 'link', 'set', 'dev', 'lo', 'up']);
    if (virtual) this.#display = await scope.open(openVirtualDisplay(lease), display => display.stop());
    say(displayWords(this.#display?.name));
    const server = (this.#server = await scope.open(PageServer.listen(), listening => listening.close()));
    this.#tellState();
    const controls = await scope.open(
      openBrowser({
        executable: findBrowser(),
        host: localHost,
        scratch: lease.scratch,
        headed: true,
        place: anywhere,
        width: anywhere.width,
        height: anywhere.height,
      }),
      window => window.close(),
    );
    scope.watch(controls.died);
    await scope.race(goTo(controls, server.url, 'the page with the controls', openMs));
    say(controlsWords(server.url));
    const tiles = tile(await scope.race(screenOf(controls)));
    await scope.race(place(controls, tiles.controls));
    await this.#runTrial(lease, server, tiles);
  }

  async #runTrial(lease: Lease, server: PageServer, tiles: Tiles): Promise<void> {
    const { first, registries, say } = this.#options;
    const lane = await this.#scope.open(
      Lane.open(
        {
          study: 'demo',
          folder: {
            begin: () => mkdtempSync(join(lease.scratch, 'trial-')),
            commit: directory => directory, // a trial without end has no record
            discard: directory => rmSync(directory, { recursive: true, force: true }),
          },
          registries,
          headed: true,
          places: hostPairs,
          preflight: false,
          priority: false, // with priority, the trial would also hold up the programs that draw the screen
          shown: shownIn(tiles),
        },
        probeCapabilities(),
        null,
      ),
      opened => opened.close(),
    );
    say('loading the clip, twice: once for each viewer');
    await lane.run(demoTrial(first, registries), 1, {
      signal: this.#scope.signal,
      sampleMs,
      listenersOf: this.#meter.listenersOf,
      onPreflight: () => {},
      onWindow: commands => this.#begin(commands, server),
      onLive: live => server.tell(this.#meter.values(live, this.#settings, this.#flood !== noFloodLabel)),
      onEnd: () => this.#onEnd(),
    });
  }

  #begin(commands: TrialCommands, server: PageServer): void {
    const { first, kinds, say } = this.#options;
    this.#commands = commands;
    this.#meter.reset();
    server.onChange = change => this.#onChange(change);
    const flood = kinds.find(({ name }) => name === first.ready)?.label ?? first.ready;
    const switched = first.settings.flood === noFlood ? `the button "Start the flood" starts ${flood}; ` : '';
    say(`it runs: ${describeLink(this.#link)}; ${switched}Ctrl-C or closing a window ends it`);
    this.#want({ ...this.#settings, flood: first.settings.flood });
  }

  #onEnd(): void {
    const words = this.#meter.endWords();
    if (words !== null) this.#options.say(`through the link: ${words}`);
    this.#takePicture();
  }

  /** Writes the picture of the virtual display to its file. Has to be called while the windows are open. */
  #takePicture(): void {
    const { picture, say } = this.#options;
    const display = this.#display;
    this.#display = undefined;
    if (picture === undefined || display === undefined) return;
    writeWhole(picture, [display.picture()], { isFlushed: false });
    say(`picture of the screen: ${picture}`);
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
      await this.#change(this.#commands!, wish);
    } catch (error) {
      if (!(error instanceof CoexistError)) return this.#scope.end(error);
      this.#refusal = error.message;
      this.#wanted = this.#settings;
    }
    setImmediate(() => this.#tellState()); // sent when this change is no longer in progress
  }

  async #change(commands: TrialCommands, { flood, flows, ...wanted }: Settings): Promise<void> {
    const { first } = this.#options;
    const { flood: floodBefore, flows: flowsBefore, ...before } = this.#settings;
    if (JSON.stringify(wanted) !== JSON.stringify(before)) {
      this.#link = await commands.setLink(linkChange({ ...this.#settings, ...wanted }, first.lossWhere));
      this.#settings = { ...this.#settings, ...wanted };
    }
    if (flood === floodBefore && (flows === flowsBefore || flood === noFlood)) {
      this.#settings = { ...this.#settings, flows };
      return;
    }
    this.#settings = { ...this.#settings, flood: noFlood };
    this.#flood = noFloodLabel;
    const params = flood === noFlood ? null : floodParams(first, { flood, flows });
    const reading = await commands.setApplication(names.flood, params, error => this.#onFloodDied(messageOf(error)));
    if (reading !== null) this.#flood = `${reading.label}, ${counted(reading.flows.length, 'flow')}`;
    this.#settings = { ...this.#settings, flood, flows };
  }

  #onFloodDied(reason: string): void {
    this.#refusal = reason;
    this.#flood = noFloodLabel;
    this.#wanted = { ...this.#wanted, flood: noFlood };
    this.#settings = { ...this.#settings, flood: noFlood };
    this.#tellState();
  }

  #tellState(): void {
    const { first, kinds } = this.#options;
    this.#server?.tell({
      type: 'state',
      link: describeLink(this.#link),
      flood: this.#flood,
      counted: wireRatesWords,
      rule: ruleWords,
      controls: controlsOf(this.#wanted, first.settings, kinds),
      ready: readyFlood(this.#wanted, first.ready, kinds),
      changing: this.#wishes.busy,
      refusal: this.#refusal,
    });
  }
}

/**
 * Runs a demonstration until `signal` is aborted or a part fails. Then removes everything that the demonstration made.
 */
export function runDemo(options: DemoOptions): Promise<void> {
  const { signal, say } = options;
  return Scope.run({ signal, log: say }, scope => new Demo(options, scope).show());
}
