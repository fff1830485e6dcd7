/** One contestant in a trial: its hosts as it sees them, its service while it runs, and what it leaves. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from '../../../core/clock.ts';
import { until, within } from '../../../core/deadline.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/host.ts';
import type { Network } from '../../../core/network.ts';
import type { HostRecord, MediaQueueRecord } from '../../record/series.ts';
import type { Finding } from '../../record/trial-file.ts';
import { SeriesWriter } from '../../runner/series-writer.ts';
import { accountOf, noVitals, serviceSeries } from '../../runner/service-series.ts';
import { hostFindings } from '../../runner/verdict.ts';
import type { LiveValues, PreparedService, RunningService } from '../../services/service.ts';
import { hostDevice } from '../../../shaper/topology/dumbbell.ts';
import { addressNumber } from '../../../shaper/queue-log/format.ts';
import type { Contestant } from '../define.ts';
import { readyWithinMs } from '../plan.ts';
import { networkOf } from '../queue-sides.ts';
import type { SideKey } from '../queue-sides.ts';
import type { PairPhases, Received, SideFile } from '../record.ts';

const stopWithinMs = 30_000;
/** What is killed is gone at once, but for what a busy machine has not come to yet. */
const endWithinMs = 5000;

/** The hosts of one contestant: it knows its server and its client, whatever they are in the topology. */
export function contestantNetwork(network: Network, server: 'server' | 'flooder', client: { host: Host; address: string }): Network {
  const { hosts, addresses } = network;
  return {
    hosts: { ...hosts, server: hosts[server], client: client.host, flooder: hosts[server] },
    addresses: { server: addresses[server], client: client.address, flooder: addresses[server] },
  };
}

export type SideOptions = {
  contestant: Contestant;
  folder: string;
  directory: string;
  network: Network;
  /** Address of the name server, for a service that goes to the Internet. */
  nameServer?: string | undefined;
};

export class Side {
  readonly contestant: Contestant;
  readonly network: Network;
  readonly file: SideFile;
  readonly #directory: string;
  readonly #nameServer: string | undefined;
  /** To be closed when everything is written. */
  readonly series: SeriesWriter;
  readonly #vitals = noVitals();
  #service: RunningService | undefined;
  #opening: Promise<RunningService> | undefined;
  #isLost = false;
  /** Nobody waits for its service any more. */
  #isOver = false;
  /** What ran on its hosts before its service was begun, and stays: what services keep ready. */
  #kept: ReadonlySet<number> = new Set();

  /** `folder`: name of the side's folder in the trial's `directory`. */
  constructor({ contestant, folder, directory, network, nameServer }: SideOptions) {
    this.contestant = contestant;
    this.network = network;
    this.#nameServer = nameServer;
    this.#directory = join(directory, folder);
    mkdirSync(this.#directory);
    this.series = new SeriesWriter(this.#directory);
    const { server, client } = network.addresses;
    this.file = { contestant: contestant.name, folder, addresses: { server, client }, readyMs: null, clocks: null, service: null, received: null, traffic: null };
  }

  /** Starts the service; resolves when it is ready. */
  async open(prepared: PreparedService): Promise<RunningService> {
    const { title, service: { params } } = this.contestant;
    const context = serviceSeries(this.#directory, this.series, this.#vitals);
    this.#opening = this.#processes().then(kept => {
      this.#kept = new Set(kept);
      return prepared.open(this.#nameServer === undefined ? context : { ...context, nameServer: this.#nameServer }, params as never);
    });
    // one that is ready only after it was given up must be stopped, too
    void this.#opening.then(async service => {
      if (this.#isOver) await service.stop();
      else this.#service = service;
    }).catch(() => {}); // whoever waits for it is told
    const service = await this.#named(within(this.#opening, readyWithinMs, `${title} to be ready`));
    this.file.readyMs = service.readyMs;
    return service;
  }

  /** Which packets at the bottleneck are its own. */
  get queueKey(): SideKey {
    const { server, client } = this.file.addresses;
    return { client: addressNumber(client), network: this.#nameServer === undefined ? networkOf(server) : null };
  }

  /** Rejects when the service dies before it is stopped, with its name. */
  get failed(): Promise<never> {
    return this.#named(this.#service!.failed);
  }

  async collect(): Promise<LiveValues> {
    const live = await this.#named(this.#service!.collect());
    this.#isLost ||= live.lost;
    return live;
  }

  /** What its client's device has taken so far. */
  async received(): Promise<Received> {
    const { stdout } = await this.network.hosts.client.run(['ip', '-j', '-s', 'link', 'show', 'dev', hostDevice], { code: 'link-refused' });
    const [link] = JSON.parse(stdout) as { stats64: { rx: { bytes: number; packets: number } } }[];
    return { timeMs: nowMs(), bytes: link!.stats64.rx.bytes, packets: link!.stats64.rx.packets };
  }

  /** Takes down what the service says of itself while it still runs. */
  async describe(): Promise<void> {
    this.file.clocks = await this.#named(this.#service!.clocks());
    this.file.service = accountOf(this.#service!);
  }

  /** Stops the service, whatever came before, and ends what one leaves that did not begin or end in order. Throws what went wrong. */
  async stop(withinMs = stopWithinMs): Promise<void> {
    const { title } = this.contestant;
    if (this.#opening === undefined) return;
    let isInOrder = false;
    try {
      // one that is still starting is waited for: what it has started by then can be stopped
      await within(this.#opening.catch(() => {}), withinMs, `${title} to begin or to fail`);
      if (this.#service === undefined) return;
      await within(this.#service.stop(), withinMs, `${title} to stop`);
      isInOrder = true;
    } finally {
      this.#isOver = true;
      if (!isInOrder) await this.#endRest();
    }
  }

  /** Ids of what runs on its two hosts. */
  async #processes(): Promise<number[]> {
    const { server, client } = this.network.hosts;
    return (await Promise.all([server.processIds(), client.processIds()])).flat();
  }

  /** The next trial has these hosts: what the service has left there would be in it. */
  async #endRest(): Promise<void> {
    await until(async () => {
      const rest = (await this.#processes()).filter(id => !this.#kept.has(id));
      for (const id of rest) killIfThere(id);
      return rest.length === 0 ? true : undefined;
    }, endWithinMs, `what ${this.contestant.title} has left to end`, { everyMs: 25 });
  }

  /** Takes down what became of its media at the bottleneck. */
  media(lines: readonly MediaQueueRecord[]): void {
    for (const line of lines) this.series.write('queueMedia', line);
  }

  /** What disturbed this side. */
  findings(phases: PairPhases, host: HostRecord[]): Finding[] {
    const times = { preparedMs: phases.preparedMs, floodStartMs: null, clientStartMs: phases.preparedMs, firstPictureMs: phases.readyMs, windowStartMs: phases.windowStartMs, windowEndMs: phases.windowEndMs, endMs: phases.endMs };
    const { clocks } = this.file;
    if (clocks === null) return [];
    return [...hostFindings({ phases: times, clocks, ...this.#vitals, host }), ...(this.#isLost ? [{ kind: 'failure', status: 'degraded', message: `${this.contestant.title}: the connection gave up in the window` } satisfies Finding] : [])];
  }

  async #named<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      if (!(error instanceof CoexistError)) throw error;
      throw new CoexistError(error.code, `${this.contestant.title}: ${error.message}`, { ...(error.hint === undefined ? {} : { hint: error.hint }), cause: error });
    }
  }
}

function killIfThere(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
