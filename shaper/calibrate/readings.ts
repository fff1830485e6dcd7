/** Readings: what was asked of a link, what was measured, and what that says. Plain objects, for trial.json. */
import type { Direction } from '../../core/vocabulary/link.ts';

/**
 * ok: within the tolerance. late: beside it because packets were late, and the packets that were not show that the link
 * is right. degraded: beside it, but not by enough to refuse the link. repeat: outside, but the machine was disturbed
 * or something tells that the link is right: measure again. refused: the link is not what was asked for. skipped: could
 * not be asked, or is told only.
 */
export type ReadingVerdict = 'ok' | 'skipped' | 'late' | 'degraded' | 'repeat' | 'refused';

export type StepName = 'delay' | 'serialisation' | 'trains' | 'overload' | 'discipline' | 'loss';

export type ReadingUnit = 'ms' | 'bps' | 'packets' | 'ratio';

export type Reading = {
  /** What is read, for programs: `rate`, `queue-plateau`, `delay-p50`, ... */
  id: string;
  step: StepName;
  /** The same for people, with the path: "rate under overload, flooder to client". */
  title: string;
  unit: ReadingUnit;
  asked: number;
  /** Null where nothing could be measured. */
  measured: number | null;
  /** Lowest and highest value that is accepted. */
  tolerance: { low: number; high: number };
  verdict: ReadingVerdict;
  /** What else is to be said; null for nothing. */
  note: string | null;
  /** Of the bottleneck that was tried, where the link has two. */
  direction?: Direction;
  /**
   * True where a disturbance of the machine changes nothing about the verdict: it cannot bring the value about, or was
   * allowed for.
   */
  certain: boolean;
};

type Question = Pick<Reading, 'id' | 'step' | 'title' | 'unit' | 'asked'> & { low: number; high: number };

/** Reads a value: ok inside the tolerance, refused outside or where there is none. */
export function reading(question: Question, measured: number | null, note: string | null = null): Reading {
  const { low, high, ...rest } = question;
  const inside = measured !== null && measured >= low && measured <= high;
  return { ...rest, measured, tolerance: { low, high }, verdict: inside ? 'ok' : 'refused', note, certain: false };
}

/** A reading that cannot be taken on this link, with the reason. */
export function skipped(question: Question, reason: string): Reading {
  return { ...reading(question, null, reason), verdict: 'skipped' };
}

/** The same reading where `why` tells that packets were late, and the link is right. */
export function late(read: Reading, why: string): Reading {
  return { ...read, verdict: 'late', note: read.note === null ? why : `${read.note}; ${why}`, certain: true };
}

/** The same reading, named with its direction. */
export function inDirection(one: Reading, direction: Direction): Reading {
  return { ...one, direction, title: `${one.title} (${direction})` };
}

const severity: readonly ReadingVerdict[] = ['ok', 'skipped', 'late', 'degraded', 'repeat', 'refused'];

/** The gravest of the verdicts; `ok` of none. */
export function gravest(readings: readonly Pick<Reading, 'verdict'>[]): ReadingVerdict {
  return readings.reduce<ReadingVerdict>(
    (worst, { verdict }) => (severity.indexOf(verdict) > severity.indexOf(worst) ? verdict : worst),
    'ok',
  );
}

/** True where the first is graver than the second. */
export function isGraver(a: ReadingVerdict, b: ReadingVerdict): boolean {
  return severity.indexOf(a) > severity.indexOf(b);
}
