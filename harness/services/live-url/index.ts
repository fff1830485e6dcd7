/**
 * Opens any URL on the Internet in Chromium behind the bottleneck. Reports only values that can be measured for any
 * site.
 */
import { resolve } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { type ClockOffset, nowMs } from '../../../core/system/clock.ts';
import { sleep } from '../../../core/system/deadline.ts';
import { Scope } from '../../../core/system/scope.ts';
import { serviceSeries } from '../../record/series/service.ts';
import { type Confinement, confinement, hasOwnDisplay } from '../../trial/browser/confinement.ts';
import { findBrowser } from '../../trial/browser/find.ts';
import { findVirtualDisplay } from '../../trial/browser/virtual-display.ts';
import type { LiveValues, RunningService, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { Goodput } from '../shared/goodput.ts';
import { receivedBytes } from './device-bytes.ts';
import { HeardAudio } from './heard-audio.ts';
import { type InternetRtt, internetRtt } from './internet-rtt.ts';
import { type Params, paramsSchema, targetOf } from './params.ts';
import { loadScript } from './script.ts';
import { Visit, type VisitOptions, view } from './visit.ts';
import { Watched } from './watched.ts';

type Setting = {
  study: StudyContext;
  trial: TrialContext;
  params: Params;
  options: Omit<VisitOptions, 'signal'>;
  rtt: InternetRtt;
};

class Live implements RunningService {
  readonly failed: Promise<never>;
  readyMs = 0;
  readonly #setting: Setting;
  readonly #use = new Scope();
  readonly #fail: (error: unknown) => void;
  readonly #goodput = new Goodput();
  readonly #watched = new Watched();
  readonly #heard = new HeardAudio();
  #visit: Visit | undefined;
  #browser = '';
  #confinement: Confinement | undefined;
  #going: Promise<void> = Promise.resolve();
  #loads = 0;
  #failedLoads = 0;

  private constructor(setting: Setting) {
    this.#setting = setting;
    const { promise, reject } = Promise.withResolvers<never>();
    this.#fail = reject;
    this.failed = promise;
    this.failed.catch(() => {});
    setting.trial.outside?.lost.catch(reject);
  }

  /** Opens the page; resolves when it has loaded and the script uses it. Throws `service-failed` if that fails. */
  static async open(study: StudyContext, trial: TrialContext, params: Params): Promise<Live> {
    if (trial.outside === undefined)
      throw new CoexistError('service-failed', 'a live URL cannot reach the Internet in this kind of study', {
        hint: 'run it as a contestant of "npm run pairs"',
      });
    await requireConfinement(study.headed); // also where no check ran before: on a worker, or after --resume
    const { host, port } = targetOf(params.url);
    const rtt = await internetRtt(host, port, trial.outside.isRefused);
    const script =
      params.script === undefined ? null : await loadScript(params.script, study.files?.[resolve(params.script)]);
    const live = new Live({
      study,
      trial,
      params,
      rtt,
      options: {
        executable: findBrowser(),
        nameServer: trial.outside.nameServer,
        host: study.network.hosts.client,
        scratch: study.scratch,
        headed: study.headed,
        quic: params.quic,
        url: params.url,
        script,
        patienceMs: params.patience,
      },
    });
    try {
      const visit = await live.#begin();
      live.readyMs = nowMs();
      live.#going = live.#goOn(visit);
      return live;
    } catch (error) {
      await live.stop();
      throw error;
    }
  }

  async collect(): Promise<LiveValues> {
    const { trial, params, study } = this.#setting;
    const [bytes, element, audio] = await Promise.all([
      receivedBytes(study.network.hosts.client),
      this.#visit?.element() ?? null,
      this.#visit?.audio() ?? [],
    ]);
    const timeMs = nowMs();
    trial.write(serviceSeries, {
      timeMs,
      kind: 'page',
      loads: this.#loads,
      failedLoads: this.#failedLoads,
      receivedBytes: bytes,
    });
    for (const heard of this.#heard.add(audio)) trial.write(serviceSeries, { timeMs, kind: 'audio', ...heard });
    const live = this.#goodput.since(timeMs, bytes);
    if (element === null) return live;
    if (element.openStallMs > params.patience)
      throw new CoexistError('service-failed', `the video has stalled for ${Math.round(element.openStallMs / 1000)} s`);
    const { framesPerSecond, ...shown } = this.#watched.add(element, timeMs);
    trial.write(serviceSeries, { timeMs, kind: 'element', receivedBytes: bytes, ...shown });
    return { ...live, framesPerSecond };
  }

  /** Offsets are 0: all times are from the harness's clock, or count from the start of a navigation. */
  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    const own = { offsetMs: 0, uncertaintyMs: 0 };
    return { server: own, page: own };
  }

  describe(): Record<string, unknown> {
    const {
      params: { url, script, quic },
      rtt,
    } = this.#setting;
    return {
      browser: this.#browser,
      confinement: this.#confinement,
      url,
      script: script ?? null,
      quic,
      view,
      internetRtt: { ...rtt, baseMs: Math.min(...rtt.timesMs) },
    };
  }

  /** Null: the congestion control of servers in the Internet is not known. */
  transport(): null {
    return null;
  }

  async stop(): Promise<void> {
    this.#use.end(new Error('the service is stopped'));
    await this.#visit?.close();
    await this.#going;
  }

  /** Opens a visit, loads the page and lets the script use it. */
  async #begin(): Promise<Visit> {
    const { signal } = this.#use;
    const { options, trial, study } = this.#setting;
    const visit = (this.#visit = await Visit.open({ ...options, signal }));
    signal.throwIfAborted(); // the start may have taken seconds
    this.#browser = visit.version;
    this.#confinement = visit.confinement;
    const number = this.#loads + this.#failedLoads + 1;
    const before = await receivedBytes(study.network.hosts.client);
    const startMs = nowMs();
    const told = async (times: { loadMs: number | null; firstContentMs: number | null; isCutOff?: true }) => {
      trial.write(serviceSeries, {
        timeMs: nowMs(),
        kind: 'load',
        number,
        startMs,
        ...times,
        aboveTheFoldMs: null,
        speedIndexMs: null,
        bytes: (await receivedBytes(study.network.hosts.client)) - before,
      });
    };
    try {
      await told(await Promise.race([visit.died, this.failed, visit.begin()]));
      this.#loads++;
      return visit;
    } catch (error) {
      if (!signal.aborted) this.#failedLoads++;
      await told({ loadMs: null, firstContentMs: null, ...(signal.aborted ? { isCutOff: true } : {}) });
      throw error;
    }
  }

  /**
   * Opens one visit after another. A later page that does not load counts as a failed load, and the next visit follows.
   */
  async #goOn(first: Visit): Promise<void> {
    const { signal } = this.#use;
    const { visit: visitMs } = this.#setting.params;
    let visit: Visit | undefined = first;
    try {
      for (;;) {
        const ended = visitMs === undefined ? new Promise<never>(() => {}) : sleep(visitMs, signal);
        await this.#use.race(visit === undefined ? ended : Promise.race([visit.died, ended]));
        await this.#visit?.close();
        this.#watched.next();
        visit = await this.#begin().catch((error: unknown) => {
          if (signal.aborted || !(error instanceof CoexistError) || error.code !== 'service-failed') throw error;
          return undefined;
        });
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      await this.#visit?.close();
    }
  }
}

