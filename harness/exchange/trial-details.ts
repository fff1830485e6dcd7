/** Details of each trial for a report. They are small enough for a thousand trials on one page. */
import { causes } from '../../core/vocabulary/stalls.ts';
import { attributedStalls } from '../analysis/derive/attribution/attribute.ts';
import { type StopInWindow, stopsInWindow } from '../analysis/derive/link-stops.ts';
import type { RunRecords } from '../record/run-folder.ts';
import type { TransportReading } from '../record/transport.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { TrialRecord } from '../record/trial-record.ts';
import { type BinnedSeries, binLengthMs, binnedSeries } from './binned-series.ts';

/** Interval in s from the start of the measured window. */
type Stretch = { fromS: number; toS: number; label: string };

export type TrialDetail = {
  /** Name of the trial's folder. */
  name: string;
  file: TrialFile;
  /** Reading of the connections of all floods; null without a flood. */
  flood: TransportReading | null;
  /** Time from which the study's subject was in use, Unix ms; null if it was never in use. */
  readyMs: number | null;
  /** Series in bins; null if the trial was not measured. */
  binned: BinnedSeries | null;
  stalls: Stretch[];
  stops: StopInWindow[];
};

/** Largest number of embedded values in all series of all trials. A value takes about five bytes. */
const mostValues = 500_000;

async function stallsOfTrial(record: TrialRecord): Promise<Stretch[]> {
  const { startMs: origin } = record.window;
  return (await attributedStalls(record)).map(({ startMs, endMs, lengthMs, cause }) => ({
    fromS: Number(((startMs - origin) / 1000).toFixed(3)),
    toS: Number(((endMs - origin) / 1000).toFixed(3)),
    label: `stall of ${Math.round(lengthMs)} ms: ${cause === 'unknown' ? 'cause not known' : causes[cause]}`,
  }));
}

/** Returns the length of the bins for all trials of a run, ms. */
export function binMsOf(folder: RunRecords): number {
  return binLengthMs(folder.trialNames({ voided: true }).length, folder.planFile().plan.run.windowMs, mostValues);
}

/** Returns the details of all tries, including void ones. Reads one try at a time to save memory. */
export async function readTrialDetails(folder: RunRecords): Promise<TrialDetail[]> {
  const names = folder.trialNames({ voided: true });
  const binMs = binMsOf(folder);
  const details: TrialDetail[] = [];
  for (const name of names) {
    const record = folder.record(name);
    const { file } = record;
    details.push({
      name,
      file,
      flood: record.flood,
      readyMs: record.own?.readyMs ?? null,
      binned: await binnedSeries(record, binMs),
      stalls: file.phases === null ? [] : await stallsOfTrial(record),
      stops: file.phases === null ? [] : await stopsInWindow(record),
    });
  }
  return details;
}
