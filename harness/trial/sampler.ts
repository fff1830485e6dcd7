/** Polls the bottleneck, the machine and the applications of a trial, and writes the readings into the series. */
import type { Clock } from '../../core/system/clock.ts';
import type { Scope } from '../../core/system/scope.ts';
import type { LinkChain } from '../../shaper/backend/link-chain.ts';
import type { LiveMeter } from '../analysis/derive/live-meter.ts';
import { type HostRecord, hostSeries } from '../record/series/host.ts';
import type { BottleneckReading } from '../record/trial-file.ts';
import type { LiveValues } from '../services/service.ts';
import type { ApplicationRun } from './application-run.ts';
import { readBottleneck } from './bottleneck-counters.ts';
import type { LiveTrial } from './live-trial.ts';
import type { Probes } from './probes.ts';
import type { SeriesWriter } from './series-writer.ts';

type SamplerOptions = {
  applications: readonly ApplicationRun[];
  /** Name of the application that the study is about. */
  subject: string;
  shapedLink: Pick<LinkChain, 'counters'>;
  series: SeriesWriter;
  live: LiveMeter;
  probes: Pick<Probes, 'load'>;
  scope: Scope;
  clock: Clock;
  onLive(values: LiveTrial): void;
};

export class Sampler {
  /** Load of the machine, one record for each reading. */
  readonly host: HostRecord[] = [];
  readonly #options: SamplerOptions;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** Reads the bottleneck and the machine once, without the applications. */
  async read(): Promise<BottleneckReading> {
    const { shapedLink, series, probes, scope, clock, live } = this.#options;
    const load = probes.load();
    if (series.isKept) this.host.push(load);
    series.write(hostSeries, load);
    const reading = await scope.race(readBottleneck(shapedLink, series, clock));
    live.bottleneck({ timeMs: reading.timeMs, value: reading.sentBytes });
    return reading;
  }

  /** Reads every application in use. Returns the live values by the application's name. */
  async collect(): Promise<Map<string, LiveValues>> {
    const { applications, scope } = this.#options;
    const told = await scope.race(
      Promise.all(
        applications
          .filter(({ isOpen }) => isOpen)
          .map(async one => {
            const values = await one.collect();
            return [one.application.name, values] as const;
          }),
      ),
    );
    return new Map(told);
  }

  /** Reads the applications within the window, and passes the values to the live displays. */
  async tell(windowStartMs: number): Promise<void> {
    const { applications, subject, live, clock, onLive } = this.#options;
    const told = await this.collect();
    const own = told.get(subject);
    const reading = live.read(clock.nowMs());
    const others = [...told].filter(([name]) => name !== subject).map(([, { goodputBps }]) => goodputBps);
    onLive({
      ...reading,
      ...own,
      framesPerSecond: own?.framesPerSecond === null ? null : reading.framesPerSecond,
      othersBps: others.length === 0 ? null : others.reduce((sum, bps) => sum + bps, 0),
      elapsedMs: clock.nowMs() - windowStartMs,
      byApplication: applications.map(({ application: { name } }) => told.get(name) ?? null),
    });
  }

  async sample(windowStartMs: number): Promise<void> {
    // The bottleneck is read first and alone: programs that start for the other readings would delay the answer, and
    // the time of the reading would be too late.
    await this.read();
    await this.tell(windowStartMs);
  }
}
