/** Kinds of known truth, and whether what a report says agrees with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import type { Random } from '../../../../core/random.ts';
import { median } from '../../../../core/stats/quantile.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { normal, reportOf } from './injected.ts';
import type { Shown, Try, Tries } from './injected.ts';
import type { ToldVerdict } from './verdict.ts';

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
  /** One trial in all has a stall, whose last frames were shown without a callback. */
  hidden?: boolean;
  /** Of the trials of each condition, the share that ran on the second of two machines, which shows less of everything. */
  onSecond?: number[];
};

const spread = { rate: 0.6, goodput: 0.05e6, latency: 5 };

/** What the second machine does to every trial: more than what chance does. */
const secondMachine: Effect = { rate: -8 * spread.rate, goodput: -8 * spread.goodput, latency: 8 * spread.latency };

/**
 * Whether the trial of a condition ran on the second machine. `lot`: the repeat's, from 0 to 1, so that as many
 * conditions as their shares allow run together.
 */
const isOnSecond = ({ onSecond }: Injection, condition: number, lot: number) => lot < (onSecond?.[condition] ?? 0);

const together = (a: Effect, b: Effect): Effect =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map(key => [
      key,
      (a[key as keyof Effect] ?? 0) + (b[key as keyof Effect] ?? 0),
    ]),
  );

/** A trial as the condition makes it. `shared`: the repeat's part of chance. */
function draw(
  random: Random,
  shared: readonly number[],
  { rate = 0, goodput = 0, latency = 0, stall = 0 }: Effect,
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
  return {
    own,
    shown: {
      frameRate: 50 + rate + spread.rate * (shared[0]! + normal(random)),
      goodputBps: 1e6 + goodput + spread.goodput * (shared[1]! + own),
      latencyMs: 80 + latency + spread.latency * (shared[2]! + normal(random)),
      stallMs: stallMs > 200 ? stallMs : 0,
      unseen: hidden === true ? 1 + Math.floor(3 * random.next()) : 0,
    },
  };
}

const sharedOf = (random: Random) => [normal(random), normal(random), normal(random)];

const injections: Record<string, (random: Random) => Injection> = {
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
};

/** Numbers of statements by their kind: those that are false, and all; `examples` of the false ones. */
type Count = {
  kinds: Map<string, { wrong: number; all: number }>;
  reports: number;
  reportsWithFalseClaim: number;
  examples: string[];
};

/** What a trial truly has. */
function truthOf({ frameRate, goodputBps, latencyMs, stallMs }: Shown) {
  return {
    'frame rate': frameRate * (1 - Math.max(0, stallMs - 1000 / frameRate) / 1e4),
    bitrate: goodputBps / 1e6,
    'frame latency': latencyMs,
    'stalled time': stallMs / 1000,
  };
}
type Quantity = keyof ReturnType<typeof truthOf>;

/** What a number of a sentence may be off by its digits, or by a frame more or less in the window. */
const digits: Record<Quantity, number> = {
  'frame rate': 0.16,
  bitrate: 0.006,
  'frame latency': 0.06,
  'stalled time': 0.021,
};

const samples = 1500;

type Population = { median: Record<Quantity, number>; shift: Record<Quantity, number> };

const known = new Map<string, Population[]>();

/**
 * Median of a condition, and its shift from the first one (the pseudo-median of paired differences), over many trials.
 */
function populations(injection: Injection): Population[] {
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
    };
  });
  known.set(key, made);
  return made;
}

