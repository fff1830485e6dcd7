/**
 * Precedence of trials over other programs of this machine, for as long as somebody holds it: of this process, and of
 * what is started by its words (level.ts, means.ts).
 *
 * What is set ends with the processes that have it, but for two things, which a lease lists: the control group and the
 * nice value of this session. The next start gives them back where this one is killed (`removeLeftPrecedence`).
 */
import { mkdirSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { Lease } from '../../core/system/lease.ts';
import { noteFolder, TrialGroup } from './group.ts';
import { harnessNice, harnessSession, type Level, levelWords } from './level.ts';
import { type Means, type PrecedenceReading, precedenceHere } from './means.ts';
import { raiseSession, restoreSession } from './session.ts';

export interface Precedence {
  /** The words that come before those of a program. */
  words(level: Level): string[];
}

export interface HeldPrecedence extends Precedence {
  readonly reading: PrecedenceReading;
  release(): Promise<void>;
}

/** What everything has that nobody gives any. */
export const noPrecedence: Precedence = { words: () => [] };

/** Nice values of all threads of this process. Those that the kernel refuses stay as they are. */
function setOwnNice(nice: number): void {
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), nice);
    } catch {
      continue; // it has ended, or may not
    }
  }
}

/** Of this process while trials run in it. */
class OwnPrecedence implements HeldPrecedence {
  readonly reading: PrecedenceReading;
  readonly #lease: Lease;
  readonly #group: TrialGroup | undefined;
  readonly #formerNice = getPriority();

  private constructor(reading: PrecedenceReading, lease: Lease, group: TrialGroup | undefined) {
    this.reading = reading;
    this.#lease = lease;
    this.#group = group;
  }

  static async take({ reading, place }: Means): Promise<OwnPrecedence> {
    const lease = Lease.open();
    const folder = join(lease.scratch, noteFolder);
    mkdirSync(folder);
    try {
      const group = place === undefined ? undefined : await TrialGroup.make(place, lease.scratch);
      const own = new OwnPrecedence(reading, lease, group);
      try {
        if (group === undefined) raiseSession(harnessSession, folder);
        else group.enter();
        setOwnNice(harnessNice(group !== undefined));
        return own;
      } catch (error) {
        await own.release();
        throw error;
      }
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  words(level: Level): string[] {
    return levelWords(level, level === 'network' ? this.#group?.topList : this.#group?.list);
  }

  /** What cannot be undone now stays in the lease. */
  async release(): Promise<void> {
    setOwnNice(this.#formerNice);
    restoreSession(join(this.#lease.scratch, noteFolder));
    await this.#group?.remove();
    this.#lease.release();
  }
}

/** By these means, whoever else holds it. */
export const holdPrecedence = (means: Means): Promise<HeldPrecedence> => OwnPrecedence.take(means);

/** Gives back what a killed run has set; its control group is removed with the others. `scratch`: of its lease. */
export function removeLeftPrecedence(scratch: string): void {
  restoreSession(join(scratch, noteFolder));
}

let held: { users: number; own: Promise<HeldPrecedence> } | undefined;
/** The last one who had it has given it back. */
let returned: Promise<void> = Promise.resolve();

/**
 * From now on this process takes precedence, and what is started by the words. Until everybody who has called this has
 * released it.
 */
export async function takePrecedence(): Promise<HeldPrecedence> {
  const means = await precedenceHere();
  const none = (reading: PrecedenceReading) => ({ ...noPrecedence, reading, release: async () => {} });
  if (means.reading.means === 'none') return none(means.reading);
  held ??= { users: 0, own: returned.then(() => holdPrecedence(means)) };
  const mine = held;
  mine.users++;
  let own: HeldPrecedence;
  try {
    own = await mine.own;
  } catch (error) {
    if (held === mine) held = undefined;
    return none({ means: 'none', share: null, obstacle: messageOf(error).split('\n')[0]! });
  }
  let isHeld = true;
  return {
    reading: own.reading,
    words: level => own.words(level),
    async release() {
      if (!isHeld) return;
      isHeld = false;
      if (--mine.users > 0) return;
      held = undefined;
      await (returned = own.release());
    },
  };
}
