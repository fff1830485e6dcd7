/**
 * Records of trials that are made by hand: the lines of the queue log, the times of the applications, and estimates of
 * the senders that are what each sends.
 */
import type { ConformancePlan } from '../../../../../harness/studies/conformance/plan.ts';

/** Rate of each flow, bit/s, and the time that its packets wait, ms, by its name and the time in the window. */
export type Traffic = (name: string, timeMs: number) => { bps: number; delayMs: number };

const startMs = 1.7e12;
const binMs = 100;

/** Folder with one trial of each planned trial. `traffic`: what each flow of the trial does. `voided`: void trials. */
export function folderOf(
  plan: ConformancePlan,
  traffic: (condition: string, repeat: number) => Traffic,
  voided: readonly string[] = [],
) {
  const trials = new Map(plan.trials.map(trial => [trial.id, trial]));
  const record = (name: string) => {
    const trial = trials.get(name)!;
    const condition = plan.conditions.find(({ id }) => id === trial.condition)!;
    const endMs = startMs + condition.windowMs!;
    const of = traffic(trial.condition, trial.repeat);
    const windowOf = (application: string) => {
      const { startMs: from, stopMs: to } = condition.applications.find(one => one.name === application)!;
      return { startMs: startMs + Math.max(0, from ?? 0), endMs: to === null ? endMs : startMs + to };
    };
    const lines = condition.applications.flatMap(({ name: application, direction }) => {
      const window = windowOf(application);
      const bins = Math.round((window.endMs - window.startMs) / binMs);
      return Array.from({ length: bins }, (_, k) => {
        const timeMs = window.startMs + (k + 0.5) * binMs;
        const { bps, delayMs } = of(application, timeMs - startMs);
        return {
          timeMs,
          application,
          ...(direction === 'up' ? { direction } : {}),
          protocol: 17,
          sentPackets: 10,
          sentBytes: (bps / 8) * (binMs / 1000),
          droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 },
          delayMedianMs: delayMs,
        };
      });
    });
    return {
      file: {
        trial,
        condition,
        attempt: 1,
        verdict: { status: voided.includes(name) ? 'invalid' : 'valid', findings: [] },
        phases: { windowStartMs: startMs, windowEndMs: endMs },
      },
      flood: null,
      link: condition.link,
      others: () => [],
      atHop() {
        return this;
      },
      atFirst() {
        return this;
      },
      read: async () => lines,
      as: (application: string) => ({
        window: windowOf(application),
        read: async ({ id }: { id: string }) =>
          id !== 'controller'
            ? []
            : lines
                .filter(line => line.application === application)
                .map(({ timeMs }) => ({ timeMs, estimateBps: of(application, timeMs - startMs).bps })),
      }),
    };
  };
  return { trialNames: () => [...trials.keys()], record, planFile: () => ({ plan }) } as never;
}
