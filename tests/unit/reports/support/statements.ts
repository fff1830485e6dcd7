/** Checks whether the statements of a report on a run agree with the values put into the run. */
import { median } from '../../../../core/stats/quantile.ts';
import type { MetricRow } from '../../../../harness/analysis/compare/compare-runs.ts';
import { capturedRate, type Shown, type ToldReport, type Tries } from './injected.ts';
import { digits, type Population, type Quantity } from './injections.ts';
import type { ToldVerdict } from './verdict.ts';

const number = (text: string | undefined) => Number(text?.replaceAll(',', ''));

export type Told = (kind: string, isTrue: boolean, words: string) => void;

/** Judges every statement of a verdict. */
export function judgeVerdict(
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
    const said = sentences.find(sentence => sentence.startsWith(`${id}: `));
    const cells = numbers[id];
    if (said === undefined || cells === undefined) throw new Error(`nothing is said of ${id}: ${text}`);
    const shown = counted(id);
    told('number of trials', number(cells['n']) === shown.length, `${id}: ${cells['n']}`);
    if (shown.length === 0) continue;
    judgeStalls(said, cells, shown, told);
    judgeMotion(said, shown, told);
    judgeDrift(text, id, shown, truth[k]!.median.drift, told);
    judgeExcursions(text, id, shown, told);
    const medianOf = (quantity: Quantity, column: string) => {
      const [, low, high] = /\[([\d.]+), ([\d.]+)\]$/.exec(cells[column] ?? '') ?? [];
      // fewer than six trials have the range, with its coverage
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
    medianOf('frame latency', 'Frame latency, median');
    medianOf('late frames', 'Frame latency, 95th percentile');
    if (k > 0) judgeEffects(said, differences[`${id} minus ${ids[0]}`] ?? {}, truth[k]!.shift, told);
  }
}

/** Judges what is said of the change of the bitrate within the window. `drift`: the true median, Mbit/s. */
function judgeDrift(text: string, id: string, shown: readonly Shown[], drift: number, told: Told): void {
  const [, note = ''] = /Not settled: (.*?) Brackets: second half/s.exec(text) ?? [];
  const own = new RegExp(`(?:^|\\. )${id}: (.*?\\))\\.(?: |$)`).exec(note)?.[1] ?? '';
  const [, way, low, high] =
    /goodput still (falling|rising) at the end \([-+\d.]+ Mbit\/s \[([-\d.]+), ([-\d.]+)\]\)/.exec(own) ?? [];
  if (way !== undefined) {
    told('not settled', way === 'rising' ? drift > 0.02 : drift < -0.02, `${own} [truth: ${drift}]`);
    told(
      'interval of a drift',
      drift >= number(low) - digits.drift && drift <= number(high) + digits.drift,
      `${own} [truth: ${drift}]`,
    );
  }
  const few = /goodput (lower|higher) in the second half in (?:all )?(\d+) trials? /.exec(own);
  if (few !== null)
    told(
      'drift of few trials',
      number(few[2]) === shown.length && shown.every(({ driftBps }) => driftBps > 0 === (few[1] === 'higher')),
      own,
    );
}

/** Judges what is said of trials with a late round trip: it is said if one to half of the trials have it. */
function judgeExcursions(text: string, id: string, shown: readonly Shown[], told: Told): void {
  const over = shown.filter(({ lateMs }) => lateMs > 1000);
  const [, note = ''] = /Rare, and in no median: (.*)/s.exec(text) ?? [];
  const [, some = '0', all = '0', most] =
    new RegExp(
      `${id}: in (\\d+) of (\\d+) trials the round trip exceeded [\\d.]+ ms for over a second, at most ([\\d.]+) s`,
    ).exec(note) ?? [];
  const isDue = over.length > 0 && 2 * over.length <= shown.length;
  told(
    'excursions',
    isDue
      ? number(some) === over.length &&
          number(all) === shown.length &&
          Math.abs(number(most) * 1000 - Math.max(...over.map(({ lateMs }) => lateMs))) < 6
      : most === undefined,
    `${id}: ${some} of ${all}, ${most} s [truth: ${over.length} of ${shown.length}]`,
  );
}

