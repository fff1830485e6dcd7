/**
 * Message on the load of this machine by other programs, printed before a study's first trial. It gives the effect of
 * the load on the trials. If the study needs more cores than are available, the message also gives the change that
 * helps.
 */
import { sleep } from '../../core/system/deadline.ts';
import { type ProgramLoad, programLoad, readProcessors } from '../../core/system/program-load.ts';
import { counted } from '../../core/text/counted.ts';
import { printable } from '../../core/text/printable.ts';
import type { StudyNeeds } from '../studies/study.ts';

/**
 * Time over which the load is measured, ms. It is long enough for programs that work in bursts, and short enough to
 * wait for.
 */
const watchedMs = 1000;
/** Load by other programs, in cores, below which trials are not disturbed. */
const quietCores = 0.1;
/** Largest number of programs that the message names. */
const mostNamed = 3;

/** Measures the load by other programs. Rejects with the reason of `signal` if that is aborted meanwhile. */
export async function loadOfPrograms(signal?: AbortSignal): Promise<ProgramLoad> {
  const before = readProcessors();
  await sleep(watchedMs, signal);
  return programLoad(before, readProcessors(), process.pid);
}

/** Returns the words on the load, for example "2 other programs (cc1, node) use 1.3 of 2 cores". */
function loadWords({ cores, busyCores, programs }: ProgramLoad): string {
  const of = counted(cores, 'core');
  if (busyCores < quietCores) return `other programs use next to nothing of ${of}`;
  const names = programs.slice(0, mostNamed).map(({ name }) => printable(name));
  const more = programs.length > mostNamed ? ' and more' : '';
  const who = programs.length === 0 ? 'other programs' : counted(programs.length, 'other program');
  const named = names.length === 0 ? '' : ` (${names.join(', ')}${more})`;
  return `${who}${named} ${programs.length === 1 ? 'uses' : 'use'} ${busyCores.toFixed(1)} of ${of}`;
}

/** Returns a line on the load, and a second line if the study needs more cores than the other programs leave. */
export function machineWords(load: ProgramLoad, { precedence, cores: needed, mend }: StudyNeeds): string {
  const isQuiet = load.busyCores < quietCores;
  const meaning = precedence ? '; trials take precedence' : '; they may make tries void';
  const line = `${loadWords(load)}${isQuiet ? '' : meaning}`;
  const left = precedence ? load.cores : load.cores - load.busyCores;
  if (needed <= left) return line;
  // `mend` finds frames small enough for the cores that are left, or else for all cores of this machine
  const words = mend(left) ?? (needed > load.cores ? mend(load.cores) : undefined);
  const helps = [
    ...(precedence || isQuiet ? [] : ['close other programs']),
    ...(words === undefined ? [] : [`make its frames smaller with ${words}`]),
  ];
  if (helps.length === 0) helps.push('make the study smaller');
  return (
    `${line}\ntoo large for this machine: trials need about ${needed.toFixed(1)} cores and get ${left.toFixed(1)}, ` +
    `so tries may be void; ${helps.join(', or ')}`
  );
}
