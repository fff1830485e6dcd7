/**
 * `npm run demo`: shows a stream through the link and the same stream past the link side by side, with live curves and
 * controls.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { boundOf, pick } from '../../core/plugins.ts';
import { wholeNumber } from '../../core/text/whole-number.ts';
import { loadStudy } from '../definition/load.ts';
import { runDemo } from '../demo/demo.ts';
import { checkDisplay } from '../demo/display.ts';
import { firstValues } from '../demo/first-values.ts';
import { findFloodKinds } from '../demo/flood-kinds.ts';
import { noFlood } from '../demo/settings.ts';
import { checkRoot } from '../trial/check.ts';
import { describeCleaned, removeLeftovers } from '../trial/leftovers.ts';
import { loadRegistries } from '../trial/registries.ts';
import { parseArguments } from './arguments.ts';
import { onInterruption } from './interruption.ts';
import { print } from './print.ts';
import { checkTurnOptions, takeTurn, turnOptions, turnUsage } from './take-turn.ts';

/** Name of the study whose definition sets the first values. */
const flagship = 'bbr-flood';

const usage = `npm run demo -- [--set path=value ...] [--seconds N] [--xvfb [--picture FILE.png]] ${turnUsage}`;

const options = {
  set: { type: 'string', multiple: true },
  seconds: { type: 'string' },
  xvfb: { type: 'boolean' },
  picture: { type: 'string' },
  ...turnOptions,
} as const;

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(argv, options, usage);
  if (positionals.length > 0)
    throw new CoexistError('usage', `the demonstration takes no study: ${positionals.join(', ')}`, { hint: usage });
  const seconds = values.seconds === undefined ? undefined : wholeNumber(values.seconds, 'seconds', 1);
  const virtual = values.xvfb === true;
  const { picture } = values;
  if (picture !== undefined && !virtual)
    throw new CoexistError('usage', '--picture is of a screen that nobody sees: it needs --xvfb', { hint: usage });
  if (picture !== undefined && !existsSync(dirname(resolve(picture))))
    throw new CoexistError('usage', `--picture ${picture}: there is no folder ${dirname(picture)}`, { hint: usage });
  checkTurnOptions(values);
  const registries = await loadRegistries();
  const first = firstValues(
    (await loadStudy(flagship)).definition,
    values.set ?? [],
    registries,
    availableParallelism(),
  );
  checkRoot('the demonstration needs');
  checkDisplay(virtual);
  await boundOf(registries.services, first.service, 'service').check(true);
  const { flood } = first.settings;
  const floods = pick(registries.services, first.flood.id, 'service');
  if (flood !== noFlood) await floods.bound(first.flood.params).check(true);
  const kinds = await findFloodKinds(floods, flood === noFlood ? null : flood);
  const end = onInterruption();
  const turn = await takeTurn({ ...values, what: 'the demonstration', say, signal: end.signal });
  try {
    const cleaned = describeCleaned(await removeLeftovers());
    if (cleaned !== undefined) say(cleaned);
    return await untilEnd(end, seconds, signal => runDemo({ first, kinds, registries, virtual, picture, signal, say }));
  } finally {
    turn.release();
  }
}

function say(text: string): void {
  print(`${text}\n`);
}

/** Runs a demonstration until the time is up or a signal comes. `run` ends earlier only with an error. */
async function untilEnd(
  end: AbortController,
  seconds: number | undefined,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const timeUp = new Error('the time is up');
  const timer = seconds === undefined ? undefined : setTimeout(() => end.abort(timeUp), seconds * 1000);
  try {
    await run(end.signal);
  } catch (error) {
    if (error instanceof CoexistError && error.code === 'browser-died' && !end.signal.aborted)
      say('a window was closed, or its browser died: the demonstration ends');
    else if (error !== timeUp) throw error;
  } finally {
    clearTimeout(timer);
  }
  return exitStatus.done;
}
