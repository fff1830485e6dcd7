/** A pairwise study that begins again when it has ended, for ever. */
import { join } from 'node:path';
import { CoexistError } from '../../core/errors.ts';
import { giveBack } from '../../core/ownership.ts';
import { type CycleOptions, runCycle } from './pairs-cycle.ts';
import { changesBefore, makeSite, openCycle } from './pairs-cycles.ts';
import { keepSiteUrl, writeSite } from './pairs-site.ts';

/** `again`: the command that goes on with it. */
type WatchOptions = CycleOptions & { again: string; despiteChanges: boolean; url?: string };

/** Goes on with the cycle that was not completed, or begins one. */
async function runNext(path: string, options: WatchOptions): Promise<void> {
  const { plan, software, again, despiteChanges, printer } = options;
  const { name, folder, note } = await openCycle(path, plan, software, { again, despiteChanges });
  try {
    if (note !== null) printer.say(note);
    printer.say(`cycle ${name}`);
    await writeSite(path, plan.title, { name, folder });
    const { givenUp } = await runCycle({ ...options, folder, changes: changesBefore(path, name) });
    await writeSite(path, plan.title, null);
    printer.say(
      `cycle ${name} is done${givenUp.size === 0 ? '' : `, ${givenUp.size} cells could not be measured`}: ${join(path, 'index.html')}`,
    );
    if (givenUp.size === plan.cells.length)
      throw new CoexistError('trials-failed', 'no cell of the cycle could be measured', {
        hint: `the report says why: ${folder.file('report.html')}`,
      });
  } finally {
    folder.release();
  }
}

/**
 * Runs cycle after cycle until it is interrupted. Under sudo the site then belongs to the person who started it. `url`:
 * where the site is published.
 */
export async function watchPairs(path: string, options: WatchOptions): Promise<never> {
  makeSite(path); // what it refuses is something else, whose owner stays
  try {
    if (options.url !== undefined) keepSiteUrl(path, options.url);
    for (;;) {
      options.signal.throwIfAborted();
      await runNext(path, options);
    }
  } finally {
    giveBack(path);
  }
}
