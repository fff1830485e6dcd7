/**
 * Levels of precedence: what belongs to a trial takes precedence over everything else on the machine, and within a trial,
 * what keeps to times of its own (media server, tunnels, probes, harness) over the rest (browsers, floods). The emulator
 * is before all of them, by SCHED_FIFO.
 *
 * Chosen by measurement (docs/benchmarks.md). In a control group of the trial, the group's weight is what counts against
 * other programs, and nice values only make the order within it. Without one, two numbers make a level, since a kernel
 * that groups processes by sessions (sched(7), "The autogroup feature") compares first sessions and then the processes of
 * one.
 */
import { precedeWords } from './precede.ts';

/** `timed`: it keeps to times of its own. `network`: it is of the router, where the emulator is. */
export type Level = 'timed' | 'part' | 'network';

type Values = Readonly<Record<Level, number>>;

/**
 * In the group. A browser gets no value below 0: Chromium sets nice values of its own, -8 for what draws and 0 for what
 * receives, which it may only raise from there; its threads would come before each other, and all before the floods.
 */
const inGroup: Omit<Values, 'network'> = { timed: -4, part: 0 };
/** Elsewhere: of a session that belongs to a trial, and of a program. */
const ofSession: Values = { timed: -20, part: -18, network: -20 };
const ofProgram: Values = { timed: -15, part: -10, network: -15 };

/** Of the session of the harness, which keeps to times of its own. */
export const harnessSession = ofSession.timed;

/** Of the harness itself. */
export const harnessNice = (isInGroup: boolean): number => (isInGroup ? inGroup : ofProgram).timed;

/**
 * The words that give a program its level. `group`: file with the processes of the control group that it is to enter,
 * which is that of the trial for all but `network`.
 */
export const levelWords = (level: Level, group?: string): string[] =>
  precedeWords({
    session: ofSession[level],
    nice: group === undefined || level === 'network' ? ofProgram[level] : inGroup[level],
    ...(group === undefined ? {} : { group }),
  });
