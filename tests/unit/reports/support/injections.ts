/** Kinds of known truth, and whether what a report says agrees with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import type { Random } from '../../../../core/random.ts';
import { median } from '../../../../core/stats/quantile.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { normal, reportOf } from './injected.ts';
import type { Shown, Try, Tries } from './injected.ts';

/** What a condition does to every trial, in the quantity's own unit: how far it moves it. */
type Effect = { rate?: number; goodput?: number; latency?: number; stall?: number };

type Injection = {
  /** How each condition differs from the first one. */
  effects: Effect[];
  /** Share of the tries of each condition that are void: by chance, or those with a low bitrate before others. */
  voids?: (random: Random, condition: number, own: number) => boolean;
  /** Trials of each condition; else as many of all. */
  repeats: number;
  counts?: number[];
  /** One trial in all has a stall, whose last pictures were shown without a callback. */
  hidden?: boolean;
};

const spread = { rate: 0.6, goodput: 0.05e6, latency: 5 };

/** A trial as the condition makes it. `shared`: the repeat's part of chance. */
function draw(random: Random, shared: readonly number[], { rate = 0, goodput = 0, latency = 0, stall = 0 }: Effect, hidden: boolean | undefined): { shown: Shown; own: number } {
  const own = normal(random);
  const stallMs = hidden === undefined ? random.next() < 0.6 ? 250 + 400 * random.next() + 1000 * stall : 1000 * stall : hidden ? 205 + 100 * random.next() : 0;
  return {
    own,
    shown: {
      frameRate: 50 + rate + spread.rate * (shared[0]! + normal(random)), goodputBps: 1e6 + goodput + spread.goodput * (shared[1]! + own),
      latencyMs: 80 + latency + spread.latency * (shared[2]! + normal(random)), stallMs: stallMs > 200 ? stallMs : 0, unseen: hidden === true ? 1 + Math.floor(3 * random.next()) : 0,
    },
  };
}

const sharedOf = (random: Random) => [normal(random), normal(random), normal(random)];

const injections: Record<string, (random: Random) => Injection> = {
  'no effect': random => ({ effects: [{}, {}, {}], repeats: 6 + Math.floor(9 * random.next()) }),
  'an effect in one metric': random => {
    const size = (random.next() < 0.5 ? -1 : 1) * (0.5 + 3 * random.next());
    const which = Math.floor(4 * random.next());
    const effect = [{ rate: size * spread.rate }, { goodput: size * spread.goodput }, { latency: size * spread.latency }, { stall: 0.3 * Math.abs(size) }][which]!;
    return { effects: [{}, effect, {}], repeats: 6 + Math.floor(9 * random.next()) };
  },
  'a condition with many void tries': random => ({ effects: [{}, {}, {}], repeats: 8 + Math.floor(7 * random.next()), voids: (of, condition) => of.next() < (condition === 2 ? 0.6 : 0.05) }),
  'void tries that are not like the others': random => ({
    effects: [{}, {}, {}], repeats: 8 + Math.floor(7 * random.next()), voids: (of, condition, own) => of.next() < (condition === 2 ? own < 0 ? 0.6 : 0.2 : 0.05),
  }),
  'a stall hidden by a late callback': random => ({ effects: [{}, {}], repeats: 6 + Math.floor(4 * random.next()), hidden: true }),
  'unequal n': random => {
    const repeats = 8 + Math.floor(7 * random.next());
    return { effects: [{}, { goodput: 2 * random.next() * spread.goodput }, {}], repeats, counts: [repeats, repeats - 2, 3 + Math.floor(5 * random.next())] };
  },
};

/** Numbers of statements by their kind: those that are false, and all; `examples` of the false ones. */
type Count = { kinds: Map<string, { wrong: number; all: number }>; reports: number; reportsWithFalseClaim: number; examples: string[] };

