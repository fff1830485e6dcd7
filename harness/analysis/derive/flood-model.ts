/**
 * A flood's model of the path over the window, as its congestion control reports it. Only BBRv3 reports its model
 * (bbr3.jsonl).
 */
import { meanPerBin } from '../../../core/stats/binned.ts';
import { type Bbr3Record, bbr3Series } from '../../record/series/bbr3.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

type Sample = Extract<Bbr3Record, { kind: 'sample' }>;
export type ModelQuantity = { [K in keyof Sample]: NonNullable<Sample[K]> extends number ? K : never }[keyof Sample];

/** Returns the samples of all flows of the floods in the trial of the record's application. */
async function told(record: TrialRecord): Promise<{ flow: string; line: Sample }[]> {
  const all = await Promise.all(
    record
      .floods()
      .map(async flood =>
        (await flood.read(bbr3Series)).flatMap(line =>
          line.kind === 'sample' ? [{ flow: `${flood.application.name} ${line.port}`, line }] : [],
        ),
      ),
  );
  return all.flat();
}

/**
 * Returns the sum of a quantity over all flows in each bin, from the mean of each flow in the bin. Null in a bin in
 * which a flow that had begun has no value.
 */
export async function floodModel(
  record: TrialRecord,
  quantity: ModelQuantity,
  binMs: number,
): Promise<(number | null)[]> {
  const flows = new Map<string, { timeMs: number; value: number }[]>();
  for (const { flow, line } of await told(record)) {
    const samples = flows.get(flow) ?? [];
    const value = line[quantity];
    if (value !== null) samples.push({ timeMs: line.timeMs, value });
    flows.set(flow, samples);
  }
  const begun = [...flows.values()]
    .filter(samples => samples.length > 0)
    .map(samples => {
      const bins = meanPerBin(samples, record.window, binMs);
      const first = samples[0]!.timeMs;
      return { bins, isIn: (bin: number) => record.window.startMs + (bin + 1) * binMs > first };
    });
  return (begun[0]?.bins ?? []).map((_, bin) => {
    const present = begun.filter(flow => flow.isIn(bin)).map(flow => flow.bins[bin] ?? null);
    return present.length === 0 || present.includes(null)
      ? null
      : present.reduce<number>((sum, value) => sum + value!, 0);
  });
}

export type StateShare = { state: Sample['state']; ratio: number };

/**
 * Returns the share of each state in the samples of all flows in the window, in the order in which the states are
 * declared. Empty without samples.
 */
export async function stateShares(record: TrialRecord): Promise<StateShare[]> {
  const { startMs, endMs } = record.window;
  const inside = (await told(record)).flatMap(({ line }) =>
    line.timeMs >= startMs && line.timeMs <= endMs ? [line] : [],
  );
  const states: Sample['state'][] = ['startup', 'drain', 'down', 'cruise', 'refill', 'up', 'probe-rtt'];
  return inside.length === 0
    ? []
    : states.map(state => ({ state, ratio: inside.filter(line => line.state === state).length / inside.length }));
}
