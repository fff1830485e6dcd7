/** Four hosts on which short trials run, with something done to them on the way. What the host disturbs counts here: it is the point. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from '../../../core/clock.ts';
import { CoexistError } from '../../../core/errors.ts';
import type { Host } from '../../../core/host.ts';
import { Lease } from '../../../core/lease.ts';
import { pick } from '../../../core/plugins.ts';
import type { ExperimentDefinition } from '../../../harness/experiment/define.ts';
import { conditionOf, makePlan } from '../../../harness/experiment/plan.ts';
import { TrialRecord } from '../../../harness/record/trial-record.ts';
import { loadRegistries } from '../../../harness/runner/registries.ts';
import type { RunnerRegistries } from '../../../harness/runner/registries.ts';
import { ServicePool } from '../../../harness/runner/service-pool.ts';
import { checkStudy } from '../../../harness/runner/study.ts';
import { runTrial } from '../../../harness/runner/trial.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import { LinkBox } from '../../../shaper/backend/link-box.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import type { TwoSenders } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';

export class Stage {
  readonly #lease: Lease;
  readonly #dumbbell: TwoSenders;
  readonly #registries: RunnerRegistries;
  readonly #link: LinkBox;
  readonly #services: ServicePool;

  private constructor(lease: Lease, dumbbell: TwoSenders, registries: RunnerRegistries) {
    this.#lease = lease;
    this.#dumbbell = dumbbell;
    this.#registries = registries;
    this.#link = new LinkBox(dumbbell, registries.aqms, probeCapabilities());
    this.#services = new ServicePool({ services: registries.services, network: dumbbell.network('server', 'client'), lease, headed: false });
  }

  static async build(): Promise<Stage> {
    const registries = await loadRegistries();
    const lease = Lease.open();
    try {
      return new Stage(lease, await Dumbbell.build(lease, twoSenders), registries);
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  get hosts(): TwoSenders['hosts'] {
    return this.#dumbbell.hosts;
  }

  get addresses(): TwoSenders['addresses'] {
    return this.#dumbbell.addresses;
  }

  /** Folder for temporary files, gone with the stage. */
  get scratch(): string {
    return this.#lease.scratch;
  }

  /** Process ids on a host whose command line contains a word. */
  async processIds(host: Host, word: string): Promise<number[]> {
    return (await host.processIds()).filter(pid => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word));
  }

  /** Runs the definition's one trial; `meanwhile` is called when its window begins. */
  async run<T>(definition: ExperimentDefinition, seed: number, meanwhile: (windowStartMs: number) => Promise<T>): Promise<{ record: TrialRecord; done: T }> {
    const plan = makePlan('bench-qoe', definition, this.#registries);
    await checkStudy(plan, this.#registries, false);
    const trial = { ...plan.trials[0]!, seed };
    const condition = conditionOf(plan, trial.condition);
    const directory = mkdtempSync(join(this.#lease.scratch, 'trial-'));
    let doing: Promise<T> | undefined;
    const file = await runTrial({
      study: plan.study, run: plan.run, trial, condition, attempt: 1, directory, lease: this.#lease, dumbbell: this.#dumbbell, link: this.#link, service: await this.#services.get(condition),
      flood: pick(this.#registries.floods, condition.flood.id, 'flood'), signal: new AbortController().signal, prove: () => Promise.resolve(null),
      onLive: ({ elapsedMs }) => {
        doing ??= meanwhile(nowMs() - elapsedMs);
        doing.catch(() => {}); // it is told below
      },
    });
    if (file.phases === null || doing === undefined) throw new CoexistError('trials-failed', `a trial did not come to its window: ${file.verdict.findings.map(finding => finding.message).join('; ')}`);
    return { record: new TrialRecord(file, directory), done: await doing };
  }

  async remove(): Promise<void> {
    await this.#services.close().catch(() => {}); // what it could not stop dies with its namespace
    await this.#link.clear().catch(() => {}); // as does the link
    await this.#dumbbell.remove();
    this.#lease.release();
  }
}