/** Judges the warning about machines, and the number of pairs left out. No try is void in runs with machines. */
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
  const words =
    /, (no stall|1 stall of ([\d.]+)(?: to ([\d.]+))? ms|(\d+) stalls[^,;]*, the longest ([\d.]+)(?: to ([\d.]+))? ms)/.exec(
      said,
    );
  if (words === null) throw new Error(`no stalls in ${said}`);
  // a delayed page leaves up to three periods of the display open in the length of a stall
  const open = (of: number, by: number) => of >= -6 && of <= by;
  const inWords = words[1] === 'no stall' ? 0 : number(words[4] ?? '1');
  const [least, most] = [words[2] ?? words[5], words[3] ?? words[6] ?? words[2] ?? words[5]].map(number);
  const isWithin = (low: number, high: number) => longestMs >= low - 1 && longestMs <= high + 1 && high - low <= 51;
  told(
    'stalls',
    inWords === stalled.length && (inWords === 0 || isWithin(least!, most!)),
    `${said} [truth: ${stalled.length}, ${longestMs} ms]`,
  );
  const cell = cells['Stalls, all trials'] ?? '';
  const [, from, to] = /^([\d.]+)(?: to ([\d.]+))? ms$/.exec(cells['Longest gap, all trials'] ?? '') ?? [];
  const [, sum, trials] = / ([\d.]+) s in (\d+) of \d+$/.exec(cell) ?? [];
  const isRight =
    stalled.length === 0
      ? cell === '0'
      : cell.startsWith(`${stalled.length} ${sum} s`) &&
        number(trials) === stalled.length &&
        open(number(sum) * 1000 - trueSum, 51 + 5 * stalled.length) &&
        isWithin(number(from), number(to ?? from));
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
  [
    'late frames',
    'Frame latency, 95th percentile',
    'higher 95th percentile of frame latency',
    'lower 95th percentile of frame latency',
  ],
];

function judgeEffects(said: string, cells: Record<string, string>, shift: Record<Quantity, number>, told: Told): void {
  const [, untested = ''] = /not testable against \S+: (.*)/.exec(said) ?? [];
  for (const [quantity, column, more, less] of claims) {
    const value = shift[quantity];
    const noun = more.replace(/^\w+ /, '');
    const [, from, to] =
      new RegExp(`(?:^|; )${noun} [-+]?[\\d.]+ [\\w/]+ \\[([-\\d.]+), ([-\\d.]+)\\]`).exec(untested) ?? [];
    if (from !== undefined)
      told(
        'interval of an untested difference',
        value >= number(from) - digits[quantity] && value <= number(to) + digits[quantity],
        `${untested}, in truth ${value}`,
      );
    const cell = cells[column] ?? '';
    const [, , low, high, standing] = /^([+-]?[\d.]+) [A-Za-z/]+ \[([-\d.]+), ([-\d.]+)\] (.*)$/.exec(cell) ?? [];
    const isClaim = said.includes(more) || said.includes(less);
    if (isClaim !== /^(better|worse)$/.test(standing ?? ''))
      throw new Error(`sentence and table do not agree: ${said} ${column}: ${cell}`);
    const isTrue = isClaim && (said.includes(more) ? value > 0 : value < 0);
    if (isClaim) told('claim', isTrue, `${said} ${cell}, in truth ${value}`);
    // a false claim also has a false interval, which is not counted again
    if (low === undefined || standing === 'too few pairs' || (isClaim && !isTrue)) continue;
    told(
      isClaim ? 'interval of a claim' : 'interval of a difference',
      value >= number(low) - digits[quantity] && value <= number(high) + digits[quantity],
      `${cell}, in truth ${value}`,
    );
    const [, shownFrom] = /^not significant; detectable with 95 % power: ([\d.]+) /.exec(standing!) ?? [];
    if (shownFrom !== undefined && value !== 0)
      told(
        'what would have been shown',
        Math.abs(value) < number(shownFrom) + digits[quantity],
        `${cell}, in truth ${value}`,
      );
  }
}

/** Harmonic rate of even frames with one stall in a window of ten seconds. */
function harmonicRate({ frameRate, stallMs }: Shown): number {
  const stepMs = 1000 / frameRate;
  return stallMs === 0 ? frameRate : 1e7 / ((1e4 - stallMs) * stepMs + stallMs ** 2);
}

