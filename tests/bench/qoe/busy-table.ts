/** The table of busy seconds: how long threads of the trial waited in a second, and what the viewer saw in it. */
import { type ByPart, longestWaiting } from '../../../core/vocabulary/trial-parts.ts';
import { longestGapMs, spreadOf } from './hold-up-effects.ts';

/** One second of a trial. */
export type BusySecond = {
  /** What ran beside the trial in it. */
  loads: string[];
  threadWaitMaxMs: ByPart;
  /** Of all cores, and the canary: a thread of normal priority that only sleeps. */
  busyRatio: number;
  wakeUpDelayMaxMs: number;
  gapMs: number;
  presentedFps: number;
};

type Reading = Omit<BusySecond, 'loads' | 'gapMs' | 'presentedFps' | 'threadWaitMaxMs'> & {
  timeMs: number;
  threadWaitMaxMs?: ByPart;
};

/** The seconds inside the window of which there is a reading. `loads`: each from a time on, for up to a second. */
export function secondsOf(
  { startMs, endMs }: { startMs: number; endMs: number },
  host: readonly Reading[],
  presentedMs: readonly number[],
  loads: readonly { fromMs: number; load: string }[],
): BusySecond[] {
  return host.flatMap(({ timeMs, threadWaitMaxMs, busyRatio, wakeUpDelayMaxMs }, i) => {
    const fromMs = host[i - 1]?.timeMs ?? -Infinity;
    if (threadWaitMaxMs === undefined || fromMs < startMs || timeMs > endMs) return [];
    const presented = presentedMs.filter(ms => ms > fromMs && ms <= timeMs).length;
    return [
      {
        loads: loads.filter(one => one.fromMs < timeMs && one.fromMs + 1000 > fromMs).map(({ load }) => load),
        threadWaitMaxMs,
        busyRatio,
        wakeUpDelayMaxMs,
        gapMs: longestGapMs(presentedMs, fromMs, timeMs),
        presentedFps: (1000 * presented) / (timeMs - fromMs),
      },
    ];
  });
}

/** Upper ends of the classes, ms. */
const classesMs = [100, 150, 250, 350, 500, Infinity] as const;

export const headOfSeconds =
  'longest wait of a thread, ms | n | longest gap, ms | frames presented, fps | latest wake-up of a sleeping thread, ms | busy cores';

export function linesOfSeconds(seconds: readonly BusySecond[]): string[] {
  const waited = seconds.map(second => ({ ...second, waitMs: longestWaiting(second.threadWaitMaxMs)?.ms ?? 0 }));
  return classesMs.flatMap((toMs, i) => {
    const fromMs = classesMs[i - 1] ?? 0;
    const here = waited.filter(({ waitMs }) => waitMs >= fromMs && waitMs < toMs);
    if (here.length === 0) return [];
    const spread = (value: (second: BusySecond) => number, digits: number) => {
      const { median, least, most } = spreadOf(here.map(value));
      return `${median.toFixed(digits)} [${least.toFixed(digits)}, ${most.toFixed(digits)}]`;
    };
    return [
      [
        Number.isFinite(toMs) ? `${fromMs} to ${toMs}` : `from ${fromMs}`,
        here.length,
        spread(({ gapMs }) => gapMs, 0),
        spread(({ presentedFps }) => presentedFps, 0),
        spread(({ wakeUpDelayMaxMs }) => wakeUpDelayMaxMs, 0),
        spread(({ busyRatio }) => busyRatio, 1),
      ].join(' | '),
    ];
  });
}
