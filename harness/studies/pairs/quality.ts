/**
 * Quality of a service for its user, computed from the series of one side of a trial: of a call (Philip et al., SIGCOMM
 * 2024, table 2), a buffering video, or a page. Quantities that the service does not have are null.
 */

import { mean } from '../../../core/stats/quantile.ts';
import { interruptionMs } from '../../../core/vocabulary/interruption.ts';
import { defaultMeasure } from '../../../core/vocabulary/measure.ts';
import { causePrefix } from '../../../core/vocabulary/pair-names.ts';
import { type Cause, causeIds, causes, stallRule } from '../../../core/vocabulary/stalls.ts';
import { attributedStalls } from '../../analysis/derive/attribution/attribute.ts';
import { majoritySize } from '../../analysis/derive/frame-size.ts';
import { w3cFreezes } from '../../analysis/derive/freezes.ts';
import { pageLoadQuantities, pageLoads } from '../../analysis/derive/page-loads.ts';
import { presentedTimes } from '../../analysis/derive/presented-times.ts';
import { toldVoice, type VoiceReading } from '../../analysis/derive/voice/told-voice.ts';
import type { Quantity } from '../../analysis/metrics/metric.ts';
import { type PresentedFrameRecord, presentedSeries } from '../../record/series/frames.presented.ts';
import { type ServiceRecord, serviceSeries } from '../../record/series/service.ts';
import { type StatsRecord, statsSeries } from '../../record/series/stats.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import { type StreamRecord, TrialRecord, type Window } from '../../record/trial-record.ts';

const ofCause = (cause: Cause) => `${causePrefix}${cause}` as const;

export const qualityQuantities = [
  { id: 'frame-rate', title: 'Frame rate', unit: '1/s', better: 'higher' },
  { id: 'freezes', title: 'Freezes (W3C) a minute', unit: '', better: 'lower' },
  { id: 'resolution', title: 'Frame height, most of the time', unit: '', better: 'higher' },
  { id: 'rung', title: 'Rate of the rung shown, mean', unit: 'bit/s', better: 'higher' },
  {
    id: 'stalled',
    title: `Share of time stalled (calls: over ${stallRule.leastMs} ms or ${stallRule.periods} periods without a frame)`,
    unit: 'ratio',
    better: 'lower',
  },
  ...pageLoadQuantities,
  { id: 'voice-concealed', title: 'Concealed audio, by the browser', unit: 'ratio', better: 'lower' },
  {
    id: 'voice-interruption-rate',
    title: `Interruptions of the audio (${interruptionMs} ms concealed) a minute, by the browser`,
    unit: '',
    better: 'lower',
  },
  ...causeIds.map(
    cause =>
      ({ id: ofCause(cause), title: `Of the time stalled: ${causes[cause]}`, unit: 'ratio', better: 'lower' }) as const,
  ),
] as const satisfies readonly Quantity[];

type Quality = Record<(typeof qualityQuantities)[number]['id'], number | null>;
type Causes = Record<ReturnType<typeof ofCause>, number | null>;

const noCauses = Object.fromEntries(causeIds.map(cause => [ofCause(cause), null])) as Causes;
const nothing: Quality = {
  'frame-rate': null,
  freezes: null,
  resolution: null,
  rung: null,
  stalled: null,
  'load-event': null,
  'page-load': null,
  'failed-loads': null,
  'voice-concealed': null,
  'voice-interruption-rate': null,
  ...noCauses,
};

/** Returns the quality of a call. `times`: times at which frames were presented, ms. */
export function callQuality(
  times: readonly number[],
  frames: readonly PresentedFrameRecord[],
  window: Window,
): Pick<Quality, 'frame-rate' | 'freezes' | 'resolution'> {
  if (times.length === 0) return { 'frame-rate': null, freezes: null, resolution: null };
  const windowS = (window.endMs - window.startMs) / 1000;
  return {
    'frame-rate': times.filter(time => time > window.startMs && time <= window.endMs).length / windowS,
    freezes: (w3cFreezes(times, window).length * 60) / windowS,
    resolution: majoritySize(frames, window)?.height ?? null,
  };
}

