/** Series picture-comparison.jsonl: one line about the method by which frames were compared. */
import { z } from '../../../core/schema/schema.ts';
import { frames, text } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

export const pictureComparisonSeries = new Series(
  { id: 'picture-comparison', of: 'application', title: 'How the frames were compared', pace: 'once' },
  z.object({
    vmaf: z.object({ program: text('what computed VMAF'), model: text('by which model') }).nullable(),
    vmafMissing: text('why there is no VMAF').nullable(),
    problem: text('why nothing was compared').nullable(),
    shownPictures: frames('of different kind that were shown'),
    numbersRight: frames("of those, whose painted number is that of the clip's frame"),
    numbersOld: frames('of those, whose painted number is an earlier one, left over because the bitrate was too low'),
    numbersUnread: frames('of those, whose painted number cannot be read'),
  }),
);

export type PictureComparisonRecord = RecordOf<typeof pictureComparisonSeries>;
