/**
 * Names of values in a definition: a metric, and the application that the value is of. Translates the names of earlier
 * versions, which had the role of an application in the id of the metric.
 */
import { text, z } from '../../core/schema/schema.ts';
import { allOthers, type ValueName } from '../../core/vocabulary/subject.ts';

const ofOthers = (metric: string): ValueName => ({ metric, of: allOthers });

/** Values by their names in earlier versions. */
export const earlierNames: Readonly<Record<string, ValueName>> = {
  'media-goodput': { metric: 'goodput' },
  'transfer-goodput': { metric: 'goodput' },
  'media-wire-rate': { metric: 'wire-rate' },
  'media-fair-share': { metric: 'fair-share' },
  'media-queue-delay-median': { metric: 'queue-delay-median' },
  'media-queue-delay-p95': { metric: 'queue-delay-p95' },
  'media-queue-delay-max': { metric: 'queue-delay-max' },
  'media-queue-loss': { metric: 'queue-loss' },
  'media-loss': { metric: 'loss' },
  'media-rtt-median': { metric: 'rtcp-rtt-median' },
  'flood-goodput': ofOthers('goodput'),
  'flood-wire-rate': ofOthers('wire-rate'),
  'flood-fair-share': ofOthers('fair-share'),
  'flood-queue-delay-median': ofOthers('queue-delay-median'),
  'flood-queue-delay-p95': ofOthers('queue-delay-p95'),
  'flood-queue-loss': ofOthers('queue-loss'),
  'flood-retransmission': ofOthers('resent-ratio'),
  'flood-estimate-p50': ofOthers('flow-estimate-p50'),
  'flood-estimate-p99': ofOthers('flow-estimate-p99'),
  'flood-flow-goodput-least': ofOthers('flow-goodput-least'),
  'flood-flow-goodput-most': ofOthers('flow-goodput-most'),
  'flood-flow-queue-delay-least': ofOthers('flow-queue-delay-least'),
  'flood-flow-queue-delay-most': ofOthers('flow-queue-delay-most'),
  'flood-flow-queue-loss-least': ofOthers('flow-queue-loss-least'),
  'flood-flow-queue-loss-most': ofOthers('flow-queue-loss-most'),
  'up-link-utilisation': { metric: 'link-utilisation', of: 'up' },
  'up-queue-drops': { metric: 'queue-drops', of: 'up' },
};

/** Returns the present name of a metric that may have its name of an earlier version. */
export const presentName = (metric: string): ValueName =>
  Object.hasOwn(earlierNames, metric) ? earlierNames[metric]! : { metric };

/** Fields of a schema that name a value. */
export const valueNameShape = {
  metric: text().describe('Name of a metric in `summary.json`, for example `stall-time`.'),
  of: text()
    .optional()
    .describe(
      'Application that the value is of, or `others`: all but the subject together. Or a bottleneck: `up` for that of ' +
        '`link.up`, `hop-2` and so on for those of `link.then`, `hop-2-up` for their `up`. Without it, the subject, or ' +
        'whatever the metric has its single value of, such as the link.',
    ),
};

/** Transforms an object with the fields of `valueNameShape`: an earlier name becomes the present one. */
export function withPresentName<T extends ValueName>(named: T, context: Pick<z.core.$RefinementCtx, 'addIssue'>): T {
  const present = presentName(named.metric);
  if (present.metric === named.metric) return named;
  if (named.of !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['of'],
      message: `"${named.metric}" is an earlier name that says itself what it is of; write metric: "${present.metric}"`,
    });
    return z.NEVER;
  }
  return { ...named, ...present };
}
