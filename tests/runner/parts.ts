/** The parts of the tests: the folders of tests/, the limits of their files, and which of them may run beside others. */
import { availableParallelism } from 'node:os';
import type { JobLimits } from './job.ts';

export type Part = {
  /** Folder of tests/. */
  id: string;
  limits: JobLimits;
  /**
   * Together: beside others, since no result depends on how long a thing takes; in the order of this list. Alone: a
   * file at a time, because it measures.
   */
  lane: 'together' | 'alone';
  /** Run only where it is asked for. */
  isExtra?: true;
};

const usual: JobLimits = { testMs: 300_000, fileMs: 600_000 };
const whole: JobLimits = { testMs: 300_000, fileMs: 2_400_000 };

export const parts: readonly Part[] = [
  // the longest first: at the end no file runs alone for long
  { id: 'process', limits: whole, lane: 'together' },
  { id: 'sim', limits: usual, lane: 'together' },
  { id: 'fuzz', limits: usual, lane: 'together' },
  { id: 'contract', limits: usual, lane: 'together' },
  { id: 'golden', limits: usual, lane: 'together' },
  { id: 'unit', limits: usual, lane: 'together' },
  { id: 'e2e', limits: whole, lane: 'alone' },
  { id: 'long', limits: whole, lane: 'alone', isExtra: true },
  { id: 'kernels', limits: { testMs: 3_600_000, fileMs: 7_200_000 }, lane: 'alone', isExtra: true },
];

/** Files of a lane that run at a time: each waits for about half of its time. */
export const concurrencyOf = (lane: Part['lane'], processors = availableParallelism()): number =>
  lane === 'alone' ? 1 : 2 * processors;
