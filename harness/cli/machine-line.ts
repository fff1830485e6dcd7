/**
 * Message before a study's first trial on the load of this machine by other programs, its effect on the trials, and the
 * change that helps if the study needs more than is available.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type ProgramLoad, programLoad, readProcessors } from '../../core/system/program-load.ts';
import { counted } from '../../core/text/counted.ts';
import { printable } from '../../core/text/printable.ts';
import type { StudyNeeds } from '../studies/study.ts';

/** Time in which the load is measured, ms: long enough for programs that work in bursts, and a short wait. */
const watchedMs = 1000;
/** Load by other programs below which trials are not disturbed. */
const quietCores = 0.1;
/** Number of programs that are named. */
const mostNamed = 3;

export async function loadOfPrograms(signal?: AbortSignal): Promise<ProgramLoad> {
  const before = readProcessors();
  await wait(watchedMs, undefined, signal === undefined ? {} : { signal });
  return programLoad(before, readProcessors(), process.pid);
}

/** Example: "2 other programs (cc1, node) use 1.3 of 2 cores". */
function loadWords({ cores, busyCores, programs }: ProgramLoad): string {
  const of = counted(cores, 'core');
  if (busyCores < quietCores) return `other programs use next to nothing of ${of}`;
  const names = programs.slice(0, mostNamed).map(({ name }) => printable(name));
  const more = programs.length > mostNamed ? ' and more' : '';
  const who = programs.length === 0 ? 'other programs' : counted(programs.length, 'other program');
  const named = names.length === 0 ? '' : ` (${names.join(', ')}${more})`;
  return `${who}${named} ${programs.length === 1 ? 'uses' : 'use'} ${busyCores.toFixed(1)} of ${of}`;
}

/** A line on the load, and a second one if the study needs more cores than it gets. */
export function machineWords(load: ProgramLoad, { precedence, cores: needed, mend }: StudyNeeds): string {
  const isQuiet = load.busyCores < quietCores;
  const meaning = precedence ? '; trials take precedence' : '; they may make tries void';
  const line = `${loadWords(load)}${isQuiet ? '' : meaning}`;
  const left = precedence ? load.cores : load.cores - load.busyCores;
  if (needed <= left) return line;
  // frames small enough with the other programs running, or else on an otherwise idle machine
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
