/** What one trial cost: its window's processor time by parts, and how punctual its frames were. */
import { median } from '../../../core/stats/quantile.ts';
import { ownGoodputBps } from '../../../harness/analysis/derive/rates.ts';
import { presentedSeries } from '../../../harness/record/series/frames.presented.ts';
import type { TrialRecord, Window } from '../../../harness/record/trial-record.ts';
import { budgets, type PartName, partNames } from './parts.ts';
import type { CpuLine } from './sampler.ts';

type PartCosts = {
  /** By part, in cores. */
  cores: Partial<Record<PartName, number>>;
  /** Of all parts that have a budget. */
  sumCores: number;
  /** What the machine did beyond all threads that were seen. */
  restCores: number;
};

type TrialTimes = {
  isVoid: boolean;
  encodeMs: number[];
  lateMs: number[];
  presentedFps: number;
  mediaBps: number;
  encoderBps: number;
  threads: number;
};

export type TrialCost = PartCosts & TrialTimes;

/** Between the first and the last reading within the window; null where there are no two. */
export function costsBetween(lines: readonly CpuLine[], { startMs, endMs }: Window): PartCosts | null {
  const within = lines.filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs);
  const [first, last] = [within[0], within.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const elapsedS = (last.timeMs - first.timeMs) / 1000;
  const cores: PartCosts['cores'] = {};
  for (const part of partNames) cores[part] = ((last.seconds[part] ?? 0) - (first.seconds[part] ?? 0)) / elapsedS;
  const sum = (names: readonly PartName[]) => names.reduce((total, name) => total + cores[name]!, 0);
  return {
    cores,
    sumCores: sum(partNames.filter(name => budgets[name] !== null)),
    restCores: (last.busyS - first.busyS) / elapsedS - sum(partNames),
  };
}

/**
 * How late each frame was captured: behind the earliest of all, by their numbers. The frame clock has even periods, so
 * the earliest is all but punctual.
 */
export function latenessMs(frames: readonly { frame: number; captureMs: number }[], frameRate: number): number[] {
  const offsets = frames.map(({ frame, captureMs }) => captureMs - (frame * 1000) / frameRate);
  const least = offsets.reduce((smallest, offset) => Math.min(smallest, offset), Infinity);
  return offsets.map(offset => offset - least);
}

/** By the browser's own count, which goes on where its callbacks miss frames. */
function presentedFps(frames: readonly { presentationMs: number; presentedFrames: number }[]): number {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined || first === last) return 0;
  return ((last.presentedFrames - first.presentedFrames) * 1000) / (last.presentationMs - first.presentationMs);
}

export async function trialTimes(record: TrialRecord): Promise<TrialTimes> {
  const {
    window: { startMs, endMs },
    application,
    file: { verdict },
  } = record;
  const isIn = (timeMs: number) => timeMs >= startMs && timeMs < endMs;
  const sent = (await record.sentFrames()).flatMap(line => ('encodedMs' in line && isIn(line.captureMs) ? [line] : []));
  const presented = (await record.read(presentedSeries)).filter(({ presentationMs }) => isIn(presentationMs));
  const params = application.service.params as { frameRate: number; encoderThreads: number };
  return {
    isVoid: verdict.status === 'invalid',
    encodeMs: sent.map(({ captureMs, encodedMs }) => encodedMs - captureMs),
    lateMs: latenessMs(sent, params.frameRate),
    presentedFps: presentedFps(presented),
    mediaBps: Number(await ownGoodputBps(record)),
    encoderBps: median(sent.map(({ encoderBps }) => encoderBps)) ?? NaN,
    threads: params.encoderThreads,
  };
}
