/**
 * Four hosts on which short trials run, with something done to them on the way. What the host disturbs counts here: it
 * is the point.
 */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { nowMs } from '../../../core/system/clock.ts';
import type { Host } from '../../../core/system/host.ts';
import { Lease } from '../../../core/system/lease.ts';
import { networkBetween } from '../../../core/system/network.ts';
import { plainPath } from '../../../core/vocabulary/link.ts';
import { subjectOf } from '../../../core/vocabulary/subject.ts';
import type { ExperimentDefinition } from '../../../harness/definition/define.ts';
import { conditionOf, makePlan } from '../../../harness/definition/plan.ts';
import { TrialRecord } from '../../../harness/record/trial-record.ts';
import { GridPlanner } from '../../../harness/studies/planner/grid.ts';
import { checkStudy } from '../../../harness/trial/check.ts';
import { NetworkProof } from '../../../harness/trial/network-proof.ts';
import { loadRegistries, type RunnerRegistries } from '../../../harness/trial/registries.ts';
import { ServicePool } from '../../../harness/trial/service-pool.ts';
import { runTrial } from '../../../harness/trial/trial.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import { LinkChain } from '../../../shaper/backend/link-chain.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import type { TwoSenders } from '../../e2e/support/two-senders.ts';

export class Testbed {
  readonly #lease: Lease;
  readonly #dumbbell: TwoSenders;
  readonly #registries: RunnerRegistries;
  readonly #link: LinkChain;
  readonly #proof: NetworkProof;
  readonly #services: ServicePool;

  private constructor(lease: Lease, dumbbell: TwoSenders, registries: RunnerRegistries) {
    this.#lease = lease;
    this.#dumbbell = dumbbell;
    this.#registries = registries;
    this.#proof = new NetworkProof(dumbbell);
    this.#link = new LinkChain(dumbbell, registries.aqms, probeCapabilities());
    this.#services = new ServicePool({
      services: registries.services,
      network: networkBetween(dumbbell.left[0]!, dumbbell.right[0]!),
      lease,
      headed: false,
    });
  }

  static async build(): Promise<Testbed> {
    const registries = await loadRegistries();
    const lease = Lease.open();
    try {
      return new Testbed(lease, await Dumbbell.build(lease, twoSenders), registries);
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  get hosts(): TwoSenders['hosts'] {
    return this.#dumbbell.hosts;
  }

  /** What the link is on. */
  get router(): Host {
    return this.#dumbbell.router;
  }

  get addresses(): TwoSenders['addresses'] {
    return this.#dumbbell.addresses;
  }

  /** Folder for temporary files, gone with the testbed. */
  get scratch(): string {
    return this.#lease.scratch;
  }

  /** Process ids on a host whose command line contains a word. */
  async processIds(host: Host, word: string): Promise<number[]> {
    return (await host.processIds()).filter(
      pid => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word),
    );
  }

  /** Runs the definition's one trial; `meanwhile` is called when its window begins. */
  async run<T>(
    definition: ExperimentDefinition,
    seed: number,
    meanwhile: (windowStartMs: number) => Promise<T>,
  ): Promise<{ record: TrialRecord; done: T }> {
    const plan = makePlan('bench-qoe', definition, this.#registries);
    await checkStudy(plan, this.#registries, false);
    const trial = { ...plan.trials[0]!, seed };
    const condition = conditionOf(plan, trial.condition);
    const directory = mkdtempSync(join(this.#lease.scratch, 'trial-'));
    let doing: Promise<T> | undefined;
    const file = await runTrial({
      study: plan.study,
      times: new GridPlanner(plan, plan.trials).next()!.times,
      trial,
      condition,
      attempt: 1,
      directory,
      network: this.#dumbbell,
      shapedLink: this.#link,
      link: { ...condition.link, paths: { server: condition.link.paths[condition.subject]!, other: plainPath } },
      checkNetwork: () => this.#proof.of([0], []),
      received: () => this.#dumbbell.received([this.#dumbbell.hosts.client]),
      applications: [
        {
          application: subjectOf(condition),
          network: networkBetween(this.#dumbbell.left[0]!, this.#dumbbell.right[0]!),
          prepared: await this.#services.get(subjectOf(condition)),
        },
      ],
      signal: new AbortController().signal,
      prove: () => Promise.resolve(null),
      onLive: ({ elapsedMs }) => {
        doing ??= meanwhile(nowMs() - elapsedMs);
        doing.catch(() => {}); // it is told below
      },
    });
    if (file.phases === null || doing === undefined)
      throw new CoexistError(
        'trials-failed',
        `a trial did not come to its window: ${file.verdict.findings.map(finding => finding.message).join('; ')}`,
      );
    return { record: new TrialRecord(file, directory), done: await doing };
  }

  async remove(): Promise<void> {
    await this.#services.close().catch(() => {}); // what it could not stop dies with its namespace
    await this.#link.clear().catch(() => {}); // as does the link
    await this.#dumbbell.remove();
    this.#lease.release();
  }
}
