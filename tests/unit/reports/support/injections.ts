/** Kinds of known truth: the effects put into runs, and the true values over all trials. */
import { type Random, seededRandom } from '../../../../core/random.ts';
import { median } from '../../../../core/stats/quantile.ts';
import { normal } from '../../../sim/normal.ts';
import type { Shown, Tries, Try } from './injected.ts';

/** Shift of each quantity in every trial of a condition, in the unit of the quantity. */
type Effect = {
  rate?: number;
  goodput?: number;
  latency?: number;
  tail?: number;
  stall?: number;
  /** Bitrate of the second half of the window minus that of the first half, bit/s. */
  drift?: number;
};

export type Injection = {
  /** Difference of each condition from the first one. */
  effects: Effect[];
  /** Decides if a try is void: by chance, or sooner with a low bitrate. `own`: chance part of the try's bitrate. */
  voids?: (random: Random, condition: number, own: number) => boolean;
  /** Number of trials of each condition. `counts`: numbers by condition, if they differ. */
  repeats: number;
  counts?: number[];
  /** True if a single trial has a stall, whose last frames were shown without a callback. */
  hidden?: boolean;
  /** Share of the trials of each condition that ran on the second of two machines, which shows less of everything. */
  onSecond?: number[];
};

const spread = { rate: 0.6, goodput: 0.05e6, latency: 5, drift: 0.1e6 };
/** Part of chance of a trial from which on its round trip is late for a time: one trial in nine. */
const lateFrom = 1.2;

/** Effect of the second machine on every trial: larger than that of chance. */
const secondMachine: Effect = { rate: -8 * spread.rate, goodput: -8 * spread.goodput, latency: 8 * spread.latency };

/**
 * True if the trial of a condition ran on the second machine. `lot`: random number of the repeat, 0 to 1, so that as
 * many conditions run together as their shares allow.
 */
const isOnSecond = ({ onSecond }: Injection, condition: number, lot: number) => lot < (onSecond?.[condition] ?? 0);

const together = (a: Effect, b: Effect): Effect =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map(key => [
      key,
      (a[key as keyof Effect] ?? 0) + (b[key as keyof Effect] ?? 0),
    ]),
  );

/** A random trial of a condition. `shared`: part of chance of the repeat. */
function draw(
  random: Random,
  shared: readonly number[],
  { rate = 0, goodput = 0, latency = 0, tail = 0, stall = 0, drift = 0 }: Effect,
  hidden: boolean | undefined,
): { shown: Shown; own: number } {
  const own = normal(random);
  const stallMs =
    hidden === undefined
      ? random.next() < 0.6
        ? 250 + 400 * random.next() + 1000 * stall
        : 1000 * stall
      : hidden
        ? 205 + 100 * random.next()
        : 0;
  // the last digits of a random number are another one
  const noise = 2 * (((((own * 9973) % 1) + 1) % 1) - 0.5);
  return {
    own,
    shown: {
      driftBps: drift + spread.drift * noise,
      lateMs: own < lateFrom ? 0 : 200 * Math.min(12, Math.round(3 + 8 * (own - lateFrom))),
      frameRate: 50 + rate + spread.rate * (shared[0]! + normal(random)),
      goodputBps: 1e6 + goodput + spread.goodput * (shared[1]! + own),
      latencyMs: 80 + latency + spread.latency * (shared[2]! + normal(random)),
      tailMs: tail,
      stallMs: stallMs > 200 ? stallMs : 0,
      unseen: hidden === true ? 1 + Math.floor(3 * random.next()) : 0,
    },
  };
}

const sharedOf = (random: Random) => [normal(random), normal(random), normal(random)];

export const injections: Record<string, (random: Random) => Injection> = {
  'no effect': random => ({ effects: [{}, {}, {}], repeats: 6 + Math.floor(9 * random.next()) }),
  'an effect in one metric': random => {
    const size = (random.next() < 0.5 ? -1 : 1) * (0.5 + 3 * random.next());
    const which = Math.floor(4 * random.next());
    const effect = [
      { rate: size * spread.rate },
      { goodput: size * spread.goodput },
      { latency: size * spread.latency },
      { stall: 0.3 * Math.abs(size) },
    ][which]!;
    return { effects: [{}, effect, {}], repeats: 6 + Math.floor(9 * random.next()) };
  },
  'a latency that varies inside a trial': random => {
    // most frames come sooner, one in ten comes much later: median and 95th percentile move apart
    const sooner = spread.latency * (1 + 2 * random.next());
    return {
      effects: [{}, { latency: -sooner, tail: sooner + spread.latency * (1 + 2 * random.next()) }, {}],
      repeats: 6 + Math.floor(9 * random.next()),
    };
  },
  'a condition with many void tries': random => ({
    effects: [{}, {}, {}],
    repeats: 8 + Math.floor(7 * random.next()),
    voids: (of, condition) => of.next() < (condition === 2 ? 0.6 : 0.05),
  }),
  'void tries that are not like the others': random => ({
    effects: [{}, {}, {}],
    repeats: 8 + Math.floor(7 * random.next()),
    voids: (of, condition, own) => of.next() < (condition === 2 ? (own < 0 ? 0.6 : 0.2) : 0.05),
  }),
  'a stall hidden by a late callback': random => ({
    effects: [{}, {}],
    repeats: 6 + Math.floor(4 * random.next()),
    hidden: true,
  }),
  'machines differ, no effect': random => ({
    effects: [{}, {}, {}],
    repeats: 8 + Math.floor(7 * random.next()),
    onSecond: random.next() < 0.5 ? [0.2, 0.2, 0.9] : [0.4, 0.5, 0.5],
  }),
  'unequal n': random => {
    const repeats = 8 + Math.floor(7 * random.next());
    return {
      effects: [{}, { goodput: 2 * random.next() * spread.goodput }, {}],
      repeats,
      counts: [repeats, repeats - 2, 3 + Math.floor(5 * random.next())],
    };
  },
  'a rate that has not settled': random => {
    const repeats = 4 + Math.floor(9 * random.next());
    const size = (random.next() < 0.5 ? -1 : 1) * (0.1 + 0.4 * random.next());
    return { effects: [{}, { drift: size * 1e6 }, {}], repeats };
  },
};

