/**
 * The parts of a trial by whose threads they are, and the processor time that each may take.
 *
 * The budgets are of one core, of a trial of the flagship study at 720p60: without a flood, and beside one. Together
 * they are less than the sum of what each may take, because not all parts are at their limit in one trial.
 */

export type PartName =
  | 'media server: main thread'
  | 'media server: encoder'
  | 'media server: other threads'
  | 'browser: renderer'
  | 'browser: GPU process'
  | 'browser: network service'
  | 'browser: first process and the rest'
  | 'harness'
  | 'emulator'
  | 'iperf3, both ends'
  | 'probes'
  | 'soft interrupts (ksoftirqd)'
  | 'kernel threads'
  | 'this benchmark'
  | 'other programs';

export type Situation = 'alone' | 'flood';

/** Share of a core; null for what is no part of the trial, and not in the sum. */
export const budgets: Record<PartName, Record<Situation, number> | null> = {
  'media server: main thread': { alone: 0.14, flood: 0.14 },
  'media server: encoder': { alone: 0.32, flood: 0.32 },
  'media server: other threads': { alone: 0.02, flood: 0.02 },
  'browser: renderer': { alone: 0.28, flood: 0.28 },
  'browser: GPU process': { alone: 0.06, flood: 0.06 },
  'browser: network service': { alone: 0.05, flood: 0.05 },
  'browser: first process and the rest': { alone: 0.02, flood: 0.02 },
  harness: { alone: 0.06, flood: 0.08 },
  emulator: { alone: 0.07, flood: 0.16 },
  'iperf3, both ends': { alone: 0, flood: 0.09 },
  probes: { alone: 0.01, flood: 0.01 },
  'soft interrupts (ksoftirqd)': { alone: 0.01, flood: 0.03 },
  'kernel threads': null,
  'this benchmark': null,
  'other programs': null,
};

/** Of all parts together. */
export const sumBudgets: Record<Situation, number> = { alone: 0.95, flood: 1.15 };

export const partNames = Object.keys(budgets) as PartName[];

/** A thread as /proc has it; `words`: command line of its process, empty for the kernel's own. */
export type Thread = { process: number; program: string; words: string; thread: string };

/** Whose thread it is. `own`: ids of the harness and of whoever samples. */
export function partOf(
  { process, words, program, thread }: Thread,
  own: { harness: number; sampler: number },
): PartName {
  if (process === own.sampler) return 'this benchmark';
  if (process === own.harness) return 'harness';
  if (words === '') return thread.startsWith('ksoftirqd') ? 'soft interrupts (ksoftirqd)' : 'kernel threads';
  if (words.includes('server/main.ts')) {
    if (thread.startsWith('libuv-worker')) return 'media server: encoder';
    return thread === program ? 'media server: main thread' : 'media server: other threads';
  }
  const type = /--type=([a-z-]+)/.exec(words)?.[1];
  if (type === 'renderer') return 'browser: renderer';
  if (type === 'gpu-process') return 'browser: GPU process';
  if (words.includes('network.mojom.NetworkService')) return 'browser: network service';
  if (type !== undefined || /chrom/.test(program)) return 'browser: first process and the rest';
  if (program.startsWith('coexist-link')) return 'emulator';
  if (program.startsWith('iperf3')) return 'iperf3, both ends';
  if (program === 'ping' || program === 'ss') return 'probes';
  return 'other programs';
}
