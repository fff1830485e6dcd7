/** Services that end by themselves, as a video does, against trials that would outlast them. */
import { CoexistError } from '../errors.ts';
import { formatDuration } from '../text/units.ts';

/** The longest window of any study. */
export const mostWindowMs = 3600e3;

export type TrialLength = {
  windowMs: number;
  /** How long it is used beside the window, ms. */
  besideMs: number;
  /** Settings that set that time, for the reader. */
  besideSettings: string;
};

/**
 * Throws `bad-definition` where a service is over before the trial is. `longestMs`: null where it has no end.
 * `otherwise`: what else than a shorter trial would do.
 */
export function checkLength(
  title: string,
  longestMs: number | null,
  { windowMs, besideMs, besideSettings }: TrialLength,
  otherwise: string,
): void {
  if (longestMs === null || besideMs + windowMs <= longestMs) return;
  const leftS = Math.floor((longestMs - besideMs) / 1000);
  throw new CoexistError(
    'bad-definition',
    `${title} ends after ${formatDuration(longestMs)}, before the end of a trial`,
    {
      hint: `${leftS >= 1 ? `give run.window ${leftS}s at most` : `make ${besideSettings} shorter`}, or ${otherwise}`,
    },
  );
}
