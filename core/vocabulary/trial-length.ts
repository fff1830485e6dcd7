/** Checks that a service which ends, such as a video, lasts at least as long as a trial. */
import { CoexistError } from '../errors.ts';
import { formatDuration } from '../text/units.ts';

/** Longest measured window of any study, ms. */
export const mostWindowMs = 3600e3;

export type TrialLength = {
  windowMs: number;
  /** Time for which the service is in use before and after the window, ms. */
  besideMs: number;
  /** Names of the settings that determine `besideMs`, for the hint of the error. */
  besideSettings: string;
};

/**
 * Throws `bad-definition` if the service ends before the trial does. `title`: name of the service in the message.
 * `longestMs`: time for which the service lasts; null if it does not end. `otherwise`: remedy other than a shorter
 * trial, for the hint of the error.
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
