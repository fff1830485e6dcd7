/**
 * Kind of study: three rates of the link, the middle one first, then the higher one if the application filled the link,
 * else the lower one, then the third.
 */
import { check, object, rate, text, z } from '../../../core/schema/schema.ts';
import { loadStudy } from '../../../harness/definition/load.ts';
import { conditionOf, makePlan, type Plan } from '../../../harness/definition/plan.ts';
import { thresholdsSchema } from '../../../harness/definition/threshold.ts';
import { requireSame } from '../../../harness/record/kept-plan.ts';
import { RunFolder } from '../../../harness/record/run-folder.ts';
import { throughputBps } from '../../../harness/record/traffic.ts';
import type { TrialFile } from '../../../harness/record/trial-file.ts';
import { comparedRun } from '../../../harness/studies/conditions/compared.ts';
import { type ExperimentReport, finishRun, summariseRun } from '../../../harness/studies/conditions/finish.ts';
import { loadReport } from '../../../harness/studies/load-report.ts';
import { loadQuantities } from '../../../harness/studies/metrics.ts';
import type { Planned, Planner } from '../../../harness/studies/planner/planner.ts';
import { recordsOf } from '../../../harness/studies/records.ts';
import type { StudyKind } from '../../../harness/studies/study.ts';
import { TrialLines } from '../../../harness/studies/trial-lines.ts';
import { checkStudy } from '../../../harness/trial/check.ts';
import type { RunnerRegistries } from '../../../harness/trial/registries.ts';

const format = 'climb-1';
/** The plan of an experiment, whose order depends on results. */
type ClimbPlan = Omit<Plan, 'format' | 'definition'> & { format: typeof format; definition: ClimbDefinition };
type ClimbDefinition = z.input<typeof climbSchema>;

const climbSchema = object({
  title: text(),
  rates: z.array(text()).length(3),
  service: z.looseObject({ id: text() }),
  window: text().default('2s'),
  filled: rate({ moreThan: 0 }),
  require: thresholdsSchema,
});

function planOf(study: string, definition: ClimbDefinition, registries: RunnerRegistries): ClimbPlan {
  const { title, rates, service, window } = check(climbSchema, definition, study);
  const { definition: _, ...plan } = makePlan(
    study,
    {
      title,
      question: 'Up to which rate does the application fill the link?',
      source: 'own',
      link: { rate: '1mbit', queue: { limit: '100ms' }, rtt: '10ms' },
      applications: { flow: { service } },
      conditions: Object.fromEntries(rates.map(one => [`at-${one}`, { link: { rate: one } }])),
      run: { window, retries: 2, preflight: false },
    } as Plan['definition'],
    registries,
  );
  return { ...plan, format, definition };
}

class ClimbPlanner implements Planner {
  readonly study: string;
  readonly places = 1;
  readonly #plan: ClimbPlan;
  readonly #filled = new Map<string, boolean>();
  #running: string | undefined;

  constructor(plan: ClimbPlan, done: readonly TrialFile[]) {
    this.study = plan.study;
    this.#plan = plan;
    for (const file of done) this.#add(file);
  }

  get left(): number {
    return this.#plan.trials.length - this.#filled.size;
  }

  next(): Planned | undefined {
    const [low, middle, high] = this.#plan.conditions.map(({ id }) => id) as [string, string, string];
    const second = this.#filled.get(middle) === true ? [high, low] : [low, high];
    const id = [middle, ...second].find(one => !this.#filled.has(one));
    if (id === undefined || this.#running !== undefined) return undefined;
    this.#running = id;
    const trial = this.#plan.trials.find(({ condition }) => condition === id)!;
    const { windowMs, startUpMs, queueLog, pcap } = this.#plan.run;
    const times = { windowMs, settleMs: startUpMs, coolDownMs: 0, queueLog, pcap, externalLossRatio: null };
    return { trial, condition: conditionOf(this.#plan, id), times, places: [0] };
  }

  take(_: Planned, file: TrialFile): boolean {
    this.#running = undefined;
    if (file.verdict.status !== 'invalid') this.#add(file);
    return false;
  }

  refuse(): boolean {
    return false;
  }

  #add(file: TrialFile): void {
    const { filled } = check(climbSchema, this.#plan.definition, this.study);
    this.#filled.set(file.trial.condition, (throughputBps(file, 'flow') ?? 0) >= filled);
  }
}

const open = (path: string) => RunFolder.open<Plan>(path, format);

export const plugin: StudyKind<ClimbPlan, ClimbDefinition> = {
  id: 'climb',
  title: 'Up and down the rates',
  source: 'own',
  params: climbSchema,
  noun: 'climb',
  format,
  defaultName: 'rates',
  mostAhead: 1,
  names: async () => ['rates'],
  load: nameOrFile => loadStudy(nameOrFile, { shipped: new URL('shipped/', import.meta.url), command: 'climb' }),
  makePlan: planOf,
  planAgain: (kept, registries, path) => requireSame(planOf(kept.study, kept.definition, registries), kept, path),
  async check(plan, registries, headed) {
    await checkStudy(plan, registries, headed);
    return [];
  },
  conditions: ({ conditions }) => conditions,
  describe: ({ title, conditions }) => `${title}\n${conditions.map(one => `${one.title}\n`).join('')}`,
  needs: ({ run }) => ({ precedence: run.priority, cores: 0, mend: () => undefined }),
  async begin(plan, folder, _registries, out) {
    const planner = new ClimbPlanner(
      plan,
      folder.trialNames().map(name => folder.trialFile(name)),
    );
    const progress = new (class extends TrialLines {
      onTrialStart(planned: Planned, attempt: number, left: number): void {
        this.begin(planned, attempt, `${left} left`);
      }
      onTrialEnd({ trial, verdict }: TrialFile): void {
        this.lines.sayResult(trial.id, verdict);
      }
    })(out);
    const finish = async () => ({ ...(await finishRun(open(folder.path))), missing: null });
    return { planner, progress, begins: `${plan.title}: ${planner.left} trials`, finish };
  },
  records: path => recordsOf(path, format),
  finishAgain: path => finishRun(open(path)),
  page: async (path, html, figures, addressOf) =>
    (await loadReport<ExperimentReport>('experiment')).page(html, open(path).planFile().plan, null, figures, addressOf),
  gated: async plan => ({ ...plan, quantities: await loadQuantities() }),
  async compared(path) {
    const folder = open(path);
    return comparedRun(folder.planFile().plan, await summariseRun(folder));
  },
};
