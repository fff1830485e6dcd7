/**
 * What the tests of a file or of a `describe` share, such as a server: started when the first of them runs, stopped
 * behind the last.
 *
 * A `before` of Node is not enough. It starts at once, also where a name pattern or `skip` leaves every test out, and
 * then `after` runs while `before` is still under way: it stops what is not there yet, and what comes later stays.
 */
import { after, beforeEach } from 'node:test';

/** `stop` runs where `start` was begun, once that has ended, even by an error: it stops what there is. */
export function sharedStart(start: () => unknown, stop: () => unknown = () => {}): void {
  let started: Promise<unknown> | undefined;
  beforeEach(async () => {
    started ??= Promise.resolve().then(start);
    await started;
  });
  after(async () => {
    if (started === undefined) return;
    await started.catch(() => {}); // the tests that wanted it have told
    await stop();
  });
}
