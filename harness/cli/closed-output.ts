/**
 * Standard output and standard error may close before a command has ended: `| head -1` has read enough, `| tee log` dies
 * of the same Ctrl-C, the disk of `> log` is full. Node tells so by an error of the stream, which nobody expects where
 * words are printed. What is printed from then on is lost; a command that can be interrupted is (interruption.ts).
 */
const closed = new AbortController();

/** Aborted when one of them has closed. */
export const outputClosed: AbortSignal = closed.signal;

/** Called once, before anything is printed. `streams`: for tests. */
export function watchOutput(
  streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr],
  end: AbortController = closed,
): void {
  for (const stream of streams) stream.on('error', error => end.abort(error));
}
