/** A study that waits for another one on the machine, which is killed. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Place, type Session, short } from './run-command.ts';

/** A trial is under way. */
export const begun = /\[1\/2\] {2}Alone/;

export type Studies = {
  second: Session;
  start(name: string, ...more: string[]): Session;
  /** As by Ctrl-C. */
  stop(session: Session): Promise<void>;
  /** Said by whoever finds the machine taken by the first. */
  isTaken: RegExp;
};

/**
 * The second study names the first and waits until it is gone, also where that is killed; then it begins. `meanwhile`:
 * what others do while it waits.
 */
export async function secondWaits(meanwhile: (studies: Studies) => Promise<void> = async () => {}): Promise<void> {
  const place = new Place();
  const outOf = (name: string) => join(place.path, name);
  const start = (name: string, ...more: string[]) =>
    place.start(['experiment', ...short, '--set', 'run.preflight=false', '--out', outOf(name), ...more]);
  const stop = async (session: Session) => {
    session.process.kill('SIGINT');
    assert.equal((await session.finish()).status, 130);
  };
  const isTaken = new RegExp(
    `this machine is taken by experiment hello, results in ${outOf('first')} \\(process \\d+, since `,
  );
  try {
    const first = start('first', '--set', 'run.window=60s');
    await first.printed(begun);
    const second = start('second');
    await second.printed(isTaken);
    await meanwhile({ second, start, stop, isTaken });
    assert.doesNotMatch(second.stdout, begun);
    // nothing of a killed one blocks the next
    first.process.kill('SIGKILL');
    await second.printed(/the machine is free after \d+ (s|min)[^]*removed what 1 killed run left/);
    await second.printed(begun);
    await stop(second);
    assert.deepEqual([place.leases(), await place.namespaces()], [[], []]);
  } finally {
    await place.clean();
    place.remove();
  }
}
