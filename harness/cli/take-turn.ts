/**
 * Waits before a study's first trial until no other study runs on this machine, and prints a line meanwhile. `--beside`
 * skips the wait. The wait has no deadline: it repeatedly names the study it waits for, and Ctrl-C ends it.
 */

import { CoexistError } from '../../core/errors.ts';
import { sleep } from '../../core/system/deadline.ts';
import { MachineTurn, type Neighbour } from '../../core/system/machine-turn.ts';
import { formatDuration } from '../../core/text/units.ts';

export const turnOptions = { wait: { type: 'boolean' }, beside: { type: 'boolean' } } as const;

/** Words on waiting in the usage of a command. */
export const turnUsage = '[--wait|--beside]';

type TurnValues = { wait?: boolean; beside?: boolean };

type TakeTurn = TurnValues & {
  /**
   * Words that describe this study to other studies that wait for it, for example "experiment hello, results in
   * runs/hello".
   */
  what: string;
  say(text: string): void;
  signal: AbortSignal;
  /** Folder of the turns, in place of the usual one; for tests. */
  folder?: string;
  lookMs?: number;
  sayAgainMs?: number;
};

/** Throws `usage` if `--wait` and `--beside` are combined. */
export function checkTurnOptions({ wait, beside }: TurnValues): void {
  if (wait !== true || beside !== true) return;
  throw new CoexistError('usage', '--wait and --beside exclude each other', { hint: 'leave out one of them' });
}

const described = ({ what, pid, sinceMs }: Neighbour) =>
  `${what} (process ${pid}, since ${new Date(sinceMs).toTimeString().slice(0, 8)})`;

/** Waits for the turn on this machine and resolves to it. The caller has to release the turn. */
export async function takeTurn({
  what,
  beside,
  say,
  signal,
  folder,
  lookMs = 500,
  sayAgainMs = 600_000,
}: TakeTurn): Promise<MachineTurn> {
  const turn = MachineTurn.take(what, folder);
  try {
    const startMs = Date.now();
    let [said, saidMs] = ['', startMs];
    for (;;) {
      signal.throwIfAborted();
      const ahead = turn.ahead.map(described);
      const who = ahead.join(', ');
      if (beside === true && who !== '')
        say(`this machine is taken by ${who}: trials at the same time disturb each other and may be void (--beside)`);
      if (beside === true || who === '') {
        if (said !== '') say(`the machine is free after ${formatDuration(roundedMs(Date.now() - startMs))}`);
        return turn;
      }
      const isLate = Date.now() - saidMs >= sayAgainMs;
      // a process that is still choosing a number for its turn needs only a moment
      if ((who !== said && Date.now() - startMs >= lookMs) || isLate) {
        say(`${who === said ? 'still waiting' : 'waiting'}: this machine is taken by ${who}${mend}`);
        [said, saidMs] = [who, Date.now()];
      }
      await sleep(lookMs, signal);
    }
  } catch (error) {
    turn.release();
    throw error;
  }
}

const mend = '\n  -> Ctrl-C ends the wait; with --beside it runs at once, and both disturb each other';

const roundedMs = (ms: number) => Math.max(1000, Math.round(ms / 1000) * 1000);
