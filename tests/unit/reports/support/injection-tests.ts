/** Counts false statements in reports on runs with known truth. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { comparisonOf, reportOf } from './injected.ts';
import { injections, makeTries, populations } from './injections.ts';
import { judgeComparison, judgeTables, judgeVerdict, type Told } from './statements.ts';

/** Kinds of stated changes. At most 5 % of all reports may have a false one of a kind. */
const claimKinds = ['claim', 'claim of two runs'] as const;
type ClaimKind = (typeof claimKinds)[number];
const isClaim = (kind: string) => (claimKinds as readonly string[]).includes(kind);

/** Kinds of statements that every report makes. */
const foundInEach = [
  'stalls',
  'motion',
  'number of trials',
  'table of tries',
  'n of a caption',
  'interval of a median',
  'interval in Table 1',
  'harm factor',
  'interval of a difference of two runs',
];

/** Numbers of false and of all statements, by their kind. `examples`: false statements. */
type Count = {
  kinds: Map<string, { wrong: number; all: number }>;
  reports: number;
  /** Reports with a false claim. */
  withFalse: Record<ClaimKind, number>;
  examples: string[];
};

/** Makes reports on one kind of truth, and counts their false statements. */
async function injected(parent: string, kind: string, reports: number): Promise<Count> {
  const count: Count = {
    kinds: new Map(),
    reports,
    withFalse: { claim: 0, 'claim of two runs': 0 },
    examples: [],
  };
  for (let i = 0; i < reports; i++) {
    const random = seededRandom(1000 * Object.keys(injections).indexOf(kind) + i);
    const injection = injections[kind]!(random);
    const tries = makeTries(random, injection);
    const name = `${kind.replaceAll(' ', '-')}-${i}`;
    const report = await reportOf(parent, name, tries);
    const hasFalse = new Set<string>();
    const told: Told = (of, isTrue, words) => {
      const so = count.kinds.get(of) ?? { wrong: 0, all: 0 };
      count.kinds.set(of, { wrong: so.wrong + (isTrue ? 0 : 1), all: so.all + 1 });
      if (isTrue) return;
      count.examples.push(`${of}: ${words}`);
      hasFalse.add(of);
    };
    const truth = populations(injection);
    judgeVerdict(report.verdict, tries, truth, told);
    judgeTables(report, tries, truth, told);
    // an earlier run of the same study, in which no condition had an effect
    const before = await reportOf(
      parent,
      `${name}-before`,
      makeTries(random, { ...injection, effects: injection.effects.map(() => ({})) }),
    );
    for (const [k, { words, rows }] of comparisonOf(before.run, report.run).entries())
      judgeComparison(words, rows, truth[k]!, told);
    for (const claim of claimKinds) if (hasFalse.has(claim)) count.withFalse[claim]++;
  }
  return count;
}

/** Kinds of statements that follow from facts of the record, without chance: none may be false. */
const certain = [
  'void tries',
  'number of trials',
  'stalls',
  'machines',
  'motion',
  'table of tries',
  'n of a caption',
  'harm factor',
  'excursions',
  'drift of few trials',
];
/** Share of false statements of one kind that is acceptable: that of an interval of 95 %. */
const acceptable = 0.05;
/** Share of false statements of all kinds together that is acceptable. */
const acceptableInAll = 0.02;

/** Number of successes in `n` chances of `share` each that is not exceeded in 99 of 100 cases. */
function mostByChance(n: number, share = acceptable): number {
  let [chance, sum, k] = [(1 - share) ** n, (1 - share) ** n, 0];
  while (sum < 0.99) sum += chance *= (((n - k) / ++k) * share) / (1 - share);
  return k;
}

const totalOf = (kinds: Count['kinds']) =>
  [...kinds.values()].reduce((sum, of) => ({ wrong: sum.wrong + of.wrong, all: sum.all + of.all }), {
    wrong: 0,
    all: 0,
  });

/**
 * Errors of a count. Empty if all statements together are false no more often than chance allows at 2 %, and no kind of
 * statement more often than it allows at 5 %.
 */
function excesses({ kinds, reports, withFalse }: Count): string[] {
  const all = totalOf(kinds);
  const wrongOf = [...kinds].filter(
    ([kind, of]) => !isClaim(kind) && of.wrong > (certain.includes(kind) ? 0 : mostByChance(of.all)),
  );
  return [
    ...wrongOf.map(([kind, of]) => `${kind}: ${of.wrong} of ${of.all} are false`),
    ...(all.wrong > mostByChance(all.all, acceptableInAll)
      ? [`${all.wrong} of all ${all.all} statements are false`]
      : []),
    ...claimKinds.flatMap(kind =>
      withFalse[kind] > mostByChance(reports)
        ? [`${withFalse[kind]} of ${reports} reports have a ${kind} that is false`]
        : [],
    ),
  ];
}

/** Tests each kind of truth with this many reports. `more`: further checks of the count. */
export function testInjections(reports: number, more: (kind: string, count: Count) => void = () => {}): void {
  const folder = temporaryFolder();
  for (const kind of Object.keys(injections)) {
    test(`${kind}: of ${reports} reports at most 2 % of what they say is false`, async t => {
      const count = await injected(folder, kind, reports);
      const { wrong: ofAll, all: statements } = totalOf(count.kinds);
      t.diagnostic(
        `${ofAll} of ${statements} statements are false: ${[...count.kinds].map(([of, { wrong, all }]) => `${of} ${wrong} of ${all}`).join(', ')}; ` +
          `${claimKinds.map(of => `a false ${of} in ${count.withFalse[of]} reports`).join(', ')}`,
      );
      assert.deepEqual(excesses(count), [], count.examples.join('\n'));
      assert.ok(
        foundInEach.every(of => (count.kinds.get(of)?.all ?? 0) >= reports),
        `the words were found: ${[...count.kinds.keys()].join(', ')}`,
      );
      more(kind, count);
    });
  }
}
