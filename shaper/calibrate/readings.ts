/** Readings of a link: requested value, measured value, verdict. Plain objects, for trial.json. */
import type { Direction } from '../../core/vocabulary/link.ts';

/**
 * ok: within the tolerance. late: outside because packets were late, but the punctual packets show that the link is
 * right. degraded: outside, but not enough to refuse the link. repeat: outside, but the machine was disturbed or other
 * evidence supports the link: measure again. refused: the link is not as requested. skipped: not measurable, or
 * reported without a verdict.
 */
export type ReadingVerdict = 'ok' | 'skipped' | 'late' | 'degraded' | 'repeat' | 'refused';

export type StepName = 'delay' | 'serialisation' | 'trains' | 'overload' | 'discipline' | 'loss';

export type ReadingUnit = 'ms' | 'bps' | 'packets' | 'ratio';

export type Reading = {
  /** Name of the reading for programs: `rate`, `queue-plateau`, `delay-p50`, ... */
  id: string;
  step: StepName;
  /** Title for people, with the path: "rate under overload, flooder to client". */
  title: string;
  unit: ReadingUnit;
  asked: number;
  /** Null if nothing could be measured. */
  measured: number | null;
  /** Lowest and highest accepted value. */
  tolerance: { low: number; high: number };
  verdict: ReadingVerdict;
  /** Additional text; null for none. */
  note: string | null;
  /** Direction of the bottleneck under test, if the link has two. */
  direction?: Direction;
  /**
   * True if a disturbance of the machine does not affect the verdict: it cannot cause the value, or was allowed for.
   */
  certain: boolean;
};

type Question = Pick<Reading, 'id' | 'step' | 'title' | 'unit' | 'asked'> & { low: number; high: number };

/** Judges a value: ok inside the tolerance, refused outside or if missing. */
export function reading(question: Question, measured: number | null, note: string | null = null): Reading {
  const { low, high, ...rest } = question;
  const inside = measured !== null && measured >= low && measured <= high;
  return { ...rest, measured, tolerance: { low, high }, verdict: inside ? 'ok' : 'refused', note, certain: false };
}

/** A reading that cannot be taken on this link, with the reason. */
export function skipped(question: Question, reason: string): Reading {
  return { ...reading(question, null, reason), verdict: 'skipped' };
}

/** The reading with verdict `late`; `why` says that packets were late and the link is right. */
export function late(read: Reading, why: string): Reading {
  return { ...read, verdict: 'late', note: read.note === null ? why : `${read.note}; ${why}`, certain: true };
}

/** The reading with its direction in the title. */
export function inDirection(one: Reading, direction: Direction): Reading {
  return { ...one, direction, title: `${one.title} (${direction})` };
}

const severity: readonly ReadingVerdict[] = ['ok', 'skipped', 'late', 'degraded', 'repeat', 'refused'];

/** The worst verdict; `ok` for an empty list. */
export function gravest(readings: readonly Pick<Reading, 'verdict'>[]): ReadingVerdict {
  return readings.reduce<ReadingVerdict>(
    (worst, { verdict }) => (severity.indexOf(verdict) > severity.indexOf(worst) ? verdict : worst),
    'ok',
  );
}

/** True if the first verdict is worse than the second. */
export function isGraver(a: ReadingVerdict, b: ReadingVerdict): boolean {
  return severity.indexOf(a) > severity.indexOf(b);
}
