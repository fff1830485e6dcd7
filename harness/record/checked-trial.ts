/** Checks the content of trial.json, whose run folder may come from anywhere. */
import { CoexistError } from '../../core/errors.ts';
import { check } from '../../core/schema/schema.ts';
import { shownValue } from '../../core/text/shown-value.ts';
import { formatDuration } from '../../core/text/units.ts';
import { experimentFormat } from '../definition/plan.ts';
import { ofThisFormat } from './this-format.ts';
import { type ApplicationFile, mostBesideMs, type TrialFile, trialFileSchema } from './trial-file.ts';
import { checkedTrialName } from './trial-name.ts';

const timesOfOutcome = ['startMs', 'readyMs', 'readMs', 'stopMs', 'endedMs'] as const;

/**
 * Throws `bad-run-folder` if a time of an application is far from the window. Series are cut into bins at these times,
 * and a distant time would give an endless number of bins.
 */
function requireNear({ phases }: TrialFile, outcome: ApplicationFile, path: string): void {
  if (phases === null) return;
  const { windowStartMs, windowEndMs } = phases;
  for (const name of timesOfOutcome) {
    const timeMs = outcome[name] ?? windowStartMs;
    if (timeMs >= windowStartMs - mostBesideMs && timeMs <= windowEndMs + mostBesideMs) continue;
    throw new CoexistError(
      'bad-run-folder',
      `${path}: ${name} of ${shownValue(outcome.name)} is more than ${formatDuration(mostBesideMs)} from the window`,
      { hint: "the file was changed; remove the trial's folder and run it again with --resume" },
    );
  }
}

/**
 * Fills in the frame rates of the applications of a condition. Older versions wrote them among the parameters of the
 * services only.
 */
export function fillFrameRates({ applications }: Pick<TrialFile['condition'], 'applications'>): void {
  for (const one of applications) {
    const { frameRate } = one.service.params as { frameRate?: unknown };
    if (one.frameRate === undefined && typeof frameRate === 'number' && frameRate > 0) one.frameRate = frameRate;
  }
}

/**
 * Returns the content of trial.json. Throws `bad-run-folder` if it is not a trial in the format of this version.
 * `path`: path of the file, for the message.
 */
export function checkedTrialFile(content: unknown, path: string): TrialFile {
  const file = content as TrialFile | null;
  const checked = ofThisFormat(file, file?.format, experimentFormat, path);
  check(trialFileSchema, checked, path, 'bad-run-folder');
  fillFrameRates(checked.condition);
  for (const outcome of checked.applications) requireNear(checked, outcome, path);
  // each application has a folder with its name
  for (const { name } of [...checked.applications, ...checked.condition.applications]) checkedTrialName(name);
  return checked;
}