/** What a trial truly has. */
function truthOf({ frameRate, goodputBps, latencyMs, stallMs }: Shown) {
  return { 'frame rate': frameRate * (1 - Math.max(0, stallMs - 1000 / frameRate) / 1e4), 'bitrate': goodputBps / 1e6, 'frame latency': latencyMs, 'stalled time': stallMs / 1000 };
}
type Quantity = keyof ReturnType<typeof truthOf>;

/** What a number of a sentence may be off by its digits, or by a picture more or less in the window. */
const digits: Record<Quantity, number> = { 'frame rate': 0.16, 'bitrate': 0.006, 'frame latency': 0.06, 'stalled time': 0.021 };

const samples = 1500;

type Population = { median: Record<Quantity, number>; shift: Record<Quantity, number> };

const known = new Map<string, Population[]>();

/** Median of a condition, and its shift from the first one (the pseudo-median of paired differences), over many trials. */
function populations({ effects, hidden }: Injection): Population[] {
  const key = JSON.stringify([effects, hidden]);
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const random = seededRandom(17);
  const all = Array.from({ length: samples }, () => {
    const shared = sharedOf(random);
    return effects.map(effect => truthOf(draw(random, shared, effect, hidden === true ? false : undefined).shown));
  });
  const over = (of: (quantity: Quantity) => number) => Object.fromEntries((Object.keys(digits) as Quantity[]).map(quantity => [quantity, of(quantity)])) as Record<Quantity, number>;
  const made = effects.map((effect, k): Population => {
    const isSame = Object.keys(effect).length === 0;
    const difference = (quantity: Quantity, i: number) => all[i]![k]![quantity] - all[i]![0]![quantity];
    return {
      median: over(quantity => median(all.map(trial => trial[k]![quantity]))!),
      shift: over(quantity => (isSame ? 0 : median(all.flatMap((_, i) => [1, 7, 31].map(step => (difference(quantity, i) + difference(quantity, (i + step) % samples)) / 2)))!)),
    };
  });
  known.set(key, made);
  return made;
}

function makeTries(random: Random, { effects, voids, repeats, counts, hidden }: Injection): Tries {
  const hiddenAt = hidden === true ? Math.floor(random.next() * repeats) : undefined;
  const shared = Array.from({ length: repeats }, () => sharedOf(random));
  return Object.fromEntries(effects.map((effect, condition) => [`c${condition}`, shared.map((of, repeat): Try[] => {
    const tries: Try[] = [];
    const isLeftOut = repeat >= (counts?.[condition] ?? repeats);
    for (let attempt = 0; attempt < 3; attempt++) {
      const { shown, own } = draw(random, of, effect, hiddenAt === undefined ? undefined : hiddenAt === repeat && condition === 1);
      const isVoid = isLeftOut || (voids?.(random, condition, own) ?? false);
      tries.push({ shown, isVoid });
      if (!isVoid || isLeftOut) break;
    }
    return tries;
  })]));
}

const number = (text: string | undefined) => Number(text?.replaceAll(',', ''));

type Told = (kind: string, isTrue: boolean, words: string) => void;

