/**
 * The flagship over machines that are reached by ssh, beside the same study on namespaces: the median of each has to lie
 * within the other's interval.
 *
 *   npm run bench:lab [-- REPEATS]     6 where not said
 *
 * The machines are network namespaces with an `sshd` each, so what differs is how a trial reaches its hosts.
 */

import { CoexistError } from '../../core/errors.ts';
import type { Estimate } from '../../core/vocabulary/estimate.ts';
import { valueOver } from '../../harness/analysis/summary/named-value.ts';

import { RunFolder } from '../../harness/record/run-folder.ts';
import { summariseRun } from '../../harness/studies/conditions/finish.ts';
import { nameOf, ofOthers } from '../../reports/named.ts';
import { Place } from '../e2e/support/run-command.ts';
import { noLab, SshLab } from '../long/support/ssh-lab.ts';
import { runBench } from './support/bench.ts';

const repeats = process.argv[2] ?? '6';
const words = ['experiment', 'bbr-flood', '--repeats', repeats, '--set', 'run.window=20s', '--set', 'run.retries=4'];
const mostMs = 3600e3;
/** Values, each with its unit, and what it is multiplied by. */
const values = [
  ['goodput', 'Mbit/s', 1e-6],
  [ofOthers('goodput'), 'Mbit/s', 1e-6],
  ['rtt-mean', 'ms', 1],
  ['frame-rate', 'fps', 1],
  ['freeze-time', 's', 1],
] as const;

type Conditions = Awaited<ReturnType<typeof summariseRun>>['conditions'];

async function runOver(title: string, lab?: SshLab): Promise<Conditions> {
  process.stderr.write(`${title} ...\n`);
  const place = new Place();
  try {
    const over = lab === undefined ? [] : ['--hosts', lab.hostsFile()];
    const session = place.start([...words, ...over, '--out', place.out], {}, lab?.onDesk);
    session.process.stdout!.pipe(process.stderr);
    const { status, stderr } = await session.finish(mostMs);
    // 3: some trials have no valid result, and the others count
    if (status !== 0 && status !== 3) throw new CoexistError('trials-failed', `${title}: ${stderr.trim()}`);
    return (await summariseRun(RunFolder.open(place.out))).conditions;
  } finally {
    place.remove();
  }
}

await runBench(async () => {
  if (noLab !== undefined) throw new CoexistError('missing-program', `there can be no lab here: ${noLab}`);
  const lab = await SshLab.build(2);
  let ssh: Conditions;
  try {
    ssh = await runOver('over ssh', lab);
  } finally {
    await lab.remove();
  }
  const here = await runOver('on namespaces');
  let agree = true;
  for (const own of here) {
    const { id, title, trials } = own;
    const there = ssh.find(condition => condition.id === id)!;
    process.stdout.write(`${title}, n = ${trials} and ${there.trials}; median [interval] on namespaces, over ssh\n`);
    for (const [named, unit, factor] of values) {
      const [a, b] = [own, there].map(condition => certain(valueOver(condition, nameOf(named))));
      if (a === undefined || b === undefined) continue;
      const isWithin = holds(b, a.value) && holds(a, b.value);
      agree &&= isWithin;
      const say = ({ value, low, high }: Certain) =>
        `${(value * factor).toFixed(2)} [${(low * factor).toFixed(2)}, ${(high * factor).toFixed(2)}]`;
      process.stdout.write(
        `  ${nameOf(named).metric}${nameOf(named).of === undefined ? '' : ' of the others'}, ${unit}: ${say(a)}, ${say(b)}${isWithin ? '' : '  DIFFER'}\n`,
      );
    }
  }
  return agree;
});

type Certain = { value: number; low: number; high: number };

/** Undefined where no trial has it, and where there is no interval. */
function certain(summary: Estimate | undefined): Certain | undefined {
  const { value = null, low = null, high = null } = summary ?? {};
  return value === null || low === null || high === null ? undefined : { value, low, high };
}

function holds({ low, high }: Certain, value: number): boolean {
  return low <= value && value <= high;
}
