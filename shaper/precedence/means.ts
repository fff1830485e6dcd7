/**
 * Means of precedence on this machine. They are tried in this order, and the first effective one is used (race.ts):
 *   group  a control group at the top of the machine's tree, with the highest weight, for all of a trial including the
 *          harness; nice values make the order within it
 *   nice   nice values of programs and of their sessions; they may have no effect against other control groups
 */
import { existsSync } from 'node:fs';
import { messageOf } from '../../core/errors.ts';
import { toldOfGroups } from '../../core/system/control-group.ts';
import { Lease } from '../../core/system/lease.ts';
import { TrialGroup } from './group.ts';
import { levelWords } from './level.ts';
import { precedeProgram } from './precede.ts';
import { race } from './race.ts';
import { findWeightPlace, type WeightPlace } from './weight-place.ts';

/** Smallest share of a contended processor at which a means counts as effective, 0 to 1. */
const leastShare = 0.9;

/** Precedence of a trial, as the trial's record contains it. */
export type PrecedenceReading = {
  means: 'group' | 'nice' | 'none';
  /** Share that a program of a trial got of a processor for which it competed, 0 to 1; null: unknown. */
  share: number | null;
  /** Reason why no better means was used; null if the best means is used. */
  obstacle: string | null;
};

export type Means = { reading: PrecedenceReading; place?: WeightPlace };

async function raceInGroup(place: WeightPlace): Promise<number | null> {
  const lease = Lease.open();
  try {
    const group = await TrialGroup.make(place, lease.scratch);
    try {
      return await race(levelWords('part', group.list));
    } finally {
      await group.remove();
    }
  } finally {
    lease.release();
  }
}

const acts = (share: number | null): share is number => share !== null && share >= leastShare;

async function find(): Promise<Means> {
  const none = (obstacle: string): Means => ({ reading: { means: 'none', share: null, obstacle } });
  if (!existsSync(precedeProgram)) return none('the native program coexist-precede is not built');
  let obstacle: string;
  try {
    const place = findWeightPlace(toldOfGroups());
    if ('obstacle' in place) obstacle = place.obstacle;
    else {
      const share = await raceInGroup(place);
      if (acts(share)) return { reading: { means: 'group', share, obstacle: null }, place };
      obstacle = `a control group in ${place.top} has no weight against other programs`;
    }
  } catch (error) {
    obstacle = messageOf(error).split('\n')[0]!;
  }
  const share = await race(levelWords('part'));
  if (acts(share)) return { reading: { means: 'nice', share, obstacle } };
  return none(`${obstacle}; nice values do not act`);
}

let found: Promise<Means> | undefined;

/** Returns the best effective means. It is tried once, before this process has any precedence. */
export const precedenceHere = (): Promise<Means> => (found ??= find());

/** Returns a description of the precedence for people. */
export function describePrecedence({ means, share, obstacle }: PrecedenceReading): string {
  const why = obstacle === null ? '' : ` (${obstacle})`;
  if (share === null) return `none${why}`;
  const by = means === 'group' ? 'a control group with the highest weight' : 'nice values';
  return `by ${by}: ${Math.round(100 * share)} % of a processor that another program wants as well${why}`;
}
