/**
 * The network of the demonstration: the hosts and the link of a trial with its viewer, and a second viewer of the same
 * stream on the server's own host, whose packets do not cross the link.
 */
import type { Count, DemoValues } from '../../client/demo/wire.ts';
import { nowMs } from '../../core/clock.ts';
import { CoexistError } from '../../core/errors.ts';
import { capturedRate } from '../../core/frame-rate.ts';
import { ipRoutes, readIpJson } from '../../core/ip-json.ts';
import type { Lease } from '../../core/lease.ts';
import { defaultMeasure, type GapLimits, gapLimits } from '../../core/measure.ts';
import { type Network, networkBetween } from '../../core/network.ts';
import { boundOf, pick } from '../../core/plugins.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { HostLoadCollector } from '../collect/host-load.ts';
import { PingCollector } from '../collect/ping.ts';
import { LiveMeter } from '../derive/live-meter.ts';
import { shortNames } from '../experiment/applications.ts';
import { SeriesListeners } from '../record/schema/series-listeners.ts';
import { presentedSeries } from '../record/series/frames.presented.ts';
import { pageSeries } from '../record/series/page.ts';
import { senderSeries } from '../record/series/sender.ts';
import { statsSeries } from '../record/series/stats.ts';
import { tcpSeries } from '../record/series/tcp.ts';
import type { RunnerRegistries } from '../runner/registries.ts';
import type { RunningService, StudyContext, TrialContext } from '../services/service.ts';
import type { FirstValues } from './first-values.ts';
import { FloodSwitch } from './flood-switch.ts';
import { HostNotice } from './host-notice.ts';
import { Opened } from './opened.ts';
import { ratingOf, sentenceOf } from './sentence.ts';
import { drainMs, type Settings } from './settings.ts';
import type { Tiles } from './tiling.ts';

/** The flood's sockets are read with every so many samples: starting ss is not free. */
const samplesPerFloodReading = 2;
/** A shorter queue does nothing to a stream, ms. */
const idleQueueMs = 30;
const captions = { harmed: 'Through the shared link', unharmed: 'The same stream, past the link' } as const;

type Viewed = { service: RunningService; meter: LiveMeter; lost: boolean };

export class Testbed {
  readonly link: ShapedLink;
  readonly flood: FloodSwitch;
  /** Rejects when a part gives up. */
  failed: Promise<never> = new Promise(() => {});
  readonly #dumbbell: Dumbbell;
  readonly #lease: Lease;
  readonly #first: FirstValues;
  readonly #registries: RunnerRegistries;
  readonly #opened = new Opened();
  readonly #notice = new HostNotice();
  readonly #load: HostLoadCollector;
  readonly #limits: GapLimits;
  readonly #harmedMeter: LiveMeter;
  #views: { harmed: Viewed; unharmed: Viewed } | undefined;
  #freezes: Count = { count: 0, totalMs: 0 };
  /** When the last stall was told of. */
  #stalledMs: number | null = null;
  #samples = 0;

