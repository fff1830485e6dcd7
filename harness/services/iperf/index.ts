/** iperf3 as a service: the flood of an experiment (harness/floods/iperf3), sent by the service's own server. */
import type { ClockOffset } from '../../../core/clock.ts';
import { nowMs } from '../../../core/clock.ts';
import { integer, object } from '../../../core/schema.ts';
import type { z } from '../../../core/schema.ts';
import type { RunningFlood } from '../../floods/flood.ts';
import { plugin as flood } from '../../floods/iperf3/index.ts';
import type { FloodReading } from '../../record/trial-file.ts';
import type { LiveValues, RunningService, ServicePlugin, StudyContext, TrialContext } from '../service.ts';
import { checkCongestionControl, congestionControl } from '../shared/congestion-param.ts';
import { Goodput } from '../shared/goodput.ts';
import { transferWarmUpMs } from '../shared/transfer.ts';

const paramsSchema = object({
  congestionControl: congestionControl('cubic'),
  flows: integer({ min: 1, max: 64 }).default(1).describe('Parallel TCP connections, all begun at once.'),
});

type Params = z.output<typeof paramsSchema>;

/** The longest that iperf3 takes (its -t): it ends with the trial. */
const dayMs = 24 * 3600e3;

class Iperf implements RunningService {
  readonly failed: Promise<never>;
  readonly readyMs = nowMs();
  readonly #flood: RunningFlood;
  readonly #trial: TrialContext;
  readonly #goodput = new Goodput();
  #reading: FloodReading | undefined;

  constructor(running: RunningFlood, trial: TrialContext) {
    this.#flood = running;
    this.#trial = trial;
    this.failed = running.failed;
  }

  static async open({ network, lease }: StudyContext, trial: TrialContext, params: Params): Promise<Iperf> {
    const running = await flood.start({
      network, lease, maxMs: dayMs, record: () => {}, model: () => {},
    }, flood.params.parse({ ...params, telemetry: false }) as never);
    return new Iperf(running!, trial);
  }

  async collect(): Promise<LiveValues> {
    const reading = this.#reading = await this.#flood.read();
    const timeMs = nowMs();
    const receivedBytes = reading.flows.reduce((sum, flow) => sum + (flow.receivedBytes ?? 0), 0);
    this.#trial.progress({ timeMs, kind: 'transfer', receivedBytes, flows: reading.flows.length });
    return this.#goodput.since(timeMs, receivedBytes);
  }

  /** There is no clock but the harness's. */
  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    const own = { offsetMs: 0, uncertaintyMs: 0 };
    return { server: own, page: own };
  }

  describe(): Record<string, unknown> {
    return { transport: this.#reading ?? null };
  }

  async stop(): Promise<void> {
    await this.#flood.stop();
  }
}

export const plugin: ServicePlugin = {
  id: 'iperf',
  kind: 'baseline',
  title: 'iperf3',
  source: 'Philip et al., table 1: iPerf (BBR), iPerf (Cubic), iPerf (Reno)',
  params: paramsSchema,
  capBps: () => null,
  warmUpMs: () => transferWarmUpMs,
  check: ({ congestionControl: asked }: Params) => checkCongestionControl(asked),
  preparationKey: () => '',
  prepare: async study => ({ open: (trial, params: Params) => Iperf.open(study, trial, params), close: async () => {} }),
};
