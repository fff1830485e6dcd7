/** Series host.jsonl: load and delays of the machine, once a second. */
import { z } from '../../../core/schema/schema.ts';
import { schemaOf } from '../../../core/schema/schema-of.ts';
import { type ByPart, type TrialPart, trialParts } from '../../../core/vocabulary/trial-parts.ts';
import { cores, ms, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

const names: Readonly<Record<TrialPart, string>> = {
  ...trialParts,
  flood: 'the flood, both ends',
  tunnel: 'the tunnel, both ends',
  other: 'other programs of the trial',
};

const ofEachPart = (field: typeof ms, about: string) =>
  schemaOf<ByPart>()(
    z.object(
      Object.fromEntries(
        Object.entries(names).map(([part, name]) => [part, field(`${about}: ${name}`).nullable()]),
      ) as Record<TrialPart, z.ZodNullable<z.ZodNumber>>,
    ),
  );

export const hostSeries = new Series(
  { id: 'host', of: 'trial', title: 'The machine', pace: 'once a second' },
  z.object({
    timeMs: time('end of the interval'),
    cores: cores('that the machine has'),
    busyRatio: cores('of work, 0 to all of them'),
    stealRatio: cores('taken away by the hypervisor'),
    wakeUpDelayMaxMs: ms('longest time that a thread which only sleeps was woken late'),
    harnessDelayMaxMs: ms('longest time that the harness was kept from its timers, by its own work as well'),
    // missing in records before November 2026
    waitRatio: ofEachPart(cores, 'of all threads together that were ready and waited for a processor').exactOptional(),
    threadWaitMaxMs: ofEachPart(
      ms,
      'longest time in the interval that one thread was ready and waited for a processor',
    ).exactOptional(),
  }),
);

export type HostRecord = RecordOf<typeof hostSeries>;
