/** Thresholds and claims of a study of any kind, and what they can name. */
import type { Link } from '../../../core/vocabulary/link.ts';
import type { Quantity } from '../metrics/metric.ts';

/** A condition that thresholds and claims can name. */
export type GatedCondition = {
  id: string;
  /** Name that stands for this condition and others. Missing if only the id names it. */
  name?: string;
  applications: readonly { name: string }[];
  /** Application whose values need no name; null if every application has to be named. */
  subject: string | null;
  /** Link of the condition, if thresholds may name its further bottlenecks. */
  link?: Pick<Link, 'up' | 'further'>;
  /** True: a threshold judges the condition only if it names it. */
  isOnlyNamed?: true;
};

/** Thresholds and claims of a plan as written, and what they can name. */
export type Gated = {
  /** Name of the study, for error messages. */
  study: string;
  source: string;
  definition: { require?: unknown; claims?: unknown };
  quantities: readonly Quantity[];
  conditions: readonly GatedCondition[];
};
