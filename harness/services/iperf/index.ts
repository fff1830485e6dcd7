/** iperf3 as a service: greedy flows from the server to the client, with a chosen congestion control. */
import { type ClockOffset, nowMs } from '../../../core/system/clock.ts';
import { checkDctcp, dctcpName } from '../../../shaper/marking/dctcp.ts';
import { checkMarker } from '../../../shaper/marking/marker.ts';
import { serviceSeries } from '../../record/series/service.ts';
import type { TransportReading } from '../../record/transport.ts';
import type {
  ArmedService,
  LiveValues,
  RunningService,
  ServicePlugin,
  StudyContext,
  TrialContext,
} from '../service.ts';
import { checkCongestionControl, neededBbr3 } from '../shared/congestion-param.ts';
import { Goodput } from '../shared/goodput.ts';
import { transferWarmUpMs } from '../shared/transfer.ts';
import { armFlows } from './arm.ts';
import type { Flows } from './flows.ts';
import { type Params, paramsSchema } from './params.ts';
import { useSockets } from './sockets.ts';

/** Longest run of iperf3 (its option -t), ms. The trial ends iperf3 earlier. */
const dayMs = 24 * 3600e3;

class Iperf implements RunningService {
  readonly failed: Promise<never>;
  readonly readyMs = nowMs();
  readonly #flows: Flows;
  readonly #trial: TrialContext;
  readonly #goodput = new Goodput();
  #reading: TransportReading | null = null;
  /** Last reading that was requested. It must finish before the flows are stopped. */
  #collecting: Promise<unknown> = Promise.resolve();

  constructor(flows: Flows, trial: TrialContext) {
    this.#flows = flows;
    this.#trial = trial;
    this.failed = flows.failed;
  }

  static async arm({ network }: StudyContext, trial: TrialContext, params: Params): Promise<ArmedService> {
    const flows = await armFlows(
      {
        network,
        maxMs: dayMs,
        ...(trial.baseRttMs === undefined ? {} : { baseRttMs: trial.baseRttMs }),
        write: trial.write,
        over: flow => trial.write(serviceSeries, { kind: 'batch', ...flow }),
      },
      params,
    );
    return {
      begin: async () => {
        try {
          await flows.begin();
          return new Iperf(flows, trial);
        } catch (error) {
          await flows.stop();
          throw error;
        }
      },
      stop: () => flows.stop(),
    };
  }

  async collect(): Promise<LiveValues> {
    const collecting = this.#collect();
    this.#collecting = collecting.catch(() => {}); // the caller gets the error
    return collecting;
  }

  async #collect(): Promise<LiveValues> {
    const ends = await this.#flows.sample();
    const { timeMs } = ends.receivers;
    const reading = (this.#reading = await this.#flows.read(ends));
    const receivedBytes = reading.flows.reduce((sum, flow) => sum + (flow.receivedBytes ?? 0), 0);
    this.#trial.write(serviceSeries, { timeMs, kind: 'transfer', receivedBytes, flows: reading.flows.length });
    return this.#goodput.since(timeMs, receivedBytes);
  }

  /** Offsets are 0, since all times are from the harness's clock. */
  async clocks(): Promise<{ server: ClockOffset; page: ClockOffset }> {
    const own = { offsetMs: 0, uncertaintyMs: 0 };
    return { server: own, page: own };
  }

  describe(): Record<string, unknown> {
    return {};
  }

  transport(): TransportReading | null {
    return this.#reading;
  }

  async stop(): Promise<void> {
    await this.#collecting;
    await this.#flows.stop();
  }
}

export const plugin: ServicePlugin<Params> = {
  id: 'iperf',
  kind: 'baseline',
  title: 'iperf3',
  source:
    'Philip et al., table 1: iPerf (BBR), iPerf (Cubic), iPerf (Reno); Juntima et al., section 3: attacker D; iperf3(1)',
  params: paramsSchema,
  capBps: () => null,
  warmUpMs: () => transferWarmUpMs,
  flows: ({ flows }) => flows,
  cores: () => 0, // their cost is counted with the link, since it grows with the rate (trial/cores.ts)
  together: ({ flows }, users, spreadMs) => ({
    flows: flows * users,
    ...(users === 1 ? {} : { stagger: `${spreadMs / (flows * users)}ms` }),
  }),
  async check({ congestionControl: asked }) {
    if (asked !== dctcpName) return checkCongestionControl(asked);
    await checkDctcp();
    await checkMarker();
  },
  neededBbr3: params => neededBbr3(params),
  kernelControl: ({ congestionControl: asked }) => asked,
  overMachines: ({ bytes, ecn }) => {
    if (ecn === 'l4s') return `${dctcpName} is loaded on this machine only`;
    return bytes === undefined ? null : 'flows of a size (bytes) take their congestion control from the default route';
  },
  preparationKey: () => '',
  async prepare(study) {
    const {
      hosts: { server, client },
    } = study.network;
    const unused = [server, client].map(useSockets);
    return {
      open: async (trial, params) => (await Iperf.arm(study, trial, params)).begin(),
      arm: (trial, params) => Iperf.arm(study, trial, params),
      close: async () => void (await Promise.all(unused.map(release => release()))),
    };
  },
};