function mostOften(values: readonly number[]): number | undefined {
  const times = (value: number) => values.filter(other => other === value).length;
  return values.reduce<number | undefined>(
    (most, value) => (most !== undefined && times(most) >= times(value) ? most : value),
    undefined,
  );
}

/** Returns the quality that a video player or page reports in its service records. */
export function toldQuality(
  records: readonly ServiceRecord[],
  { startMs, endMs }: Window,
): Pick<Quality, 'resolution' | 'rung' | 'stalled' | 'load-event' | 'page-load' | 'failed-loads'> {
  const inside = records.filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs);
  const videos = inside.filter(record => record.kind === 'video' || record.kind === 'element');
  const [first, last] = [videos[0], videos.at(-1)];
  return {
    resolution: mostOften(videos.flatMap(record => (record.kind === 'element' ? record.height : []))) ?? null,
    rung: mean(videos.flatMap(record => (record.kind === 'video' ? (record.rungBps ?? []) : []))) ?? null,
    stalled:
      first === undefined || last === undefined || last.timeMs <= first.timeMs
        ? null
        : (last.stalledMs - first.stalledMs) / (last.timeMs - first.timeMs),
    ...pageLoads(records, { startMs, endMs }),
  };
}

/**
 * Returns the stalled time as a share of the window, and the causes of stalls as shares of the stalled time. Causes are
 * null if there was no stall. All values are null if no frame was presented.
 */
async function stallShares(record: StreamRecord): Promise<Causes & Pick<Quality, 'stalled'>> {
  if ((await record.read(presentedSeries)).length === 0) return { ...noCauses, stalled: null };
  const stalls = await attributedStalls(record);
  const lengthMs = (cause?: Cause) =>
    stalls
      .filter(stall => cause === undefined || stall.cause === cause)
      .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const allMs = lengthMs();
  const shares =
    allMs === 0
      ? noCauses
      : (Object.fromEntries(causeIds.map(cause => [ofCause(cause), lengthMs(cause) / allMs])) as Causes);
  return { ...shares, stalled: allMs / (record.window.endMs - record.window.startMs) };
}

/**
 * Returns the quality of the audio that the side receives over WebRTC: of a page's streams, or of the voice of a call.
 * Null if it receives none.
 */
export function audioQuality(
  records: readonly ServiceRecord[],
  stats: readonly StatsRecord[],
  window: Window,
): Pick<Quality, 'voice-concealed' | 'voice-interruption-rate'> {
  const streams = Map.groupBy(
    records.filter(record => record.kind === 'audio'),
    ({ stream }) => stream,
  );
  const voice = stats.flatMap(({ timeMs, inboundAudio }): VoiceReading[] => {
    if (inboundAudio === undefined) return [];
    const of = (name: string) => Number(inboundAudio[name] ?? 0);
    return [
      {
        timeMs,
        packetsReceived: of('packetsReceived'),
        totalSamplesReceived: of('totalSamplesReceived'),
        concealedSamples: of('concealedSamples'),
        concealmentEvents: of('concealmentEvents'),
      },
    ];
  });
  const { concealedRatio, interruptionsPerMinute } = toldVoice([...streams.values(), voice], window);
  return { 'voice-concealed': concealedRatio, 'voice-interruption-rate': interruptionsPerMinute };
}

/** Returns the quality of each side of a trial. */
export async function trialQuality(file: TrialFile, directory: string): Promise<Quality[]> {
  if (file.phases === null) return file.applications.map(() => nothing);
  return Promise.all(
    file.applications.map(async ({ name }): Promise<Quality> => {
      const record = new TrialRecord(file, directory, defaultMeasure, name);
      const [call, stalls, told, audio] = [
        callQuality(await presentedTimes(record), await record.read(presentedSeries), record.window),
        await stallShares(record),
        toldQuality(await record.read(serviceSeries), record.window),
        audioQuality(await record.read(serviceSeries), await record.read(statsSeries), record.window),
      ];
      return {
        ...call,
        ...stalls,
        ...told,
        ...audio,
        resolution: call.resolution ?? told.resolution,
        stalled: stalls.stalled ?? told.stalled,
      };
    }),
  );
}
