/** The setting `run.retries`, which every kind of study has. Planners apply it (`mostRetries`). */
import { integer } from './schema.ts';

export const retriesSetting = integer({ min: 0, max: 10 })
  .default(2)
  .describe(
    'How often a trial that the machine disturbed is run again. A trial of which a part failed is run again once.',
  );
