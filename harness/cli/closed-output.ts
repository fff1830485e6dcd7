/**
 * Handles standard output and standard error that close before a command has ended: `| head -1` has read enough, `| tee
 * log` ends by the same Ctrl-C, or the disk of `> log` is full. Node reports that by an error of the stream, for which
 * printing code has no handler. Later output is lost. A command that can be interrupted ends (interruption.ts).
 */
const closed = new AbortController();

/** Aborted when one of the two has closed. */
export const outputClosed: AbortSignal = closed.signal;

/** Call once, before anything is printed. `streams`: for tests. */
export function watchOutput(
  streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr],
  end: AbortController = closed,
): void {
  for (const stream of streams) stream.on('error', error => end.abort(error));
}
