/**
 * Schema of summary.json for the pages of a site. The folder may come from a stranger, and names in the summary become
 * names of files that root writes. Parts that the pages do not show are not checked.
 */
import { z } from '../../../core/schema/schema.ts';
import { shownValue } from '../../../core/text/shown-value.ts';
import { isFolderName } from '../../record/trial-name.ts';

const text = z.string();
const name = text.refine(isFolderName, {
  error: ({ input }) => `${shownValue(input)} cannot be the name of a file`,
});
/** Schema of a number. Pages cannot show numbers beyond these limits. The largest quantity is a rate in bit/s. */
const number = z.number().min(-1e15).max(1e15).nullable();
const count = z.int().min(0);
const estimate = z.looseObject({ value: number, low: number, high: number, n: count });

export const pairsSummarySchema = z.looseObject({
  contestants: z.array(z.looseObject({ name, title: text, models: text.nullable() })),
  links: z.array(z.looseObject({ id: text, title: text, losers: z.looseObject({ n: count, median: number }) })),
  cells: z.array(
    z.looseObject({
      id: name,
      link: text,
      state: text,
      reason: text.nullable(),
      trials: z.array(name),
      utilisation: estimate,
      sides: z
        .array(
          z.looseObject({
            contestant: name,
            values: z.looseObject({ share: estimate, throughput: estimate }),
            modes: z.looseObject({}).nullable(),
          }),
        )
        .min(1)
        .max(2),
    }),
  ),
  trials: z.array(z.looseObject({ name, cell: text, verdict: z.looseObject({ status: text }) })),
});
