/** `npm run worker`: takes trials from a queue and runs them, one at a time, until it is stopped. */
import { join } from 'node:path';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { cacheFolder } from '../../core/system/paths.ts';
import { measureNoiseFloor } from '../queue/machine/noise-floor.ts';
import { TrialCarrier } from '../queue/machine/trial-carrier.ts';
import { checkedKeyName } from '../queue/planner-key.ts';
import { describeUrl, Store } from '../queue/store.ts';
import { Worker } from '../queue/worker.ts';
import { WorkerSide } from '../queue/worker-side.ts';
import { machineName } from '../record/machine-name.ts';
import { readVersions } from '../record/versions.ts';
import { kindNamed } from '../studies/kinds.ts';
import type { StudyPlan } from '../studies/study.ts';
import { findBrowser } from '../trial/browser/find.ts';
import { checkRoot } from '../trial/check.ts';
import { describeCleaned, removeLeftovers } from '../trial/leftovers.ts';
import { loadRegistries, type RunnerRegistries } from '../trial/registries.ts';
import { parseOptions } from './arguments.ts';
import { onInterruption } from './interruption.ts';
import { print } from './print.ts';
import { checkTurnOptions, takeTurn, turnOptions, turnUsage } from './take-turn.ts';

const usage =
  'npm run worker -- --queue postgres://user@host/database --trust KEY[,KEY] [--name NAME] [--skip-noise-floor] ' +
  turnUsage;

const options = {
  queue: { type: 'string' },
  trust: { type: 'string' },
  name: { type: 'string' },
  'skip-noise-floor': { type: 'boolean' },
  ...turnOptions,
} as const;

const floorWords = 'measures the noise floor of this machine, which takes about two minutes';

/**
 * Returns a function that checks a plan for one lane, since a worker has a single lane. The function throws if this
 * machine cannot run the plan.
 */
function checkFor(registries: RunnerRegistries): (kind: string, plan: unknown) => Promise<void> {
  return async (name, plan) => {
    const kind = await kindNamed(name);
    if (kind === undefined) throw new CoexistError('bad-definition', `there is no kind of study "${name}" here`);
    const { run, ...rest } = plan as StudyPlan;
    await kind.check({ ...rest, run: { ...run, parallel: 1 } }, registries, false);
  };
}

export async function command(argv: string[]): Promise<number> {
  const values = parseOptions(argv, options, usage, 'worker');
  const { queue: url, trust, name = machineName() } = values;
  if (url === undefined || !/^postgres(ql)?:\/\//.test(url))
    throw new CoexistError('usage', '--queue needs the address of a PostgreSQL database', { hint: usage });
  if (trust === undefined)
    throw new CoexistError('usage', '--trust needs the public keys of the planners whose trials this worker may run', {
      hint: '"npm run queue -- key" on the planner\'s machine prints its key',
    });
  const trusted = new Set(trust.split(',').map(checkedKeyName));
  checkTurnOptions(values);
  checkRoot('a worker needs');
  const say = (text: string) => void print(`[worker ${name}] ${text}\n`);
  const interruption = onInterruption(() => say('stopping: a trial that is running goes back into the queue'));
  const { signal } = interruption;
  // a worker that `--queue local` started runs in the turn of its planner and ends with the planner
  const turn =
    process.send === undefined ? await takeTurn({ ...values, what: `worker ${name}`, say, signal }) : undefined;
  try {
    return await work({ url, name, trusted, say, interruption, skipFloor: values['skip-noise-floor'] === true });
  } finally {
    turn?.release();
  }
}

type Work = {
  url: string;
  name: string;
  trusted: ReadonlySet<string>;
  say(text: string): void;
  interruption: AbortController;
  skipFloor: boolean;
};

async function work({ url, name, trusted, say, interruption, skipFloor }: Work): Promise<number> {
  const { signal } = interruption;
  const cleaned = describeCleaned(await removeLeftovers());
  if (cleaned !== undefined) say(cleaned);
  const planner = new CoexistError('interrupted', 'the planner has ended');
  process.once('disconnect', () => interruption.abort(planner));
  const registries = await loadRegistries();
  const versions = await readVersions(findBrowser());
  const { code } = versions;
  const floor = { registries, software: { versions, files: {} }, code, parent: join(cacheFolder, 'noise-floor') };
  const carrier = new TrialCarrier({
    machine: name,
    versions,
    registries,
    check: checkFor(registries),
    spool: join(cacheFolder, 'worker'),
    measureFloor: async of => {
      if (skipFloor) return { passed: true, said: 'not measured' };
      return measureNoiseFloor({ ...floor, signal: of, onStart: () => say(floorWords) });
    },
  });
  try {
    const store = await Store.open({ url, say, signal, supervise: false });
    try {
      const side = new WorkerSide(store, name, code);
      say(`waits for trials of version ${side.code} in ${describeUrl(url)}`);
      return await new Worker({ side, carrier, trusted, say, signal, host: machineName() }).work().catch(error => {
        if (error === planner) return exitStatus.done;
        throw error;
      });
    } finally {
      await store.close();
    }
  } finally {
    await carrier.close();
    if (process.connected) process.disconnect?.();
  }
}
