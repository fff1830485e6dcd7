/**
 * What summary.json has to be so that the pages of a site can be made of it: a folder may come from anywhere, and its
 * names become those of files that root writes. The parts that the pages do not show are not looked into.
 */
import { z } from '../../core/schema.ts';
import { shownValue } from '../../core/shown-value.ts';
import { isFolderName } from '../record/trial-name.ts';

const text = z.string();
const name = text.refine(isFolderName, {
  error: ({ input }) => `${shownValue(input)} cannot be the name of a file`,
});
const number = z.number().nullable();
const estimate = z.looseObject({ value: number, low: number, high: number, n: z.number() });

export const pairsSummarySchema = z.looseObject({
  contestants: z.array(z.looseObject({ name, title: text })),
  links: z.array(z.looseObject({ id: text, title: text })),
  cells: z.array(
    z.looseObject({
      id: name,
      link: text,
      state: text,
      reason: text.nullable(),
      trials: z.array(name),
      utilisation: estimate,
      sides: z.array(z.looseObject({ contestant: name, values: z.record(text, estimate) })).min(1),
    }),
  ),
  trials: z.array(z.looseObject({ name, cell: text, verdict: z.looseObject({ status: text }) })),
});
