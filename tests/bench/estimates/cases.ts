/** What bench:estimates tries, from its arguments, and a row of its table. */
import { parseArgs } from 'node:util';
import { CoexistError } from '../../../core/errors.ts';
import { formatRate } from '../../../core/text/units.ts';
import type { Link } from '../../../core/vocabulary/link.ts';
import { type EstimateQuantiles, estimateLimits, isTooHigh } from '../../../harness/analysis/derive/estimate-meter.ts';
import type { Traffic } from '../bbr3/flow.ts';

export const usage =
  'usage: npm run bench:estimates [-- --backend auto|emulator|tc|tc+line --rates MBIT,... --rtts MS,... ' +
  '--flows bbr3,bbr --modes alone,pauses,stream,trial --seconds S]';

export const backends: readonly Link['backend'][] = ['auto', 'emulator', 'tc', 'tc+line'];
export const controls = ['bbr3', 'bbr'] as const;
/**
 * `pauses`: an application that is silent and comes back. `stream`: beside a stream of packets. `trial`: beside a real
 * stream of frames.
 */
export const modes = ['alone', 'pauses', 'stream', 'trial'] as const;
export type Control = (typeof controls)[number];
export type Mode = (typeof modes)[number];

export type Case = { rateBps: number; rttMs: number; control: Control; mode: Mode };
export type Choice = { backend: Link['backend']; seconds: number; cases: Case[] };

/** The stream's rate, and the most of the link that it takes on slow ones. */
const stream = { rateBps: 7e6, shareRatio: 0.25 } as const;
/** A shorter window of a trial has too few of BBRv1's estimates, one a second. */
const leastTrialS = 10;

function oneOf<T extends string>(what: string, words: readonly string[], known: readonly T[]): T[] {
  const wrong = words.find(word => !known.includes(word as T));
  if (wrong !== undefined)
    throw new CoexistError('usage', `--${what} ${wrong}: not one of ${known.join(', ')}`, { hint: usage });
  return words as T[];
}

function numbers(what: string, text: string, least: number): number[] {
  const found = text.split(',').map(Number);
  if (found.some(value => !Number.isFinite(value) || value < least))
    throw new CoexistError('usage', `--${what} ${text}: not numbers from ${least} on`, { hint: usage });
  return found;
}

/** Throws `usage` where the arguments are wrong. */
export function chooseCases(argv: readonly string[]): Choice {
  const string = (value: string) => ({ type: 'string', default: value }) as const;
  let values: Record<'backend' | 'rates' | 'rtts' | 'flows' | 'modes' | 'seconds', string>;
  try {
    values = parseArgs({
      args: [...argv],
      options: {
        backend: string('auto'),
        rates: string('1,8,40,100'),
        rtts: string('0,2,20'),
        flows: string(controls.join(',')),
        modes: string(modes.join(',')),
        seconds: string('10'),
      },
    }).values;
  } catch (error) {
    throw new CoexistError('usage', (error as Error).message, { hint: usage });
  }
  const [backend] = oneOf('backend', [values.backend], backends);
  const [seconds] = numbers('seconds', values.seconds, 3);
  const [rates, rtts] = [numbers('rates', values.rates, 0.1), numbers('rtts', values.rtts, 0)];
  const [chosen, flows] = [
    oneOf('modes', values.modes.split(','), modes),
    oneOf('flows', values.flows.split(','), controls),
  ];
  const links = rates.flatMap(rate => rtts.map(rttMs => ({ rateBps: rate * 1e6, rttMs })));
  return {
    backend: backend!,
    seconds: seconds!,
    cases: links.flatMap(link => chosen.flatMap(mode => flows.map(control => ({ ...link, control, mode })))),
  };
}

/** The window of a real trial, s. */
export function trialWindowS({ seconds }: Pick<Choice, 'seconds'>): number {
  return Math.max(leastTrialS, seconds);
}

/** The cases that are trials, those of one link together: a study proves each of its links before the first trial. */
export function trialsByLink(cases: readonly Case[]): Case[][] {
  const groups = new Map<string, Case[]>();
  for (const one of cases.filter(({ mode }) => mode === 'trial')) {
    const link = `${one.rateBps} ${one.rttMs}`;
    groups.set(link, [...(groups.get(link) ?? []), one]);
  }
  return [...groups.values()];
}

/**
 * What the application does, for about so many seconds: sends all it can, or comes back after pauses. Not by iperf3,
 * whose connection begins with a packet of 37 bytes: BBR counts packets and takes it for a full one, so that over a
 * short path it alone shows 1448 bytes a round trip.
 */
export function trafficOf({ mode }: Case, seconds: number): Traffic {
  if (mode !== 'pauses') return { steps: [[seconds, -1]] };
  const round: [number, number][] = [
    [1, -1],
    [0.5, 0],
    [0.3, -1],
    [0.7, 0],
  ];
  return { steps: Array.from({ length: Math.ceil(seconds / 2.5) }, () => round).flat() };
}

export function streamBps({ mode, rateBps }: Case): number {
  return mode === 'stream' ? Math.min(stream.rateBps, stream.shareRatio * rateBps) : 0;
}

/** Samples of one case, over what the link carries, or undefined where there is none. */
export type Seen = {
  over: EstimateQuantiles | undefined;
  backend: string;
  heldUpMs: number | null;
  /** Of the flow, over what the link carries. */
  goodputRatio: number | null;
  /** What a real stream got beside it. */
  streamBps?: number | null;
  /** Why there is nothing to see. */
  problem?: string;
};

/** Of a case that could not be measured. */
export const nothingSeen = (problem: string): Seen => ({
  over: undefined,
  backend: 'nothing',
  heldUpMs: null,
  goodputRatio: null,
  problem,
});

export const header =
  'asked: Mbit/s | base RTT ms | flow | mode | measured: formed by | goodput | samples | p50 | p99 | max | ' +
  `p99 at most ${estimateLimits.p99}, max at most ${estimateLimits.max} of the rate`;

export function rowOf(
  { rateBps, rttMs, control, mode }: Case,
  { over, backend, heldUpMs, goodputRatio, streamBps: besideBps, problem }: Seen,
): string {
  const ratio = (value: number) => value.toFixed(3);
  const goodput = goodputRatio === null ? '-' : `${(goodputRatio * 100).toFixed(0)} %`;
  const figures =
    over === undefined ? ['0', '-', '-', '-'] : [String(over.n), ratio(over.p50), ratio(over.p99), ratio(over.max)];
  const notes = [
    isReached(over) ? 'ok' : 'MISSED',
    ...(problem === undefined ? [] : [problem]),
    ...(besideBps == null ? [] : [`the stream got ${formatRate(besideBps)}`]),
    ...(heldUpMs !== null && heldUpMs > 1 ? [`the machine was held up for ${heldUpMs.toFixed(1)} ms`] : []),
  ];
  return [rateBps / 1e6, rttMs, control, mode, backend, goodput, ...figures, notes.join('; ')].join(' | ');
}

/** Without a sample nothing is shown. */
export function isReached(over: EstimateQuantiles | undefined): boolean {
  return over !== undefined && !isTooHigh(over);
}
