/**
 * Levels of precedence: what belongs to a trial takes precedence over everything else on the machine, and within a trial,
 * what keeps to times of its own (media server, tunnels, probes, harness) over the rest (browsers, floods). The emulator
 * is before all of them, by SCHED_FIFO.
 *
 * Chosen by measurement (docs/benchmarks.md). Two numbers make a level, since a kernel that groups processes by sessions
 * (sched(7), "The autogroup feature") compares first sessions and then the processes of one.
 */
import { precedeWords } from './precede.ts';

/** `timed`: it keeps to times of its own. `network`: it is of the router, where the emulator is. */
export type Level = 'timed' | 'part' | 'network';

/** Nice value of a session that belongs to a trial. */
export const sessionNice = -20;
const ofProgram: Readonly<Record<Level, number>> = { timed: -15, part: -10, network: -15 };

/** Nice value of the harness, which keeps to times of its own. */
export const harnessNice = ofProgram.timed;

/** The words that give a program its level. `group`: file with the processes of the control group that it is to enter. */
export const levelWords = (level: Level, group?: string): string[] =>
  precedeWords({ session: sessionNice, nice: ofProgram[level], ...(group === undefined ? {} : { group }) });
