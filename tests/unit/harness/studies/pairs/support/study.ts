/** A small pairwise study: services that exist only in tests, and trials with round numbers. */
import { integer, object, rate, type z } from '../../../../../../core/schema/schema.ts';
import type { QueueLogReading, TrialFile } from '../../../../../../harness/record/trial-file.ts';
import { serviceOf } from '../../../../../../harness/services/bound-service.ts';
import type { ServicePlugin } from '../../../../../../harness/services/service.ts';
import type { Contestant } from '../../../../../../harness/studies/pairs/contestant.ts';
import { runSchema } from '../../../../../../harness/studies/pairs/define.ts';
import { pairLink } from '../../../../../../harness/studies/pairs/links.ts';
import { conditionOfCell } from '../../../../../../harness/studies/pairs/matrix.ts';
import { makePairsPlan, type PairsPlan } from '../../../../../../harness/studies/pairs/plan.ts';
import { trialOf } from '../../../../../../harness/studies/pairs/scheduler.ts';
import type { TrialInFolder } from '../../../../../../harness/studies/pairs/summarise.ts';

/** A service that cannot run, with a cap and a number of flows. */
const greedyParams = object({
  flows: integer({ min: 1, max: 8 }).default(1),
  cap: rate({ moreThan: 0 }).optional(),
});

export const greedy: ServicePlugin<z.output<typeof greedyParams>> = {
  id: 'greedy',
  title: 'greedy',
  source: 'test',
  kind: 'transfer',
  params: greedyParams,
  capBps: ({ cap }) => cap ?? null,
  warmUpMs: () => 2000,
  check: async () => {},
  preparationKey: () => '',
  prepare: async () => {
    throw new Error('a test that runs nothing');
  },
};

export const services = new Map([[greedy.id, serviceOf(greedy)]]);

export function contestant(
  name: string,
  nominalCapBps: number | null = null,
  kind: Contestant['kind'] = 'transfer',
): Contestant {
  return {
    name,
    title: name.toUpperCase(),
    models: null,
    choice: { id: 'greedy' },
    service: { id: 'greedy', title: 'greedy', params: {} },
    kind,
    nominalCapBps,
    warmUpMs: 2000,
  };
}

export function plan(
  contestants: readonly Contestant[],
  { links = ['8mbit'], run = {} }: { links?: readonly string[]; run?: object } = {},
): PairsPlan {
  return makePairsPlan({
    title: 'A matrix',
    contestants: [...contestants],
    links: links.map(name => pairLink(name)),
    run: runSchema.parse(run),
  });
}

export const windowMs = 10_000;

export type Traffic = { udpPackets?: number; lateUdpPackets?: number };

const delay = { meanMs: 50, p5Ms: 10, p50Ms: 50, p95Ms: 100, p99Ms: 110, maxMs: 120 };
const droppedPackets = { overflow: 100, 'random-loss': 0, aqm: 0, other: 0 };

/**
 * Returns the queue log's traffic of one side: 900 packets left and 100 were dropped. `udpPackets` of them are media.
 */
function trafficOf(
  application: string,
  throughputBps: number,
  { udpPackets = 0, lateUdpPackets = 0 }: Traffic,
): QueueLogReading['traffic'] {
  const none = { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 };
  return [
    {
      application,
      protocol: 6,
      sentPackets: 900 - udpPackets,
      sentBytes: (throughputBps * windowMs) / 8000,
      markedPackets: 0,
      latePackets: 0,
      droppedPackets,
      delay,
    },
    ...(udpPackets === 0
      ? []
      : [
          {
            application,
            protocol: 17,
            sentPackets: udpPackets,
            sentBytes: 0,
            markedPackets: 0,
            latePackets: lateUdpPackets,
            droppedPackets: none,
            delay,
          },
        ]),
  ];
}

/** Returns a trial with these throughputs of its sides, bit/s. */
export function trial(
  of: PairsPlan,
  cell: string,
  round: number,
  throughputBps: readonly number[],
  change: { file?: Partial<TrialFile>; traffic?: Traffic; quality?: TrialInFolder['quality'] } = {},
): TrialInFolder {
  const found = of.cells.find(({ id }) => id === cell);
  if (found === undefined) throw new Error(`no cell ${cell}; there are ${of.cells.map(({ id }) => id).join(', ')}`);
  const condition = conditionOfCell(of, found);
  const file: TrialFile = {
    format: 4,
    study: of.title,
    trial: trialOf(found, round),
    condition,
    attempt: 1,
    verdict: { status: 'valid', findings: [] },
    phases: { preparedMs: 0, readyMs: 1000, windowStartMs: 3000, windowEndMs: 3000 + windowMs, endMs: 14_000 },
    backend: 'tc',
    preflight: null,
    bottleneck: null,
    capture: null,
    cpuRatio: null,
    queueLog: {
      records: 1,
      lostRecords: 0,
      traffic: condition.applications.flatMap(({ name }, k) =>
        trafficOf(name, throughputBps[k]!, change.traffic ?? {}),
      ),
      flows: [],
    },
    applications: condition.applications.map(({ name }, k) => ({
      name,
      addresses: { server: `10.0.${k === 0 ? 1 : 3}.2`, client: `10.0.2.${2 + k}` },
      startMs: 0,
      readyMs: 1000,
      stopMs: 14_000,
      clocks: null,
      facts: {},
      transport: null,
      received: null,
    })),
    ...change.file,
  };
  return { name: file.trial.id, file, quality: change.quality ?? found.sides.map(() => ({})) };
}

/** Returns the trials of a cell with these throughputs of its sides, Mbit/s. */
export function trials(of: PairsPlan, cell: string, mbps: readonly (readonly number[])[]): TrialInFolder[] {
  return mbps.map((sides, k) =>
    trial(
      of,
      cell,
      k + 1,
      sides.map(value => value * 1e6),
    ),
  );
}
