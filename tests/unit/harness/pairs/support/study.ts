/** A pairwise study by hand: services that only exist in tests, and trials with round numbers. */
import { integer, object, rate } from '../../../../../core/schema.ts';
import type { Contestant } from '../../../../../harness/pairs/define.ts';
import { runSchema } from '../../../../../harness/pairs/define.ts';
import { pairLink } from '../../../../../harness/pairs/links.ts';
import { makePairsPlan, pairsFormat } from '../../../../../harness/pairs/plan.ts';
import type { PairsPlan } from '../../../../../harness/pairs/plan.ts';
import type { PairTrialFile, SideFile } from '../../../../../harness/pairs/record.ts';
import { trialOf } from '../../../../../harness/pairs/scheduler.ts';
import type { TrialInFolder } from '../../../../../harness/pairs/summarise.ts';
import type { ServicePlugin } from '../../../../../harness/services/service.ts';

/** A service that cannot be run, with a cap and a number of flows. */
export const greedy = {
  id: 'greedy', title: 'greedy', source: 'test', kind: 'transfer', params: object({ flows: integer({ min: 1, max: 8 }).default(1), cap: rate({ moreThan: 0 }).optional() }),
  capBps: ({ cap }: { cap?: number }) => cap ?? null, warmUpMs: () => 2000,
  check: async () => {}, preparationKey: () => '', prepare: async () => { throw new Error('a test that runs nothing'); },
} as unknown as ServicePlugin;

export const services = new Map([[greedy.id, greedy]]);

export function contestant(name: string, nominalCapBps: number | null = null, kind: Contestant['kind'] = 'transfer'): Contestant {
  return { name, title: name.toUpperCase(), models: null, choice: { id: 'greedy' }, service: { id: 'greedy', title: 'greedy', params: {} }, kind, nominalCapBps, warmUpMs: 2000 };
}

export function plan(contestants: readonly Contestant[], { links = ['8mbit'], run = {} }: { links?: readonly string[]; run?: object } = {}): PairsPlan {
  return makePairsPlan({ title: 'A matrix', contestants: [...contestants], links: links.map(name => pairLink(name)), run: runSchema.parse(run) });
}

export const windowMs = 10_000;

function side(contestantName: string, k: number, throughputBps: number, change: Partial<NonNullable<SideFile['traffic']>> = {}): SideFile {
  const sentBytes = throughputBps * windowMs / 8000;
  return {
    contestant: contestantName, folder: k === 0 ? 'first' : 'second', addresses: { server: `10.0.${k === 0 ? 1 : 3}.2`, client: `10.0.2.${2 + k}` }, readyMs: 1000, clocks: null, service: {}, received: null,
    traffic: {
      sentPackets: 900, sentBytes, droppedPackets: { 'overflow': 100, 'random-loss': 0, 'aqm': 0, 'other': 0 }, delay: { meanMs: 50, p50Ms: 50, p95Ms: 100, maxMs: 120 }, udpPackets: 0, lateUdpPackets: 0, ...change,
    },
  };
}

/** A trial in which each side had that throughput, bit/s. */
export function trial(of: PairsPlan, cell: string, round: number, throughputBps: readonly number[], change: { file?: Partial<PairTrialFile>; traffic?: Partial<NonNullable<SideFile['traffic']>>; quality?: TrialInFolder['quality'] } = {}): TrialInFolder {
  const found = of.cells.find(({ id }) => id === cell);
  if (found === undefined) throw new Error(`no cell ${cell}; there are ${of.cells.map(({ id }) => id).join(', ')}`);
  const file: PairTrialFile = {
    format: pairsFormat, trial: trialOf(found, round), link: found.link, attempt: 1, verdict: { status: 'valid', findings: [] },
    phases: { preparedMs: 0, readyMs: 1000, windowStartMs: 3000, windowEndMs: 3000 + windowMs, endMs: 14_000 }, backend: 'tc', preflight: null, bottleneck: null, capture: null,
    sides: found.sides.map((name, k) => side(name, k, throughputBps[k]!, change.traffic)), ...change.file,
  };
  return { name: file.trial.id, file, quality: change.quality ?? found.sides.map(() => ({})) };
}

/** Trials of a cell with these throughputs, Mbit/s, side by side. */
export function trials(of: PairsPlan, cell: string, mbps: readonly (readonly number[])[]): TrialInFolder[] {
  return mbps.map((sides, k) => trial(of, cell, k + 1, sides.map(value => value * 1e6)));
}