/** Judges every statement of the words. */
function judge(text: string, tries: Tries, truth: readonly Population[], told: Told): void {
  const ids = Object.keys(tries);
  const counted = (id: string) => tries[id]!.flat().filter(({ isVoid }) => !isVoid).map(({ shown }) => shown);
  const voidedOf = (id: string) => tries[id]!.flat().filter(({ isVoid }) => isVoid).length;
  const total = ids.reduce((sum, id) => sum + voidedOf(id), 0);
  const shares = new Set(ids.map(id => voidedOf(id) / tries[id]!.flat().length));
  if (total > 0) told('void tries', new RegExp(`\\b${total} (?:try was|tries were) voided`).test(text), text.slice(0, 200));
  told('void tries', /Voided unevenly/.test(text) === shares.size > 1, text.slice(0, 200));
  for (const [k, id] of ids.entries()) {
    const words = new RegExp(`${id} \\(no flood, n = (\\d+)\\)(.*?)(?=c\\d \\(no flood, n|$)`).exec(text);
    if (words === null) throw new Error(`nothing is said of ${id}: ${text}`);
    const [all, n, said] = words;
    const shown = counted(id);
    told('number of trials', number(n) === shown.length, all);
    if (shown.length === 0) continue;
    const stalled = shown.filter(({ stallMs }) => stallMs > 200);
    const longestMs = Math.max(...stalled.map(({ stallMs }) => stallMs));
    const still = /the picture stood still(?: in (\d+) of (\d+) trials)?: (\d+) stalls? of (?:([\d.]+) (m?s)) in all, the longest time without a new one ([\d.]+) (m?s)/.exec(said!);
    if (still === null) told('stalls', stalled.length === 0, said!);
    else {
      const longest = number(still[6]) * (still[7] === 's' ? 1000 : 1);
      const sum = number(still[4]) * (still[5] === 's' ? 1000 : 1);
      const trueSum = stalled.reduce((of, { stallMs }) => of + stallMs, 0);
      // what a held-up page leaves open of a stall's length: three periods of the display at most
      const open = (of: number, by: number) => of >= -6 && of <= by;
      told('stalls', stalled.length > 0 && number(still[3]) === stalled.length && open(longest - longestMs, 51) && open(sum - trueSum, 51 + 5 * stalled.length), `${said} [truth: ${stalled.length}, ${longestMs} ms, ${trueSum} ms]`);
    }
    const medianOf = (quantity: Quantity, pattern: RegExp) => {
      const [, , low, high] = pattern.exec(said!) ?? [];
      // fewer than six have the range, with the coverage it has
      if (low === undefined || shown.length < 6) return;
      const value = truth[k]!.median[quantity];
      told('interval of a median', value >= number(low) - digits[quantity] && value <= number(high) + digits[quantity], `${quantity} ${value} in ${said}`);
    };
    medianOf('frame rate', /the viewer saw ([\d.]+) fps \[([\d.]+), ([\d.]+)\]/);
    medianOf('bitrate', /The stream had ([\d.]+) Mbit\/s \[([\d.]+), ([\d.]+)\]/);
    medianOf('frame latency', /its pictures were ([\d.]+) ms \[([\d.]+), ([\d.]+)\] old/);
    if (k > 0) judgeEffects(said!, truth[k]!.shift, told);
  }
}

const claims: [Quantity, string, string][] = [
  ['stalled time', 'more stalled time', 'less stalled time'], ['frame rate', 'more pictures', 'fewer pictures'], ['bitrate', 'a higher bitrate', 'a lower bitrate'],
  ['frame latency', 'later pictures \\(95th percentile\\)', 'earlier pictures \\(95th percentile\\)'],
];

function judgeEffects(said: string, shift: Record<Quantity, number>, told: Told): void {
  const interval = '\\(?([+-]?[\\d.]+) [A-Za-z/]+ \\[([-\\d.]+), ([-\\d.]+)\\]';
  const isCertain = /paired differences, n =|pairs of trials: no/.test(said);
  for (const [quantity, more, less] of claims) {
    const value = shift[quantity];
    const claim = new RegExp(`(${more}|${less}) ${interval}`).exec(said);
    const quiet = new RegExp(`${quantity}(?: \\(95th percentile\\))? ${interval}(?:, where ([\\d.]+)[^;.]* would[^;.]*)?`).exec(said);
    const isTrue = claim !== null && (new RegExp(more).test(claim[1]!) ? value > 0 : value < 0);
    if (claim !== null) told('claim', isTrue, `${claim[0]}, in truth ${value}`);
    if (claim !== null && !isTrue) continue; // its interval is false by the same
    const [whole, , low, high] = claim === null ? quiet ?? [] : [claim[0], claim[1], claim[3], claim[4]];
    if (low === undefined || !isCertain) continue;
    told(claim === null ? 'interval of a difference' : 'interval of a claim', value >= number(low) - digits[quantity] && value <= number(high) + digits[quantity], `${whole}, in truth ${value}`);
    if (claim === null && quiet?.[4] !== undefined && value !== 0) told('what would have been shown', Math.abs(value) < number(quiet[4]) + digits[quantity], `${quiet[0]}, in truth ${value}`);
  }
}