function judgeMotion(said: string, shown: readonly Shown[], told: Told): void {
  const [, how, some, all, why, , rate] =
    /: (smooth|uneven) motion(?: in (\d+) of (\d+) trials \(([^)]*)\),| in (\d+) trials,| at) (?:median )?([\d.]+) of \d+ fps/.exec(
      said,
    ) ?? [];
  if (how === undefined) throw new Error(`no motion in ${said}`);
  const slow = shown.filter(trial => harmonicRate(trial) < 0.9 * capturedRate);
  const gapped = shown.filter(({ stallMs }) => stallMs > 100);
  const smooth = shown.filter(trial => !slow.includes(trial) && !gapped.includes(trial)).length;
  // a rate near the limit may be on either side of it, by a frame more or less
  if (shown.some(trial => Math.abs(harmonicRate(trial) - 0.9 * capturedRate) < 0.2)) return;
  const isSaid =
    some === undefined
      ? smooth === (how === 'smooth' ? shown.length : 0)
      : number(some) === smooth && number(all) === shown.length;
  const [, slowSaid] = /harmonic rate (?:down to )?[\d.]+ fps in (\d+)/.exec(why ?? '') ?? [];
  const [, gapSaid] = /a gap of (?:up to )?\d+ ms in (\d+)/.exec(why ?? '') ?? [];
  const isWhy =
    why === undefined || (number(slowSaid ?? '0') === slow.length && number(gapSaid ?? '0') === gapped.length);
  told(
    'motion',
    isSaid && isWhy,
    `${said} [truth: ${smooth} of ${shown.length}, ${slow.length} slow, ${gapped.length} with gaps]`,
  );
  const middle = median(
    shown.map(trial => trial.frameRate * (1 - Math.max(0, trial.stallMs - 1000 / trial.frameRate) / 1e4)),
  )!;
  told('motion', Math.abs(number(rate) - middle) <= 0.16, `${said} [truth: ${middle} fps]`);
}

/** Judges the table of the tries, and Table 1 with its caption. */
export function judgeTables(
  { tries: rows, table1, caption }: ToldReport,
  tries: Tries,
  truth: readonly Population[],
  told: Told,
): void {
  for (const [k, [id, own]] of Object.entries(tries).entries()) {
    const all = own.flat();
    const valid = all.filter(({ isVoid }) => !isVoid);
    const row = rows[id];
    if (row === undefined) throw new Error(`nothing is said of the tries of ${id}`);
    const reason =
      all.length === valid.length ? '\u2013' : `the machine was \u2026 % busy (${all.length - valid.length})`;
    told(
      'table of tries',
      JSON.stringify(row) ===
        JSON.stringify([
          String(all.length),
          String(valid.length),
          '0',
          String(all.length - valid.length),
          '\u2013',
          reason,
        ]),
      `${id}: ${row.join(' | ')}`,
    );
    const n = valid.length;
    told(
      'n of a caption',
      new RegExp(`\\bn = ${n} per condition|${id} n = ${n}\\b`).test(caption),
      `${id} n = ${n}: ${caption}`,
    );
    if (n < 6) continue;
    for (const [quantity, title] of inTable1) {
      const [, low, high] = /\[([\d.]+), ([\d.]+)\]/.exec(table1[title]?.[k] ?? '') ?? [];
      if (low === undefined) throw new Error(`no interval of ${title}: ${JSON.stringify(table1)}`);
      const value = truth[k]!.median[quantity];
      told(
        'interval in Table 1',
        value >= number(low) - digits[quantity] && value <= number(high) + digits[quantity],
        `${title} ${value} in ${table1[title]![k]}`,
      );
    }
    if (k > 0) judgeHarm(table1['Harm factor (stalled time)']![k]!, tries, id, truth[k]!, told);
  }
}

const inTable1: readonly [Quantity, string][] = [
  ['bitrate', 'Goodput'],
  ['frame rate', 'Frame rate'],
  ['stalled time', 'Stalled time'],
  ['frame latency', 'Frame latency, median'],
  ['late frames', 'Frame latency, 95th percentile'],
];

