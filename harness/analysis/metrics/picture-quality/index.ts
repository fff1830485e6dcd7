/**
 * Metric: similarity of the frames on the viewer's screen to the frames of the clip, by VMAF, PSNR and SSIM.
 *
 * The comparison is made after the study (harness/analysis/quality) and only with service.pictureQuality. A frame that
 * stayed too long is compared with the frames that should have followed. PSNR and SSIM are computed from the luma. The
 * mean PSNR is the mean of the values of the frames.
 */
import { object } from '../../../../core/schema/schema.ts';
import { ascending, mean, quantileOfSorted } from '../../../../core/stats/quantile.ts';
import { pictureQualitySeries } from '../../../record/series/picture-quality.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'picture-quality',
  title: 'Picture quality',
  source: 'Netflix VMAF; Wang, Bovik, Sheikh, Simoncelli, 2004, for SSIM',
  params: object({}),
  reading: {
    needs: '`live-clip` with `service.pictureQuality=true`; VMAF also needs an FFmpeg with libvmaf.',
    cannotTell: 'How it felt to watch: each frame is judged alone, a stall only by the old frame that stays.',
    definitions: {
      'vmaf-mean': 'Mean VMAF of the presented frames against the frames of the clip, one value per frame period.',
      'vmaf-p5': '5th percentile of the same values.',
      'psnr-mean': 'Mean of the PSNR of the luma of each frame.',
      'ssim-mean': 'Mean of the SSIM of the luma of each frame.',
      'repeated-frames':
        'Share of the frame periods in which an older frame was shown in place of the one that was due.',
    },
  },
  quantities: [
    { id: 'vmaf-mean', title: 'VMAF, mean', unit: '', better: 'higher' },
    { id: 'vmaf-p5', title: 'VMAF, 5th percentile', unit: '', better: 'higher' },
    { id: 'psnr-mean', title: 'PSNR, mean', unit: 'dB', better: 'higher' },
    { id: 'ssim-mean', title: 'SSIM, mean', unit: '', better: 'higher' },
    {
      id: 'repeated-frames',
      title: 'Time in which an older frame was shown than was due',
      unit: 'ratio',
      better: 'lower',
    },
  ],
  async compute(record) {
    const { startMs, endMs } = record.window;
    const frames = (await record.read(pictureQualitySeries)).filter(
      ({ timeMs }) => timeMs >= startMs && timeMs <= endMs,
    );
    const vmafs = ascending(frames.flatMap(({ vmaf }) => vmaf ?? []));
    return {
      'vmaf-mean': mean(vmafs) ?? null,
      'vmaf-p5': quantileOfSorted(vmafs, 0.05) ?? null,
      'psnr-mean': mean(frames.map(({ psnrDb }) => psnrDb)) ?? null,
      'ssim-mean': mean(frames.map(({ ssim }) => ssim)) ?? null,
      'repeated-frames':
        frames.length === 0
          ? null
          : frames.filter(({ shownFrame, wantedFrame }) => shownFrame !== wantedFrame).length / frames.length,
    };
  },
};
