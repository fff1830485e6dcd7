/** Handles Ctrl-C and the other signals that end a command: it ends once, in an orderly way. */
import { CoexistError } from '../../core/errors.ts';
import { parentOf, watchParent } from './parent.ts';

/** `onFirst`: called once, before the signal. `hint`: how to go on. */
export function onInterruption(onFirst: () => void = () => {}, hint?: string): AbortController {
  const interruption = new AbortController();
  const interrupt = () => {
    if (interruption.signal.aborted) return;
    onFirst();
    interruption.abort(new CoexistError('interrupted', 'interrupted', hint === undefined ? {} : { hint }));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  watchParent(parentOf(process.env['COEXIST_PARENT']), interrupt);
  return interruption;
}

/** That of a study, whose finished trials are kept. `resume`: the command that goes on with it. */
export function onStudyInterruption(say: (text: string) => void, resume: string): AbortSignal {
  return onInterruption(
    () =>
      say('stopping: the current trial is abandoned, completed ones are kept (a second Ctrl-C does not speed it up)'),
    `go on with: ${resume}`,
  ).signal;
}