/** Judges the cell of harm. If a trial of the baseline has no stall, the cell gives the number of such pairs. */
function judgeHarm(cell: string, tries: Tries, id: string, { shift }: Population, told: Told): void {
  const base = Object.values(tries)[0]!;
  const counted = (of: (typeof base)[number]) => of.find(({ isVoid }) => !isVoid);
  const pairs = tries[id]!.flatMap((own, repeat) => {
    const [mine, other] = [counted(own), counted(base[repeat]!)];
    // two trials of different machines are not a pair
    return mine === undefined || other === undefined || mine.machine !== other.machine
      ? []
      : [other.shown.stallMs > 200];
  });
  const without = pairs.filter(stalled => !stalled).length;
  const [, inSome, ofAll, all] =
    /the baseline has 0 s in (?:(\d+) of (\d+) pairs|all (\d+) pairs|its one trial)/.exec(cell) ?? [];
  const isSaid = /^undefined/.test(cell);
  told(
    'harm factor',
    isSaid === without > 0 &&
      (!isSaid ||
        (all === undefined
          ? inSome === undefined || (number(inSome) === without && number(ofAll) === pairs.length)
          : number(all) === without && without === pairs.length)),
    `${cell} [truth: ${without} of ${pairs.length}]`,
  );
  const [, low, high] = /difference [-+]?[\d.]+ s \[([-\d.]+), ([-\d.]+)\]/.exec(cell) ?? [];
  if (low === undefined || pairs.length < 6) return;
  const value = shift['stalled time'];
  told(
    'interval of the harm',
    value >= number(low) - digits['stalled time'] && value <= number(high) + digits['stalled time'],
    `${cell}, in truth ${value}`,
  );
}

/** Compared quantities. `scale`: factor to the unit of the truth. */
const compared: readonly [Quantity, id: string, scale: number][] = [
  ['stalled time', 'stall-time', 1],
  ['frame rate', 'frame-rate', 1],
  ['bitrate', 'goodput', 1e-6],
  ['late frames', 'frame-latency-p95', 1],
];

/** Judges the text on one condition of two runs. */
export function judgeComparison(words: string, rows: readonly MetricRow[], { apart }: Population, told: Told): void {
  for (const [quantity, id, scale] of compared) {
    const { title } = rows.find(row => row.quantity.id === id)!.quantity;
    const name = title.replace(/[()]/g, '\\$&');
    const value = apart[quantity];
    const [, way, low, high] =
      new RegExp(`(?:: |; )${name} (rose|fell) by [\\d.]+ [\\w/]+ \\[([-\\d.]+), ([-\\d.]+)\\]`).exec(words) ?? [];
    if (way !== undefined) {
      const isTrue = way === 'rose' ? value > 0 : value < 0;
      told('claim of two runs', isTrue, `${words} [truth: ${quantity} ${value}]`);
      const size = Math.abs(value);
      if (isTrue)
        told(
          'interval of a claim of two runs',
          size >= number(low) - digits[quantity] && size <= number(high) + digits[quantity],
          `${words} [truth: ${quantity} ${value}]`,
        );
      continue;
    }
    const [, from, to] =
      new RegExp(
        `Not shown to differ: (?:.*; )?${name} [-+]?[\\d.]+ [\\w/]+ \\[([-\\d.]+), ([-\\d.]+)\\].*: differences outside`,
      ).exec(words) ?? [];
    if (from !== undefined)
      told(
        'what two runs exclude',
        value >= number(from) - digits[quantity] && value <= number(to) + digits[quantity],
        `${words} [truth: ${quantity} ${value}]`,
      );
    const row = rows.find(own => own.quantity.id === id)!;
    if (row.shift.low !== null && Math.min(row.shift.nA, row.shift.nB) >= 6)
      told(
        'interval of a difference of two runs',
        value >= row.shift.low * scale - digits[quantity] && value <= row.shift.high! * scale + digits[quantity],
        `${quantity} [${row.shift.low}, ${row.shift.high}], in truth ${value}`,
      );
    const [, shownFrom] =
      new RegExp(`Detectable with 95 % power[^:]*: (?:[^.]|\\.\\d)*?${name} ([\\d.]+) `).exec(words) ?? [];
    if (shownFrom !== undefined && value !== 0)
      told(
        'what two runs would have shown',
        Math.abs(value) < number(shownFrom) + digits[quantity],
        `${words} [truth: ${quantity} ${value}]`,
      );
  }
}
