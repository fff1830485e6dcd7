/** Checks that this machine can run a study. Starts nothing. */
import { availableParallelism } from 'node:os';
import { CoexistError } from '../../core/errors.ts';
import { boundOf } from '../../core/plugins.ts';
import { localHost } from '../../core/system/local-host.ts';
import { requirePing } from '../../core/system/ping.ts';
import { hopsOf } from '../../core/vocabulary/hops.ts';
import type { BackendId, Link } from '../../core/vocabulary/link.ts';
import { checkLength, type TrialLength } from '../../core/vocabulary/trial-length.ts';
import { type Capabilities, probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { aqmsOf, chooseBackend } from '../../shaper/backend/choose.ts';
import { checkMarker } from '../../shaper/marking/marker.ts';
import { tracesOf } from '../../shaper/traces/load.ts';
import type { Chosen } from '../definition/applications.ts';
import type { Condition } from '../definition/conditions.ts';
import type { Plan } from '../definition/plan.ts';
import type { Trial } from '../definition/trial.ts';
import type { RunFolder } from '../record/run-folder.ts';
import { admit, admitApplications, keptBusy, type Load, laneNeeds } from './cores.ts';
import { requireOneBbr3 } from './one-bbr3.ts';
import type { RunnerRegistries } from './registries.ts';

/**
 * Throws `no-root` if the harness does not run as root. `what`: beginning of the message, such as "running an
 * experiment needs".
 */
export function checkRoot(what: string, purpose = 'to make network namespaces and to set the link'): void {
  if (process.getuid?.() === 0) return;
  throw new CoexistError('no-root', `${what} root, ${purpose}`, {
    hint: 'run it with sudo, or as root in a container that has CAP_NET_ADMIN and CAP_SYS_ADMIN',
  });
}

/** Returns the trials of the plan that have no result in the folder yet. */
export function missingTrials(plan: Pick<Plan, 'trials'>, folder: Pick<RunFolder, 'trialNames'>): Trial[] {
  const done = new Set(folder.trialNames());
  return plan.trials.filter(trial => !done.has(trial.id));
}

/** Throws if this machine cannot run the plan. Checks root, link, browser, clip and congestion control. */
export async function checkStudy(
  { run, conditions }: Pick<Plan, 'run' | 'conditions'>,
  registries: RunnerRegistries,
  headed: boolean,
): Promise<void> {
  checkRoot('running an experiment needs');
  await checkConditions(
    conditions,
    { parallel: run.parallel, windowMs: run.windowMs, besideMs: run.startUpMs, besideSettings: 'run.startUp' },
    registries,
    headed,
  );
}

/** `besideMs` (in `TrialLength`): time outside of the window in which services are in use, ms. */
type TimesToCheck = TrialLength & { parallel: number };

/**
 * Throws if this machine cannot run trials of the conditions. Checks cores, link, browser, clip and congestion control.
 * `can`: capabilities of another kernel, for tests.
 */
export async function checkConditions(
  conditions: readonly Condition[],
  times: TimesToCheck,
  registries: RunnerRegistries,
  headed: boolean,
  can?: Capabilities,
): Promise<void> {
  await checkMachine(conditions, times.parallel, registries, {
    checkService: service => checkService(service, times, registries, headed),
    ...(can === undefined ? {} : { can }),
  });
}

/** Checks that depend on the kind of study. */
export type MachineChecks = {
  /** Checks one service. Called once for each distinct service. `backends`: backends that emulate the links. */
  checkService(service: Chosen, backends: readonly BackendId[]): Promise<void>;
  /**
   * Called if simultaneous applications keep more cores busy than the machine has. Undefined: `checkMachine` throws
   * then.
   */
  onCrowd?(message: string): void;
  /** Capabilities of another kernel, for tests. */
  can?: Capabilities;
};

/** Runs the checks that every study needs. Throws if this machine fails one. */
export async function checkMachine(
  conditions: readonly Condition[],
  parallel: number,
  { services, aqms, tunnels }: RunnerRegistries,
  { checkService, onCrowd, can = probeCapabilities() }: MachineChecks,
): Promise<void> {
  await requirePing(localHost);
  const bbr3 = conditions.map(({ id, applications }) =>
    applications.map(({ name, service }) => ({
      name: `condition ${id}: ${name}`,
      budget: boundOf(services, service, 'service').neededBbr3,
    })),
  );
  for (const together of bbr3) requireOneBbr3(together, 'give them the same bbr3Budget');
  // simultaneous trials may be of any two conditions
  if (parallel > 1) requireOneBbr3(bbr3.flat(), 'give them the same bbr3Budget, or set run.parallel to 1');
  const cores = availableParallelism();
  const loads = conditions.map(condition => loadsOf(condition, services));
  const needs = conditions.map(({ link }, k) => laneNeeds(loads[k]!, highestBpsOf(link)));
  admit(parallel, Math.max(...needs), cores);
  const seen = new Set<string>();
  const isNew = (value: unknown) => seen.size < seen.add(JSON.stringify(value)).size;
  const backends: BackendId[] = [];
  for (const { link } of conditions.filter(condition => isNew(condition.link))) {
    const hops = hopsOf(link);
    tracesOf(hops);
    for (const hop of hops) backends.push(await chooseBackend(hop, aqmsOf(hop, aqms), can));
  }
  for (const [k, { id, applications }] of conditions.entries()) {
    admitApplications(id, loads[k]!, cores, onCrowd);
    for (const { service, tunnel, dscp } of applications) {
      if (dscp !== undefined && isNew({ dscp: true })) await checkMarker();
      if (isNew(service)) await checkService(service, backends);
      if (tunnel !== undefined && isNew(tunnel)) await boundOf(tunnels, tunnel, 'tunnel').check();
    }
  }
}

/** Sum of the highest rates of all bottlenecks in both directions, bit/s. */
function highestBpsOf(link: Link): number {
  return hopsOf(link)
    .flatMap(hop => [hop, hop.up])
    .map(end => (end === null ? 0 : Math.max(end.rateBps, ...end.schedule.map(({ rateBps }) => rateBps))))
    .reduce((sum, bps) => sum + bps, 0);
}

/**
 * Returns the number of cores that `parallel` trials keep busy together at most. Counts only services that declare
 * their cores.
 */
export function coresKeptBusy(
  conditions: readonly Condition[],
  parallel: number,
  { services }: Pick<RunnerRegistries, 'services'>,
): number {
  return (
    parallel *
    Math.max(...conditions.map(condition => keptBusy(loadsOf(condition, services), highestBpsOf(condition.link), 0)), 0)
  );
}

/** Returns the cores that each application of a condition keeps busy, as its service declares them. */
function loadsOf({ applications }: Condition, services: RunnerRegistries['services']): Load[] {
  return applications.map(({ name, service, startMs, stopMs }) => ({
    name,
    startMs,
    stopMs,
    cores: boundOf(services, service, 'service').cores,
  }));
}

async function checkService(
  chosen: Chosen,
  length: TrialLength,
  { services }: RunnerRegistries,
  headed: boolean,
): Promise<void> {
  const service = boundOf(services, chosen, 'service');
  if (service.outside !== null)
    throw new CoexistError(
      'bad-definition',
      `service ${chosen.id} needs the Internet, which an experiment cannot reach`,
      {
        hint: 'run it as a contestant of "npm run pairs"',
      },
    );
  checkLength(chosen.title, service.longestMs, length, 'choose another service');
  await service.check(headed);
}
