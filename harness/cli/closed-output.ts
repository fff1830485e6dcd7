/**
 * Handles standard output and standard error that close before a command has ended: `| head -1` has read enough, `| tee
 * log` ends by the same Ctrl-C, or the disk of `> log` is full. Node reports a closed output by an error of the stream,
 * and the code that prints has no handler for such errors. Later output is lost. If the command can be interrupted, it
 * ends (interruption.ts).
 */
const closed = new AbortController();

/** Aborted when standard output or standard error has closed. */
export const outputClosed: AbortSignal = closed.signal;

/**
 * Watches both outputs from now on. Has to be called once, before anything is printed. `streams`: outputs in place of
 * the process's own, for tests.
 */
export function watchOutput(
  streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr],
  end: AbortController = closed,
): void {
  for (const stream of streams) stream.on('error', error => end.abort(error));
}
