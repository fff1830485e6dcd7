/** Readings of a link: plain objects for trial.json, with requested value, measured value and verdict. */
import type { Direction } from '../../core/vocabulary/link.ts';

/**
 * ok: within the tolerance. late: outside because packets were late, but the punctual packets show that the link is
 * right. degraded: outside, but not enough to refuse the link. repeat: outside, but the machine was disturbed or other
 * evidence supports the link: measure again. refused: the link is not as requested. skipped: not measurable, or
 * reported without a verdict. told: measured on a link of which nothing was asked.
 */
export type ReadingVerdict = 'ok' | 'told' | 'skipped' | 'late' | 'degraded' | 'repeat' | 'refused';

export type StepName = 'delay' | 'serialisation' | 'trains' | 'overload' | 'discipline' | 'loss' | 'trace';

export type ReadingUnit = 'ms' | 'bps' | 'packets' | 'ratio';

export type Reading = {
  /** Name of the reading for programs: `rate`, `queue-plateau`, `delay-p50`, ... */
  id: string;
  step: StepName;
  /** Title for people, with the path: "rate under overload, other to client". */
  title: string;
  unit: ReadingUnit;
  asked: number;
  /** Measured value; null if nothing could be measured. */
  measured: number | null;
  /** Lowest and highest accepted value. */
  tolerance: { low: number; high: number };
  verdict: ReadingVerdict;
  /** Additional text; null if there is none. */
  note: string | null;
  /** Direction of the bottleneck under test, if the link has two bottlenecks. */
  direction?: Direction;
  /** Place in the row of the bottleneck under test, from 1, if the link has several. */
  hop?: number;
  /**
   * True if a disturbance of the machine does not affect the verdict: the disturbance cannot cause the value, or was
   * already considered.
   */
  certain: boolean;
};

type Question = Pick<Reading, 'id' | 'step' | 'title' | 'unit' | 'asked'> & { low: number; high: number };

/**
 * Returns a reading with its verdict: `ok` if `measured` is inside the tolerance, `refused` if it is outside or null.
 */
export function reading(question: Question, measured: number | null, note: string | null = null): Reading {
  const { low, high, ...rest } = question;
  const inside = measured !== null && measured >= low && measured <= high;
  return { ...rest, measured, tolerance: { low, high }, verdict: inside ? 'ok' : 'refused', note, certain: false };
}

/** Returns a reading with verdict `skipped`, for a value that cannot be measured on this link. */
export function skipped(question: Question, reason: string): Reading {
  return { ...reading(question, null, reason), verdict: 'skipped' };
}

/** Readings that describe a link of which nothing was asked; of the others the queue's own count is not known. */
const describing: readonly string[] = ['delay-p50', 'delay-p99', 'base-round-trip', 'rate'];

/** Returns the readings of a link that is only measured. */
export function told(readings: readonly Reading[]): Reading[] {
  return readings
    .filter(({ id }) => describing.includes(id))
    .map(one => ({
      ...one,
      verdict: 'told',
      note: one.id === 'rate' && one.measured === null ? 'the link carried the whole overload' : one.note,
      certain: false,
    }));
}

/** Returns the reading with verdict `late`. `why`: text that says that packets were late and the link is right. */
export function late(read: Reading, why: string): Reading {
  return { ...read, verdict: 'late', note: read.note === null ? why : `${read.note}; ${why}`, certain: true };
}

/** Returns the reading with `direction`, also in its title. */
export function inDirection(one: Reading, direction: Direction): Reading {
  return { ...one, direction, title: `${one.title} (${direction})` };
}

/** Returns the reading with the place of its bottleneck in the row, also in its title. */
export function atHop(one: Reading, hop: number): Reading {
  return { ...one, hop, title: `${one.title}, bottleneck ${hop}` };
}

const severity: readonly ReadingVerdict[] = ['ok', 'told', 'skipped', 'late', 'degraded', 'repeat', 'refused'];

/** Returns the worst verdict of the readings; `ok` for an empty list. */
export function gravest(readings: readonly Pick<Reading, 'verdict'>[]): ReadingVerdict {
  return readings.reduce<ReadingVerdict>(
    (worst, { verdict }) => (severity.indexOf(verdict) > severity.indexOf(worst) ? verdict : worst),
    'ok',
  );
}

/** Returns true if verdict `a` is worse than verdict `b`. */
export function isGraver(a: ReadingVerdict, b: ReadingVerdict): boolean {
  return severity.indexOf(a) > severity.indexOf(b);
}
