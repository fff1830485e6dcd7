/**
 * Ends a command once, in an orderly way, at Ctrl-C, at another signal that ends a command, and when its output closes.
 */
import { CoexistError } from '../../core/errors.ts';
import { printable } from '../../core/text/printable.ts';
import { outputClosed } from './closed-output.ts';
import { parentOf, watchParent } from './parent.ts';

/**
 * Returns a controller that is aborted at an interruption. `onFirst`: called once, before the controller is aborted.
 * `hint`: command that continues the work. `output`: signal that is aborted when the output closes; for tests.
 */
export function onInterruption(
  onFirst: () => void = () => {},
  hint?: string,
  output: AbortSignal = outputClosed,
): AbortController {
  const interruption = new AbortController();
  const interrupt = () => {
    if (interruption.signal.aborted) return;
    onFirst();
    interruption.abort(new CoexistError('interrupted', 'interrupted', hint === undefined ? {} : { hint }));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  if (output.aborted) interrupt();
  else output.addEventListener('abort', interrupt, { once: true });
  watchParent(parentOf(process.env['COEXIST_PARENT']), interrupt);
  return interruption;
}

const stopping =
  'stopping: the current trial is abandoned, completed ones are kept (a second Ctrl-C does not speed it up)';

/** Handles interruptions of a study, whose finished trials are kept. `resume`: command that continues the study. */
export function onStudyInterruption(
  say: (text: string) => void,
  resume: string,
  { output = outputClosed, errors = process.stderr }: { output?: AbortSignal; errors?: NodeJS.WritableStream } = {},
): AbortSignal {
  // prints to stderr if the output has closed, or closes a moment later: Ctrl-C ends `| tee log` first
  const sayElsewhere = () => errors.write(printable(`the output has closed; ${stopping}\n`));
  if (output.aborted) sayElsewhere();
  else output.addEventListener('abort', sayElsewhere, { once: true });
  return onInterruption(() => say(stopping), `go on with: ${resume}`, output).signal;
}
