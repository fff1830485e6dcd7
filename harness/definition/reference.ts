/** Published values of a definition, which the report shows next to the measured ones. */
import { object, schemaFacts, text, z } from '../../core/schema/schema.ts';
import { allOthers } from '../../core/vocabulary/subject.ts';
import { presentName } from './value-name.ts';

/** Printed values by metric and condition. */
type Printed = Record<string, Record<string, string>>;

const printed = () =>
  z.record(text(), z.record(text(), text())).register(schemaFacts, { accepts: 'object: metric, condition, text' });

/** Published values as reports use them. */
export type Reference = z.output<typeof referenceSchema>;

export const referenceSchema = object({
  title: text().describe('Heading of the published column.'),
  note: text().optional().describe('What a reader must know about the published values.'),
  deviations: text().optional().describe('How this study differs from the published one.'),
  values: printed().describe('Published values of the subject, as the paper prints them.'),
  others: printed().default({}).describe('Published values of all applications but the subject, together.'),
  correlations: z
    .record(text(), text())
    .register(schemaFacts, { accepts: 'object: controller, text' })
    .optional()
    .describe('Published correlations of estimate and bitrate.'),
}).transform(({ values, others, ...rest }) => {
  const present: { values: Printed; others: Printed } = { values: {}, others: { ...others } };
  for (const [earlier, ofMetric] of Object.entries(values)) {
    const { metric, of } = presentName(earlier);
    present[of === allOthers ? 'others' : 'values'][metric] = ofMetric;
  }
  return { ...rest, ...present };
});
