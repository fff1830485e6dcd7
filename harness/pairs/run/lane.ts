/** One set of hosts for pairs: two servers, two clients, one bottleneck, and the services that are ready on either side. Runs one trial at a time. */
import { Lease } from '../../../core/lease.ts';
import type { Network } from '../../../core/network.ts';
import type { RunFolder } from '../../record/run-folder.ts';
import { removeCongestionControls } from '../../runner/congestion-controls.ts';
import type { LaneCores } from '../../runner/cores.ts';
import { LinkProof } from '../../runner/link-proof.ts';
import type { RunnerRegistries } from '../../runner/registries.ts';
import { ServicePool } from '../../runner/service-pool.ts';
import type { LiveValues } from '../../services/service.ts';
import { LinkBox } from '../../../shaper/backend/link-box.ts';
import type { Capabilities } from '../../../shaper/backend/capabilities.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { Uplink } from '../../../shaper/topology/uplink.ts';
import { isOutside } from './outside.ts';
import { contestantOf, linkOfCell, warmUpMsOf } from '../plan.ts';
import type { Cell, PairsPlan } from '../plan.ts';
import type { PairTrial, PairTrialFile } from '../record.ts';
import { Side } from './side.ts';
import { PairTrialRun } from './trial.ts';

export type PairsFolder = RunFolder<PairsPlan, PairTrialFile>;

export type LaneOptions = { plan: PairsPlan; folder: PairsFolder; registries: RunnerRegistries; headed: boolean; signal: AbortSignal };

export type TrialEvents = { onPreflight(): void; onLive(values: LiveValues[], elapsedMs: number): void };

/** Services that stay ready on a side, one of each: as many as a small matrix has. */
const keptServices = 8;

/** Folders of the sides in a trial's; a trial of one service alone has the first only. */
const sideFolders = ['first', 'second'] as const;

/** A server and a client for each of two contestants. */
const pairHosts = { left: ['server', 'flooder'], right: ['client', 'client-2'] } as const;
type PairHosts = Dumbbell<typeof pairHosts['left' | 'right'][number]>;

export class PairLane {
  readonly #options: LaneOptions;
  readonly #lease: Lease;
  readonly #dumbbell: PairHosts;
  readonly #box: LinkBox;
  readonly #proof: LinkProof;
  /** By leg of the router. */
  readonly #legs: { network: Network; pool: ServicePool }[];

  private constructor(options: LaneOptions, lease: Lease, dumbbell: PairHosts, can: Capabilities) {
    const { registries: { services, aqms }, headed } = options;
    this.#options = options;
    this.#lease = lease;
    this.#dumbbell = dumbbell;
    this.#box = new LinkBox(dumbbell, aqms, can);
    this.#proof = new LinkProof(this.#box, dumbbell, lease.scratch);
    this.#legs = [dumbbell.network('server', 'client'), dumbbell.network('flooder', 'client-2')].map(own => ({ network: own, pool: new ServicePool({ services, network: own, lease, headed, keep: keptServices }) }));
  }

  static async open(options: LaneOptions, can: Capabilities, cores: LaneCores | null): Promise<PairLane> {
    const lease = Lease.open();
    try {
      return new PairLane(options, lease, await Dumbbell.build(lease, pairHosts, cores), can);
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** One trial, whatever comes of it. Its folder is in its place when this has resolved. */
  async run(cell: Cell, trial: PairTrial, attempt: number, events: TrialEvents): Promise<PairTrialFile> {
    const { plan, folder, registries, signal } = this.#options;
    const link = linkOfCell(plan, cell);
    const directory = folder.begin(trial.id);
    let uplink: Uplink | undefined;
    try {
      const ready = [];
      for (const [k, name] of cell.sides.entries()) {
        const { network, pool } = this.#legs[(trial.firstLeg + k) % 2]!;
        const contestant = contestantOf(plan, name);
        ready.push({ contestant, network, folder: sideFolders[k]!, prepared: await pool.get(contestant) });
      }
      const outside = ready.filter(({ contestant }) => isOutside(contestant, registries));
      if (outside.length > 0) uplink = await Uplink.open(this.#lease, outside.map(({ network }) => network.addresses.client), { privateToo: plan.run.privateNetworks });
      const sides = ready.map(({ prepared, ...side }) => ({
        side: new Side({ ...side, directory, nameServer: isOutside(side.contestant, registries) ? uplink!.gateway : undefined }), prepared,
      }));
      const file = await new PairTrialRun({
        trial, link, run: plan.run, warmUpMs: warmUpMsOf(plan, cell), attempt, directory, dumbbell: this.#dumbbell, box: this.#box, sides, signal,
        onLive: events.onLive,
        prove: () => (plan.run.preflight ? this.#proof.of(link.link, 0, { onStart: events.onPreflight, signal }) : Promise.resolve(null)),
      }).run();
      folder.commit(directory, file);
      return file;
    } catch (error) {
      folder.discard(directory);
      throw error;
    } finally {
      await uplink?.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#legs.map(({ pool }) => pool.close().catch(() => {}))); // what they could not stop dies with its namespace
    await this.#box.clear().catch(() => {}); // as does the link
    await this.#dumbbell.remove();
    await removeCongestionControls(this.#lease.congestionControls);
    this.#lease.release();
  }
}
