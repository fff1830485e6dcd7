/** One set of hosts with its link and its services: runs trials one after another, beside other lanes where there are cores. */
import { Lease } from '../../core/lease.ts';
import { pick } from '../../core/plugins.ts';
import { conditionOf } from '../experiment/plan.ts';
import type { Trial } from '../experiment/plan.ts';
import type { TrialFile } from '../record/trial-file.ts';
import { LinkBox } from '../../shaper/backend/link-box.ts';
import type { Capabilities } from '../../shaper/backend/capabilities.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import type { TwoSenders } from '../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { removeCongestionControls } from './congestion-controls.ts';
import type { LaneCores } from './cores.ts';
import { LinkProof } from './link-proof.ts';
import { ServicePool } from './service-pool.ts';
import type { StudyOptions } from './study-options.ts';
import { runTrial } from './trial.ts';

export class Lane {
  readonly #options: StudyOptions;
  readonly #lease: Lease;
  readonly #dumbbell: TwoSenders;
  readonly #link: LinkBox;
  readonly #proof: LinkProof;
  readonly #services: ServicePool;

  private constructor(options: StudyOptions, lease: Lease, dumbbell: TwoSenders, can: Capabilities) {
    const { registries: { services, aqms }, headed } = options;
    this.#options = options;
    this.#lease = lease;
    this.#dumbbell = dumbbell;
    this.#link = new LinkBox(dumbbell, aqms, can);
    this.#proof = new LinkProof(this.#link, dumbbell, lease.scratch);
    this.#services = new ServicePool({ services, network: dumbbell.network('server', 'client'), lease, headed });
  }

  static async open(options: StudyOptions, can: Capabilities, cores: LaneCores | null): Promise<Lane> {
    const lease = Lease.open();
    try {
      return new Lane(options, lease, await Dumbbell.build(lease, twoSenders, cores), can);
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** One trial, again while it is voided and tries are left. A part that fails is tried once more, a disturbance of the host more often. */
  async runUntilValid(trial: Trial, left: number): Promise<TrialFile> {
    const { plan, folder, registries, signal, progress } = this.#options;
    const condition = conditionOf(plan, trial.condition);
    for (let attempt = folder.nextAttempt(trial.id), tries = 1; ; attempt++, tries++) {
      signal.throwIfAborted();
      progress.onTrialStart(trial, condition, attempt, left);
      const service = await this.#services.get(condition);
      const directory = folder.begin(trial.id);
      try {
        const file = await runTrial({
          study: plan.study, run: plan.run, trial, condition, attempt, directory, lease: this.#lease, dumbbell: this.#dumbbell, link: this.#link, service, signal,
          flood: pick(registries.floods, condition.flood.id, 'flood'), onLive: values => progress.onLive(trial, values),
          prove: () => (plan.run.preflight ? this.#proof.of(condition.link, trial.seed, { onStart: () => progress.onPreflight(trial), signal }) : Promise.resolve(null)),
        });
        folder.commit(directory, file);
        const hostOnly = file.verdict.findings.every(finding => finding.status !== 'invalid' || finding.kind === 'host');
        const again = file.verdict.status === 'invalid' && tries <= (hostOnly ? plan.run.retries : Math.min(1, plan.run.retries));
        progress.onTrialEnd(file, again);
        if (!again) return file;
      } catch (error) {
        folder.discard(directory);
        throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.#services.close().catch(() => {}); // what it could not stop dies with its namespace
    await this.#link.clear().catch(() => {}); // as does the link
    await this.#dumbbell.remove();
    await removeCongestionControls(this.#lease.congestionControls);
    this.#lease.release();
  }
}