/** As many reports of one kind of truth, and what of their statements is false. */
async function injected(parent: string, kind: string, reports: number): Promise<Count> {
  const count: Count = { kinds: new Map(), reports, reportsWithFalseClaim: 0, examples: [] };
  for (let i = 0; i < reports; i++) {
    const random = seededRandom(1000 * Object.keys(injections).indexOf(kind) + i);
    const injection = injections[kind]!(random);
    const tries = makeTries(random, injection);
    const text = await reportOf(parent, `${kind.replaceAll(' ', '-')}-${i}`, tries);
    let hasFalseClaim = false;
    judge(text, tries, populations(injection), (of, isTrue, words) => {
      const so = count.kinds.get(of) ?? { wrong: 0, all: 0 };
      count.kinds.set(of, { wrong: so.wrong + (isTrue ? 0 : 1), all: so.all + 1 });
      if (!isTrue) count.examples.push(`${of}: ${words}`);
      hasFalseClaim ||= !isTrue && of === 'claim';
    });
    if (hasFalseClaim) count.reportsWithFalseClaim++;
  }
  return count;
}

/** What comes of facts of the record has no chance in it: none of it may be false. */
const certain = ['void tries', 'number of trials', 'stalls'];
const acceptable = 0.05;

/** The most that as many chances of 5 % come to in 99 of 100 cases. */
function mostByChance(n: number): number {
  let [chance, sum, k] = [(1 - acceptable) ** n, (1 - acceptable) ** n, 0];
  while (sum < 0.99) sum += chance *= (n - k) / ++k * acceptable / (1 - acceptable);
  return k;
}

/** What is wrong with a count: empty where at most 5 % of all statements are false, and no kind of them more often than chance allows at 5 %. */
function excesses({ kinds, reports, reportsWithFalseClaim }: Count): string[] {
  const all = [...kinds.values()].reduce((sum, of) => ({ wrong: sum.wrong + of.wrong, all: sum.all + of.all }), { wrong: 0, all: 0 });
  const wrongOf = [...kinds].filter(([kind, of]) => kind !== 'claim' && of.wrong > (certain.includes(kind) ? 0 : mostByChance(of.all)));
  return [
    ...wrongOf.map(([kind, of]) => `${kind}: ${of.wrong} of ${of.all} are false`),
    ...(all.wrong > acceptable * all.all ? [`${all.wrong} of all ${all.all} statements are false`] : []),
    ...(reportsWithFalseClaim > mostByChance(reports) ? [`${reportsWithFalseClaim} of ${reports} reports claim a change that is none`] : []),
  ];
}

/** A test of each kind of truth over so many reports; `more` is asked of its count, too. */
export function testInjections(reports: number, more: (kind: string, count: Count) => void = () => {}): void {
  const folder = temporaryFolder();
  for (const kind of Object.keys(injections)) {
    test(`${kind}: of ${reports} reports at most 5 % of what they say is false`, async t => {
      const count = await injected(folder, kind, reports);
      t.diagnostic(`${[...count.kinds].map(([of, { wrong, all }]) => `${of} ${wrong} of ${all}`).join(', ')}; a false claim in ${count.reportsWithFalseClaim} reports`);
      assert.deepEqual(excesses(count), [], count.examples.join('\n'));
      assert.ok(count.kinds.get('stalls')!.all >= 2 * reports && count.kinds.get('interval of a median')!.all > reports, 'the words were found');
      more(kind, count);
    });
  }
}