  private constructor(dumbbell: Dumbbell, lease: Lease, first: FirstValues, registries: RunnerRegistries) {
    this.#dumbbell = dumbbell;
    this.#lease = lease;
    this.#first = first;
    this.#limits = gapLimits(defaultMeasure, capturedRate(first));
    this.#harmedMeter = new LiveMeter(this.#limits);
    this.#registries = registries;
    this.#load = new HostLoadCollector([
      dumbbell.router,
      ...[...dumbbell.left, ...dumbbell.right].map(({ host }) => host),
    ]);
    this.link = new ShapedLink(dumbbell, registries.aqms, probeCapabilities());
    const floods = pick(registries.services, first.flood.id, 'service');
    const prepared = floods.bound(first.flood.params).prepare({
      network: networkBetween(dumbbell.left[1]!, dumbbell.right[1]!),
      scratch: lease.scratch,
      headed: false,
    });
    const listeners = new SeriesListeners().on(tcpSeries, record => this.#harmedMeter.tcp(record));
    this.flood = new FloodSwitch(
      prepared,
      {
        directory: lease.scratch,
        write: listeners.tell,
      },
      change => floods.bound({ ...(first.flood.params as object), telemetry: false, ...change }),
    );
  }

  /** Hosts without a link yet. */
  static async build(lease: Lease, first: FirstValues, registries: RunnerRegistries): Promise<Testbed> {
    return new Testbed(
      await Dumbbell.build(lease, { left: ['server', 'flooder'], right: ['client', 'flood-client'] }),
      lease,
      first,
      registries,
    );
  }

  get #network(): Network {
    return networkBetween(this.#dumbbell.left[0]!, this.#dumbbell.right[0]!);
  }

  /** Forms the link and proves that the unharmed viewer is not on it. */
  async setLink(seed: number): Promise<void> {
    await Promise.all([this.#dumbbell.checkRoutes(), this.#dumbbell.checkOffloads(), this.#checkUnharmed()]);
    const { paths, ...link } = this.#first.link;
    const [server, flooder] = this.#dumbbell.left;
    await this.link.set(
      {
        ...link,
        paths: { [server!.host.name]: paths[shortNames.service]!, [flooder!.host.name]: paths[shortNames.flood]! },
      },
      seed,
    );
    await this.link.verify();
  }

  /** Both viewers' windows, with the stream in them. */
  async openViewers({ harmed: harmedPlace, unharmed: unharmedPlace }: Tiles): Promise<void> {
    const params = this.#first.service.params as Record<string, unknown> & { port: number };
    const { hosts, addresses } = this.#network;
    // a viewer on the server's host, served from the next port
    const beside: Network = {
      hosts: { ...hosts, client: hosts.server },
      addresses: { ...addresses, client: addresses.server },
    };
    const unharmedMeter = new LiveMeter(this.#limits);
    const [harmed, unharmed] = await Promise.all([
      this.#view(
        { network: this.#network, window: { place: harmedPlace, caption: captions.harmed } },
        params,
        this.#harmedMeter,
        new SeriesListeners()
          .on(statsSeries, ({ inbound }) => {
            this.#freezes = {
              count: Number(inbound?.['freezeCount'] ?? 0),
              totalMs: Number(inbound?.['totalFreezesDuration'] ?? 0) * 1000,
            };
          })
          .on(pageSeries, record => this.#notice.page(record))
          .on(senderSeries, record => this.#notice.sender(record, nowMs())),
      ),
      this.#view(
        { network: beside, window: { place: unharmedPlace, caption: captions.unharmed } },
        { ...params, port: params.port === 65_535 ? 65_534 : params.port + 1 },
        unharmedMeter,
        new SeriesListeners(),
      ),
    ]);
    this.#views = { harmed, unharmed };
    const ping = await this.#opened.open(
      () => new PingCollector(hosts.server, addresses.client, record => this.#harmedMeter.ping(record)),
      collector => collector.stop(),
    );
    this.failed = Promise.race([harmed.service.failed, unharmed.service.failed, ping.failed, this.link.failed]);
    this.failed.catch(() => {});
    await Promise.all(
      [harmed, unharmed].map(async ({ service, meter }) => {
        await service.collect(); // what came while the other one was opened
        meter.reset();
      }),
    );
  }

  async #view(
    where: Pick<StudyContext, 'network' | 'window'>,
    params: object,
    meter: LiveMeter,
    listeners: SeriesListeners,
  ): Promise<Viewed> {
    const { id } = this.#first.service;
    const context: StudyContext = { ...where, scratch: this.#lease.scratch, headed: true };
    const viewed = boundOf(this.#registries.services, { id, params }, 'service');
    const prepared = await this.#opened.open(
      () => viewed.prepare(context),
      preparation => preparation.close(),
    );
    listeners
      .on(presentedSeries, record => meter.presented(record))
      .on(statsSeries, record => meter.stats(record))
      .on(pageSeries, record => meter.page(record));
    const trial: TrialContext = {
      directory: this.#lease.scratch,
      write: listeners.tell,
    };
    const service = await this.#opened.open(
      () => viewed.use(prepared).open(trial),
      running => running.stop(),
    );
    return { service, meter, lost: false };
  }

  /** The present in numbers. */
  async sample({ rateBps, lossRatio }: Pick<Settings, 'rateBps' | 'lossRatio'>): Promise<DemoValues> {
    const { harmed, unharmed } = this.#views!;
    const [counters] = await Promise.all([
      this.link.counters(),
      ...[harmed, unharmed].map(async view => {
        view.lost ||= (await view.service.collect()).lost;
      }),
      this.#samples++ % samplesPerFloodReading === 0 ? this.flood.sample() : undefined,
    ]);
    const timeMs = nowMs();
    this.#notice.host(this.#load.sample());
    this.#harmedMeter.bottleneck({ timeMs, value: counters.sentBytes });
    const frameRate = capturedRate(this.#first)!;
    const read = ({ meter, lost }: Viewed) => ({ ...meter.read(timeMs), lost, frameRate });
    const [seen, beside] = [read(harmed), read(unharmed)];
    this.#notice.unharmed(beside.framesPerSecond, frameRate, timeMs);
    if (seen.longestGapMs > this.#limits.stallMs) this.#stalledMs = timeMs;
    const view = { ...seen, sinceStallMs: this.#stalledMs === null ? null : timeMs - this.#stalledMs };
    const { rttMs: _, ...besideView } = { ...beside, sinceStallMs: null };
    const [hostNotice, queueMs] = [this.#notice.read(timeMs), drainMs(counters.backlogBytes, rateBps)];
    const around = {
      isMachineLate: hostNotice !== null,
      beside: besideView,
      isLinkActive: lossRatio > 0 || queueMs > idleQueueMs,
    };
    return {
      type: 'values',
      timeMs,
      sentence: sentenceOf(view, around),
      unharmedSentence: sentenceOf(besideView),
      rating: ratingOf(view, around),
      framesPerSecond: seen.framesPerSecond,
      unharmedFramesPerSecond: beside.framesPerSecond,
      mediaBps: seen.mediaWireBps,
      floodBps: this.flood.isOn ? seen.otherWireBps : null,
      rttMs: seen.rttMs,
      queuePackets: counters.backlogPackets,
      queueMs,
      longestGapMs: seen.longestGapMs,
      stallMs: this.#limits.stallMs,
      stalls: seen.stalls,
      freezes: this.#freezes,
      hostNotice,
    };
  }

  /** Everything on the hosts ends with them. */
  async close(): Promise<void> {
    this.#load.stop();
    await this.#dumbbell.remove();
    await this.flood.close().catch(() => {});
    await this.#opened.close();
  }

  /**
   * Throws `link-refused` where packets from the server's host to itself would leave it: then they might meet the
   * queue.
   */
  async #checkUnharmed(): Promise<void> {
    const { hosts, addresses } = this.#network;
    const { stdout } = await hosts.server.run(['ip', '-j', 'route', 'get', addresses.server], { code: 'link-refused' });
    const [route] = readIpJson(stdout, ipRoutes, 'link-refused');
    if (route?.dev !== 'lo')
      throw new CoexistError(
        'link-refused',
        `route check: the server would reach itself by ${route?.dev ?? 'no device'}, not by its loopback`,
      );
  }
}