function makeTries(random: Random, injection: Injection): Tries {
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

const number = (text: string | undefined) => Number(text?.replaceAll(',', ''));

type Told = (kind: string, isTrue: boolean, words: string) => void;

/** Judges every statement of a verdict. */
function judge(
  { sentences, numbers, differences, text }: ToldVerdict,
  tries: Tries,
  truth: readonly Population[],
  told: Told,
): void {
  const ids = Object.keys(tries);
  const counted = (id: string) =>
    tries[id]!.flat()
      .filter(({ isVoid }) => !isVoid)
      .map(({ shown }) => shown);
  const voidedOf = (id: string) => tries[id]!.flat().filter(({ isVoid }) => isVoid).length;
  const total = ids.reduce((sum, id) => sum + voidedOf(id), 0);
  const shares = new Set(ids.map(id => voidedOf(id) / tries[id]!.flat().length));
  if (total > 0)
    told('void tries', new RegExp(`\\b${total} (?:try was|tries were) void`).test(text), text.slice(0, 400));
  told('void tries', /Void tries are not equally frequent/.test(text) === shares.size > 1, text.slice(0, 400));
  judgeMachines(text, tries, told);
  for (const [k, id] of ids.entries()) {
    const said = sentences.find(sentence => sentence.startsWith(`${id} (no flood): `));
    const cells = numbers[`${id} no flood`];
    if (said === undefined || cells === undefined) throw new Error(`nothing is said of ${id}: ${text}`);
    const shown = counted(id);
    told('number of trials', number(cells['n']) === shown.length, `${id}: ${cells['n']}`);
    if (shown.length === 0) continue;
    judgeStalls(said, cells, shown, told);
    const medianOf = (quantity: Quantity, column: string) => {
      const [, low, high] = /\[([\d.]+), ([\d.]+)\]$/.exec(cells[column] ?? '') ?? [];
      // fewer than six have the range, with the coverage it has
      if (low === undefined || shown.length < 6) return;
      const value = truth[k]!.median[quantity];
      told(
        'interval of a median',
        value >= number(low) - digits[quantity] && value <= number(high) + digits[quantity],
        `${quantity} ${value} in ${cells[column]}`,
      );
    };
    medianOf('frame rate', 'Frame rate');
    medianOf('bitrate', 'Bitrate');
    medianOf('frame latency', 'Frame latency');
    if (k > 0) judgeEffects(said, differences[`${id} minus ${ids[0]}`] ?? {}, truth[k]!.shift, told);
  }
}

/** Whether the warning is there, and the pairs that are left out are counted. No try is void where machines are told. */
function judgeMachines(text: string, tries: Tries, told: Told): void {
  const [base, ...others] = Object.values(tries).map(repeats => repeats.map(all => all.at(-1)!.machine));
  const names = new Set([base, ...others].flat());
  if (names.has(undefined)) return;
  const shareOf = (machines: readonly (string | undefined)[]) =>
    machines.filter(machine => machine === 'second').length / machines.length;
  const mixed = others.some(own => Math.abs(shareOf(own) - shareOf(base!)) >= 0.5);
  told('machines', /Machine and condition are mixed up/.test(text) === mixed, text.slice(0, 600));
  const apart = others.reduce((sum, own) => sum + own.filter((machine, k) => machine !== base![k]).length, 0);
  const said = /(\d+) pairs? of trials (?:is|are) left out/.exec(text)?.[1];
  told('machines', number(said ?? '0') === apart, text.slice(0, 600));
}

function judgeStalls(said: string, cells: Record<string, string>, shown: readonly Shown[], told: Told): void {
  const stalled = shown.filter(({ stallMs }) => stallMs > 200);
  const longestMs = Math.max(...stalled.map(({ stallMs }) => stallMs));
  const trueSum = stalled.reduce((of, { stallMs }) => of + stallMs, 0);
  const words = /, (no stall|1 stall of ([\d.]+) ms|(\d+) stalls[^,;]*, the longest ([\d.]+) ms)/.exec(said);
  if (words === null) throw new Error(`no stalls in ${said}`);
  // what a held-up page leaves open of a stall's length: three periods of the display at most
  const open = (of: number, by: number) => of >= -6 && of <= by;
  const inWords = words[1] === 'no stall' ? 0 : number(words[3] ?? '1');
  told(
    'stalls',
    inWords === stalled.length && (inWords === 0 || open(number(words[2] ?? words[4]) - longestMs, 51)),
    `${said} [truth: ${stalled.length}, ${longestMs} ms]`,
  );
  const cell = cells['Stalls, all trials'] ?? '';
  const [, sum, trials] = / ([\d.]+) s in (\d+) of \d+$/.exec(cell) ?? [];
  const isRight =
    stalled.length === 0
      ? cell === '0'
      : cell.startsWith(`${stalled.length} ${sum} s`) &&
        number(trials) === stalled.length &&
        open(number(sum) * 1000 - trueSum, 51 + 5 * stalled.length) &&
        open(number(cells['Longest gap, all trials']?.replace(' ms', '')) - longestMs, 51);
  told(
    'stalls',
    isRight,
    `${cell}, ${cells['Longest gap, all trials']} [truth: ${stalled.length}, ${longestMs} ms, ${trueSum} ms]`,
  );
}

const claims: [Quantity, column: string, more: string, less: string][] = [
  ['stalled time', 'Stalled time', 'more stalled time', 'less stalled time'],
  ['frame rate', 'Frame rate', 'higher frame rate', 'lower frame rate'],
  ['bitrate', 'Bitrate', 'higher bitrate', 'lower bitrate'],
  ['frame latency', 'Frame latency, 95th percentile', 'higher frame latency', 'lower frame latency'],
];

function judgeEffects(said: string, cells: Record<string, string>, shift: Record<Quantity, number>, told: Told): void {
  for (const [quantity, column, more, less] of claims) {
    const value = shift[quantity];
    const cell = cells[column] ?? '';
    const [, , low, high, standing] = /^([+-]?[\d.]+) [A-Za-z/]+ \[([-\d.]+), ([-\d.]+)\] (.*)$/.exec(cell) ?? [];
    const isClaim = said.includes(more) || said.includes(less);
    if (isClaim !== /^(better|worse)$/.test(standing ?? ''))
      throw new Error(`sentence and table do not agree: ${said} ${column}: ${cell}`);
    const isTrue = isClaim && (said.includes(more) ? value > 0 : value < 0);
    if (isClaim) told('claim', isTrue, `${said} ${cell}, in truth ${value}`);
    // the interval of a false claim is false by the same
    if (low === undefined || standing === 'too few pairs' || (isClaim && !isTrue)) continue;
    told(
      isClaim ? 'interval of a claim' : 'interval of a difference',
      value >= number(low) - digits[quantity] && value <= number(high) + digits[quantity],
      `${cell}, in truth ${value}`,
    );
    const [, shownFrom] = /^not significant; ([\d.]+) /.exec(standing!) ?? [];
    if (shownFrom !== undefined && value !== 0)
      told(
        'what would have been shown',
        Math.abs(value) < number(shownFrom) + digits[quantity],
        `${cell}, in truth ${value}`,
      );
  }
}

/** As many reports of one kind of truth, and what of their statements is false. */
async function injected(parent: string, kind: string, reports: number): Promise<Count> {
  const count: Count = { kinds: new Map(), reports, reportsWithFalseClaim: 0, examples: [] };
  for (let i = 0; i < reports; i++) {
    const random = seededRandom(1000 * Object.keys(injections).indexOf(kind) + i);
    const injection = injections[kind]!(random);
    const tries = makeTries(random, injection);
    const verdict = await reportOf(parent, `${kind.replaceAll(' ', '-')}-${i}`, tries);
    let hasFalseClaim = false;
    judge(verdict, tries, populations(injection), (of, isTrue, words) => {
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
const certain = ['void tries', 'number of trials', 'stalls', 'machines'];
const acceptable = 0.05;

/** The most that as many chances of 5 % come to in 99 of 100 cases. */
function mostByChance(n: number): number {
  let [chance, sum, k] = [(1 - acceptable) ** n, (1 - acceptable) ** n, 0];
  while (sum < 0.99) sum += chance *= (((n - k) / ++k) * acceptable) / (1 - acceptable);
  return k;
}

/**
 * What is wrong with a count: empty where at most 5 % of all statements are false, and no kind of them more often than
 * chance allows at 5 %.
 */
function excesses({ kinds, reports, reportsWithFalseClaim }: Count): string[] {
  const all = [...kinds.values()].reduce((sum, of) => ({ wrong: sum.wrong + of.wrong, all: sum.all + of.all }), {
    wrong: 0,
    all: 0,
  });
  const wrongOf = [...kinds].filter(
    ([kind, of]) => kind !== 'claim' && of.wrong > (certain.includes(kind) ? 0 : mostByChance(of.all)),
  );
  return [
    ...wrongOf.map(([kind, of]) => `${kind}: ${of.wrong} of ${of.all} are false`),
    ...(all.wrong > acceptable * all.all ? [`${all.wrong} of all ${all.all} statements are false`] : []),
    ...(reportsWithFalseClaim > mostByChance(reports)
      ? [`${reportsWithFalseClaim} of ${reports} reports claim a change that is none`]
      : []),
  ];
}

/** A test of each kind of truth over so many reports; `more` is asked of its count, too. */
export function testInjections(reports: number, more: (kind: string, count: Count) => void = () => {}): void {
  const folder = temporaryFolder();
  for (const kind of Object.keys(injections)) {
    test(`${kind}: of ${reports} reports at most 5 % of what they say is false`, async t => {
      const count = await injected(folder, kind, reports);
      t.diagnostic(
        `${[...count.kinds].map(([of, { wrong, all }]) => `${of} ${wrong} of ${all}`).join(', ')}; a false claim in ${count.reportsWithFalseClaim} reports`,
      );
      assert.deepEqual(excesses(count), [], count.examples.join('\n'));
      assert.ok(
        count.kinds.get('stalls')!.all >= 2 * reports && count.kinds.get('interval of a median')!.all > reports,
        'the words were found',
      );
      more(kind, count);
    });
  }
}