/** True values of a trial. */
function truthOf({ frameRate, goodputBps, latencyMs, tailMs, stallMs, driftBps }: Shown) {
  return {
    'frame rate': frameRate * (1 - Math.max(0, stallMs - 1000 / frameRate) / 1e4),
    bitrate: goodputBps / 1e6,
    'frame latency': latencyMs,
    'late frames': latencyMs + tailMs,
    'stalled time': stallMs / 1000,
    drift: driftBps / 1e6,
  };
}
export type Quantity = keyof ReturnType<typeof truthOf>;

/** Tolerance of a number in a sentence: its rounding, or a frame more or less in the window. */
export const digits: Record<Quantity, number> = {
  'frame rate': 0.16,
  bitrate: 0.006,
  'frame latency': 0.06,
  'late frames': 0.06,
  'stalled time': 0.021,
  drift: 0.006,
};

const samples = 1500;

/** `apart`: shift of trials without a common part of chance, as those of two runs. */
export type Population = Record<'median' | 'shift' | 'apart', Record<Quantity, number>>;

const known = new Map<string, Population[]>();

/**
 * Median of each condition, and its shift from the first one (the pseudo-median of paired differences), over many
 * trials.
 */
export function populations(injection: Injection): Population[] {
  const { effects, hidden, onSecond } = injection;
  const key = JSON.stringify([effects, hidden, onSecond]);
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const random = seededRandom(17);
  const all = Array.from({ length: samples }, () => {
    const shared = sharedOf(random);
    const lot = onSecond === undefined ? 1 : random.next();
    return effects.map((effect, condition) => {
      const all = isOnSecond(injection, condition, lot) ? together(effect, secondMachine) : effect;
      return truthOf(draw(random, shared, all, hidden === true ? false : undefined).shown);
    });
  });
  const over = (of: (quantity: Quantity) => number) =>
    Object.fromEntries((Object.keys(digits) as Quantity[]).map(quantity => [quantity, of(quantity)])) as Record<
      Quantity,
      number
    >;
  const made = effects.map((effect, k): Population => {
    const isSame = Object.keys(effect).length === 0;
    const apart = (quantity: Quantity, i: number, step: number) =>
      all[i]![k]![quantity] - all[(i + step) % samples]![0]![quantity];
    const difference = (quantity: Quantity, i: number) => all[i]![k]![quantity] - all[i]![0]![quantity];
    return {
      median: over(quantity => median(all.map(trial => trial[k]![quantity]))!),
      shift: over(quantity =>
        isSame
          ? 0
          : median(
              all.flatMap((_, i) =>
                [1, 7, 31].map(step => (difference(quantity, i) + difference(quantity, (i + step) % samples)) / 2),
              ),
            )!,
      ),
      apart: over(quantity =>
        isSame ? 0 : median(all.flatMap((_, i) => [1, 7, 31, 101].map(step => apart(quantity, i, step))))!,
      ),
    };
  });
  known.set(key, made);
  return made;
}

export function makeTries(random: Random, injection: Injection): Tries {
  const { effects, voids, repeats, counts, hidden, onSecond } = injection;
  const hiddenAt = hidden === true ? Math.floor(random.next() * repeats) : undefined;
  const shared = Array.from({ length: repeats }, () => sharedOf(random));
  const lots = shared.map(() => (onSecond === undefined ? 1 : random.next()));
  return Object.fromEntries(
    effects.map((effect, condition) => [
      `c${condition}`,
      shared.map((of, repeat): Try[] => {
        const tries: Try[] = [];
        const isLeftOut = repeat >= (counts?.[condition] ?? repeats);
        const isSecond = isOnSecond(injection, condition, lots[repeat]!);
        for (let attempt = 0; attempt < 3; attempt++) {
          const { shown, own } = draw(
            random,
            of,
            isSecond ? together(effect, secondMachine) : effect,
            hiddenAt === undefined ? undefined : hiddenAt === repeat && condition === 1,
          );
          const isVoid = isLeftOut || (voids?.(random, condition, own) ?? false);
          tries.push({ shown, isVoid, ...(onSecond === undefined ? {} : { machine: isSecond ? 'second' : 'first' }) });
          if (!isVoid || isLeftOut) break;
        }
        return tries;
      }),
    ]),
  );
}
