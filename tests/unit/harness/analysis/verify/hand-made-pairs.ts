/** Folder of a pairwise study with one trial of two sides, whose values can be computed by hand. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endMs, linesOf, series, startMs } from './hand-made.ts';

/**
 * Values of the side with frames: 1.25 MB in 10 s at 4 Mbit/s, half of which is its fair share; a frame every 20 ms and
 * one stall of 300 ms.
 */
export const pairTruth = {
  throughput: 1e6,
  share: 0.5,
  loss: 0.01,
  'queue-delay': 8,
  late: 0.1,
  'frame-rate': 48.6,
  freezes: 6,
  stalled: 0.03,
};

const floodTruth = {
  ...pairTruth,
  throughput: 3e6,
  share: 1.5,
  loss: 0,
  late: null,
  'frame-rate': null,
  freezes: null,
  stalled: null,
};

/** Writes the folder of the study. `stated`: false values of the trial's first side, which the summary gets. */
export function writePairs(path: string, stated: Partial<typeof pairTruth> = {}): void {
  const folder = join(path, 'trials/pair-001');
  const application = (name: string) => ({ name, kind: 'x', direction: 'down', startMs: null, stopMs: null });
  const traffic = (
    name: string,
    protocol: number,
    sentPackets: number,
    overflow: number,
    sentBytes: number,
    latePackets: number,
  ) => ({
    application: name,
    protocol,
    sentPackets,
    sentBytes,
    droppedPackets: { overflow: overflow, aqm: 0, other: 0, 'random-loss': 0 },
    delay: { meanMs: 8 },
    latePackets,
  });
  const { media } = series();
  for (const [name, content] of [
    ['first', media['frames.presented']!],
    ['second', []],
  ] as const) {
    mkdirSync(join(folder, 'applications', name), { recursive: true });
    writeFileSync(join(folder, 'applications', name, 'frames.presented.jsonl'), linesOf(content));
  }
  writeFileSync(
    join(folder, 'trial.json'),
    JSON.stringify({
      format: 4,
      verdict: { status: 'valid', findings: [] },
      phases: { windowStartMs: startMs, windowEndMs: endMs },
      queueLog: { traffic: [traffic('first', 17, 990, 10, 1.25e6, 99), traffic('second', 6, 2500, 0, 3.75e6, 0)] },
      condition: {
        id: 'pair',
        link: { rateBps: 4e6 },
        subject: 'first',
        applications: [application('first'), application('second')],
      },
      applications: [
        { name: 'first', clocks: null },
        { name: 'second', clocks: null },
      ],
    }),
  );
  writeFileSync(
    join(path, 'plan.json'),
    JSON.stringify({ plan: { format: 'pairs-4', run: { stopping: 'sequential', repeats: 30 } } }),
  );
  const side = (contestant: string, truth: Record<string, number | null>, told = truth) => ({
    contestant,
    dueBps: 2e6,
    trials: Object.fromEntries(Object.entries(told).map(([id, value]) => [id, [value]])),
    values: Object.fromEntries(
      Object.entries(told).map(([id, value]) => [id, { value, low: null, high: null, n: value === null ? 0 : 1 }]),
    ),
  });
  writeFileSync(
    join(path, 'summary.json'),
    JSON.stringify({
      quantities: [...Object.keys(pairTruth), 'utilisation'].map(id => ({ id, unit: '' })),
      cells: [
        {
          id: 'pair',
          trials: ['pair-001'],
          utilisation: { value: 1 },
          sides: [side('slim', pairTruth, { ...pairTruth, ...stated }), side('flood', floodTruth)],
        },
      ],
    }),
  );
}
