/**
 * Precedence of trials over other programs of this machine while a holder exists: of this process, and of programs
 * started with its words (level.ts, means.ts).
 *
 * Settings end with their processes, except two that a lease lists: the control group and the nice value of this
 * session. If this process is killed, the next start reverts them (`removeLeftPrecedence`).
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
  /** Returns the words to put before the command of a program of `level`. */
  words(level: Level): string[];
}

export interface HeldPrecedence extends Precedence {
  readonly reading: PrecedenceReading;
  release(): Promise<void>;
}

/** Precedence that leaves programs unchanged. */
export const noPrecedence: Precedence = { words: () => [] };

/** Sets the nice value of all threads of this process. Threads whose value the kernel refuses to change are skipped. */
function setOwnNice(nice: number): void {
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), nice);
    } catch {
      continue; // the thread has ended, or the kernel refuses
    }
  }
}

/** Precedence that this process has while it runs trials. */
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

  /** Reverts the settings. The lease keeps those that cannot be reverted now. */
  async release(): Promise<void> {
    setOwnNice(this.#formerNice);
    restoreSession(join(this.#lease.scratch, noteFolder));
    await this.#group?.remove();
    this.#lease.release();
  }
}

/** Takes precedence by `means`, independently of other holders. */
export const holdPrecedence = (means: Means): Promise<HeldPrecedence> => OwnPrecedence.take(means);

/**
 * Restores the nice value of the session of a killed run. The run's control group is removed with the others.
 * `scratch`: folder of the run's lease.
 */
export function removeLeftPrecedence(scratch: string): void {
  restoreSession(join(scratch, noteFolder));
}

let held: { users: number; own: Promise<HeldPrecedence> } | undefined;
/** Resolves when the last holder has released the precedence. */
let returned: Promise<void> = Promise.resolve();

/**
 * Gives precedence to this process and to the programs that it starts with `words` of the result. The precedence ends
 * when every caller has released it.
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
