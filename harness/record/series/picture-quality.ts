/** Series picture-quality.jsonl: each frame on the screen, compared with the frame that was due. */
import { z } from '../../../core/schema/schema.ts';
import { count, decibels, time } from '../schema/fields.ts';
import { type RecordOf, Series } from '../schema/series.ts';

/**
 * Picture quality over time. The series is written after the study, if the service kept the frames that it encoded
 * (service.pictureQuality).
 */
export const pictureQualitySeries = new Series(
  {
    id: 'picture-quality',
    of: 'application',
    title: 'The frame on the screen, compared with the one that was due',
    pace: 'each period of the frame rate',
  },
  z.object({
    timeMs: time('when the frame was on the screen'),
    shownFrame: count("number of the clip's frame that was shown"),
    wantedFrame: count("number of the clip's frame that should have been shown"),
    psnrDb: decibels('PSNR of the luma; 100 without any difference'),
    ssim: count('SSIM of the luma'),
    vmaf: count('VMAF; null where nothing computed it').nullable(),
  }),
);

export type PictureQualityRecord = RecordOf<typeof pictureQualitySeries>;
