/**
 * Levels of precedence. Programs of a trial have precedence over everything else on the machine. Within a trial,
 * programs that keep to deadlines (media server, tunnels, probes, harness) have precedence over the rest (browsers,
 * floods). The emulator has precedence over all of them, by SCHED_FIFO.
 *
 * The values were chosen by measurement (docs/benchmarks.md). In a control group of the trial, the group's weight
 * counts against other programs, and nice values only set the order within it. Without a group, a level has two
 * numbers: a kernel that groups processes by sessions (sched(7), "The autogroup feature") compares first sessions and
 * then the processes of one.
 */
import { precedeWords } from './precede.ts';

/**
 * Level of a program. `timed`: keeps to deadlines. `part`: the rest of the trial. `network`: belongs to the router,
 * which runs the emulator.
 */
export type Level = 'timed' | 'part' | 'network';

type Values = Readonly<Record<Level, number>>;

/**
 * Nice values in the group. A browser gets no value below 0. Chromium sets the nice values of its threads, -8 for
 * drawing and 0 for receiving, and may only raise them from the start value. With a lower start value the threads would
 * have different precedence, and all of them would have precedence over the floods.
 */
const inGroup: Omit<Values, 'network'> = { timed: -4, part: 0 };
/** Nice values without a group: of the session of a program of a trial, and of the program itself. */
const ofSession: Values = { timed: -20, part: -18, network: -20 };
const ofProgram: Values = { timed: -15, part: -10, network: -15 };

/** Nice value of the harness's session; the harness keeps to deadlines. */
export const harnessSession = ofSession.timed;

/** Nice value of the harness itself. */
export const harnessNice = (isInGroup: boolean): number => (isInGroup ? inGroup : ofProgram).timed;

/**
 * Returns the words to put before a command so that its program has `level`. `group`: file with the processes of the
 * control group to enter; the trial's group for all levels except `network`.
 */
export const levelWords = (level: Level, group?: string): string[] =>
  precedeWords({
    session: ofSession[level],
    nice: group === undefined || level === 'network' ? ofProgram[level] : inGroup[level],
    ...(group === undefined ? {} : { group }),
  });
