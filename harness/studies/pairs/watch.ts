/** Repeats a pairwise study until it is interrupted. */
import { join } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { giveBack } from '../../../core/system/ownership.ts';
import { siteUrl } from '../../../core/text/site-url.ts';
import type { Watch } from '../study.ts';
import { makeSite, openCycle } from './cycles.ts';
import type { PairsPlan } from './plan.ts';
import { keepSiteUrl, writeSite } from './site.ts';
import type { PairsSummary } from './summary.ts';

/** Continues the last cycle if it is incomplete; otherwise begins a new cycle. */
async function runNext(path: string, { plan, values, software, again, say, run }: Watch<PairsPlan>): Promise<void> {
  const despiteChanges = values['despite-changes'] === true;
  const { name, folder, note } = await openCycle(path, plan, software, { again, despiteChanges });
  try {
    if (note !== null) say(note);
    say(`cycle ${name}`);
    await writeSite(path, plan.title, { name, folder });
    const { summary } = await run(folder);
    await writeSite(path, plan.title, null);
    const givenUp = (summary as PairsSummary).cells.filter(({ state }) => state === 'given-up').length;
    const unmeasured = givenUp === 0 ? '' : `, ${givenUp} cells could not be measured`;
    say(`cycle ${name} is done${unmeasured}: ${join(path, 'index.html')}`);
    if (givenUp === plan.cells.length)
      throw new CoexistError('trials-failed', 'no cell of the cycle could be measured', {
        hint: `the report says why: ${folder.file('report.html')}`,
      });
  } finally {
    folder.release();
  }
}

/**
 * Runs cycle after cycle until the user interrupts. Under sudo, the site finally belongs to the user who ran sudo.
 * `--site-url`: address at which the site is published.
 */
export async function watchPairs(path: string, watch: Watch<PairsPlan>): Promise<never> {
  makeSite(path); // outside the `try`: a folder that it refuses keeps its owner
  const url = watch.values['site-url'];
  try {
    if (url !== undefined) keepSiteUrl(path, siteUrl(String(url)));
    for (;;) {
      watch.signal.throwIfAborted();
      await runNext(path, watch);
    }
  } finally {
    giveBack(path);
  }
}
