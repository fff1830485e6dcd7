/** Study with trials that do not use the machine, for tests of the queue alone. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../../../../../core/system/deadline.ts';
import type { Plan } from '../../../../../harness/definition/plan.ts';
import type { NoiseFloor } from '../../../../../harness/queue/noise-floor.ts';
import { orderFormat, type RunOrder, type TrialOrder } from '../../../../../harness/queue/order.ts';
import type { PlannerKey } from '../../../../../harness/queue/planner-key.ts';
import { PlannerSide } from '../../../../../harness/queue/planner-side.ts';
import { QueueLane } from '../../../../../harness/queue/queue-lane.ts';
import { Store } from '../../../../../harness/queue/store.ts';
import type { Carrier } from '../../../../../harness/queue/worker.ts';
import type { RunFolder } from '../../../../../harness/record/run-folder.ts';
import type { TrialFile } from '../../../../../harness/record/trial-file.ts';
import { GridPlanner } from '../../../../../harness/studies/planner/grid.ts';
import { missingTrials } from '../../../../../harness/trial/check.ts';
import { type Progress, runStudy } from '../../../../../harness/trial/study.ts';
import { planOf } from '../../support/plan.ts';

export const code = '1.0.0/tiny';

export function tinyPlan(repeats: number, conditions: number): Plan {
  const named = Object.fromEntries(
    Array.from({ length: conditions }, (_, k) => [`c${k}`, { link: { rtt: `${k + 1}ms` } }]),
  );
  return planOf({ run: { repeats, preflight: false }, conditions: named });
}

/** Returns the order of a run. `machine`: machine of the planner. */
export const orderOf = (run: string, plan: Plan, machine = 'planner'): RunOrder => ({
  format: orderFormat,
  run,
  code,
  kind: 'experiment',
  machine,
  plan: { title: plan.title },
  files: {},
  lane: { study: plan.study, places: 1, priority: false, preflight: false, keep: 1, privateNetworks: false },
});

export function openStore(
  url: string,
  signal: AbortSignal,
  { supervise = false, say = () => {} }: { supervise?: boolean; say?: (text: string) => void } = {},
): Promise<Store> {
  return Store.open({ url, supervise, say, signal, patienceMs: 20_000 });
}

/** Options of a carrier. `parent`: folder for records. `log`: file that gets a line for each trial that begins. */
export type TinyOptions = { parent: string; log?: string; takesMs?: number; machine?: string; bytes?: number };

/** Runs trials that write two small files. */
export class TinyCarrier implements Carrier {
  readonly #options: TinyOptions;
  constructor(options: TinyOptions) {
    this.#options = options;
  }

  noiseFloor(_: AbortSignal): Promise<NoiseFloor> {
    return Promise.resolve({ passed: true, said: 'no stall in 3 trials' });
  }

  refusal(_: RunOrder): Promise<string | null> {
    return Promise.resolve(null);
  }

  async run(
    run: RunOrder,
    { planned, attempt }: TrialOrder,
    signal: AbortSignal,
  ): Promise<{ file: TrialFile; directory: string }> {
    const { parent, log, takesMs = 0, machine = 'tiny', bytes = 100 } = this.#options;
    if (log !== undefined) appendFileSync(log, `${planned.trial.id} ${machine}\n`);
    await sleep(takesMs, signal);
    const directory = mkdtempSync(join(parent, 'tiny-'));
    mkdirSync(join(directory, 'applications/service'), { recursive: true });
    writeFileSync(join(directory, 'ping.jsonl'), `{"trial":"${planned.trial.id}","machine":"${machine}"}\n`);
    writeFileSync(join(directory, 'applications/service/stats.jsonl'), Buffer.alloc(bytes, planned.trial.id));
    return { file: fileOfPlanned(run.lane.study, { planned, attempt }), directory };
  }

  drop(directory: string): void {
    rmSync(directory, { recursive: true, force: true });
  }
  rest(): Promise<void> {
    return Promise.resolve();
  }
}

export function fileOfPlanned(
  study: string,
  { planned: { trial, condition }, attempt }: Pick<TrialOrder, 'planned' | 'attempt'>,
): TrialFile {
  return {
    format: 4,
    study,
    trial,
    condition,
    attempt,
    verdict: { status: 'valid', findings: [] },
    phases: null,
    backend: null,
    preflight: null,
    bottleneck: null,
    queueLog: null,
    capture: null,
    applications: [],
    cpuRatio: null,
  };
}

const silent: Progress = { onTrialStart: () => {}, onPreflight: () => {}, onLive: () => {}, onTrialEnd: () => {} };

/** Runs the missing trials of the folder's plan over the queue. Resolves to the trials without a valid result. */
export async function runOverQueue(options: {
  store: Store;
  key: PlannerKey;
  run: string;
  plan: Plan;
  folder: RunFolder;
  signal: AbortSignal;
  say?: (text: string) => void;
  ahead?: number;
  machine?: string;
}): Promise<string[]> {
  const { store, key, run, plan, folder, signal, say = () => {}, ahead = 64, machine } = options;
  const side = await PlannerSide.open({ store, key, order: orderOf(run, plan, machine), say, signal });
  let finished = false;
  try {
    const planner = new GridPlanner(plan, missingTrials(plan, folder));
    await runStudy({
      planner,
      folder,
      registries: { services: new Map(), aqms: new Map(), tunnels: new Map() },
      headed: false,
      preflight: false,
      lanes: ahead,
      signal,
      progress: silent,
      openLane: () => Promise.resolve(new QueueLane(side, plan.study, folder)),
    });
    finished = true;
    return planner.failed.map(({ id }) => id);
  } finally {
    await side.close(finished);
  }
}
