/** Whether trials take precedence over other programs of the machine, as each kind of study sets it. */
import { z } from './schema.ts';

export const prioritySetting = z
  .boolean()
  .default(true)
  .describe(
    'Gives everything that belongs to a trial precedence over other programs of this machine, which get what is left of ' +
      'the processors. The record says by what means. Machines of a lab are left as they are.',
  );