/**
 * Throws if pages of the Internet would run with the rights of this command, unless the user allowed that. Throws
 * `no-display` if only a person's display could show the window.
 */
async function requireConfinement(headed: boolean): Promise<void> {
  if (process.env['COEXIST_CONFINE'] === '0') return;
  const { isConfined, obstacle } = await confinement();
  if (await hasOwnDisplay({ headed, showsInternet: true })) findVirtualDisplay();
  if (isConfined) return;
  throw new CoexistError(
    'missing-kernel-feature',
    `browsers cannot be confined on this machine (${obstacle}), so a web page could get the rights of this command`,
    {
      hint: 'run it as root, where it can create mount, PID and IPC namespaces, or accept the risk with COEXIST_CONFINE=0',
    },
  );
}

export const plugin: ServicePlugin<Params> = {
  id: 'live-url',
  kind: 'live',
  title: 'live URL',
  source: 'Philip et al., section 3: live services, driven by a browser',
  params: paramsSchema,
  capBps: ({ cap }) => cap ?? null,
  warmUpMs: ({ warmUp }) => warmUp,
  outside: ({ url }) => targetOf(url),
  files: { script: () => false },
  runsModule: ({ script }) => script ?? null,
  async check({ script }, headed, scriptSha256) {
    findBrowser();
    await requireConfinement(headed);
    if (script !== undefined) await loadScript(script, scriptSha256);
  },
  preparationKey: () => '',
  prepare: async study => ({ open: (trial, params) => Live.open(study, trial, params), close: async () => {} }),
};
