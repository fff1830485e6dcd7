/** Two studies at once on one machine: the second waits for the first, also for one that is killed, or runs beside it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cannotRun, Place, type Session, short } from '../e2e/support/run-command.ts';

const begun = /\[1\/2\] {2}Alone/;
const taken = (out: string) =>
  new RegExp(`this machine is taken by experiment hello, results in ${out} \\(process \\d+, since `);

describe('two studies at once', { skip: cannotRun }, () => {
  test('the second names the first and waits until it is gone; a third runs at once where it is told to', async () => {
    const place = new Place();
    const outOf = (name: string) => join(place.path, name);
    const start = (name: string, ...more: string[]) =>
      place.start(['experiment', ...short, '--set', 'run.preflight=false', '--out', outOf(name), ...more]);
    const stop = async (session: Session) => {
      session.process.kill('SIGINT');
      assert.equal((await session.finish()).status, 130);
    };
    try {
      const first = start('first', '--set', 'run.window=60s');
      await first.printed(begun);
      const second = start('second');
      await second.printed(taken(outOf('first')));
      const third = start('third', '--beside');
      await third.printed(begun);
      assert.match(third.stdout, taken(outOf('first')));
      assert.doesNotMatch(second.stdout, begun);
      await stop(third);
      // who gives up waiting has a way to go on, and leaves nothing
      const fourth = start('fourth', '--wait');
      await fourth.printed(taken(outOf('first')));
      await stop(fourth);
      assert.match(fourth.stderr, /--resume/);
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
  });
});
