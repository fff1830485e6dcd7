/** Checks that services which end, such as a video, last as long as the trial. */
import { CoexistError } from '../errors.ts';
import { formatDuration } from '../text/units.ts';

/** Longest window of any study, ms. */
export const mostWindowMs = 3600e3;

export type TrialLength = {
  windowMs: number;
  /** Time for which the service is in use outside the window, ms. */
  besideMs: number;
  /** Names of the settings that determine `besideMs`, for the error's hint. */
  besideSettings: string;
};

/**
 * Throws `bad-definition` if a service ends before the trial does. `longestMs`: null for a service without end.
 * `otherwise`: alternative to a shorter trial, for the error's hint.
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
