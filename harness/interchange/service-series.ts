/** What a service that is no call says of itself, and what was found of its frames after the study. */
import type { PictureComparisonRecord, PictureQualityRecord, ServiceRecord } from '../record/series.ts';
import {
  bps,
  bytes,
  count,
  type Fields,
  flag,
  frames,
  ms,
  pixels,
  type SeriesDescription,
  seconds,
  text,
  time,
} from './field.ts';

const service: Fields<ServiceRecord> = {
  timeMs: time('when it was so; of what has ended, when it did'),
  kind: text('transfer, video, element and page (once a second), batch, segment, stall and load (each one)'),
  receivedBytes: bytes('of content, at the client, since the service began'),
  flows: count('connections that carry the transfer'),
  number: count('of the batch, segment or load'),
  durationMs: ms('how long the batch, segment or stall took'),
  bytes: bytes('of the batch, segment or page'),
  positionS: seconds('of playback'),
  width: pixels("width of the frame of the page's largest video element"),
  height: pixels("height of the frame of the page's largest video element"),
  bufferS: seconds('of video that can be played without anything coming in'),
  rung: count('of the ladder, from 0, the lowest'),
  rungBps: bps('nominal rate of the rung'),
  stalls: count('of playback so far'),
  stalledMs: ms('that playback has stood so far; a stall that is not over counts as far as it goes'),
  presentedFrames: frames('presented so far'),
  droppedFrames: frames('dropped so far'),
  firstByteMs: ms('from the request of the segment to its first byte'),
  loads: count('of the page so far'),
  failedLoads: count('of the page so far that failed'),
  startMs: time('when the navigation to the page began'),
  isCutOff: flag('the trial ended before the page had loaded or failed'),
  loadMs: ms("from navigation to the page's load event"),
  firstContentMs: ms('from navigation to the first content'),
  aboveTheFoldMs: ms('from navigation to when 95 % of what can be seen without scrolling had its final look'),
  speedIndexMs: ms('speed index'),
};

const quality: Fields<PictureQualityRecord> = {
  timeMs: time('when the frame was on the screen'),
  shownFrame: count("number of the clip's frame that was shown"),
  wantedFrame: count("number of the clip's frame that should have been shown"),
  psnrDb: { unit: 'dB', type: 'number', about: 'PSNR of the luma; 100 without any difference' },
  ssim: count('SSIM of the luma'),
  vmaf: count('VMAF; null where nothing computed it'),
};

const comparison: Fields<PictureComparisonRecord> = {
  'vmaf.program': text('what computed VMAF'),
  'vmaf.model': text('by which model'),
  vmafMissing: text('why there is no VMAF'),
  problem: text('why nothing was compared'),
  shownPictures: frames('of different kind that were shown'),
  numbersRight: frames("of those, whose painted number is that of the clip's frame"),
  numbersOld: frames('of those, whose painted number is an earlier one, left over because the bitrate was too low'),
  numbersUnread: frames('of those, whose painted number cannot be read'),
};

export const serviceSeries: Record<string, SeriesDescription> = {
  service: { title: "A service's own account", pace: 'once a second, and each event', fields: service },
  'picture-quality': {
    title: 'The frame on the screen, compared with the one that was due',
    pace: 'each period of the frame rate',
    fields: quality,
  },
  'picture-comparison': { title: 'How the frames were compared', pace: 'once', fields: comparison },
};
