/** Parses whole numbers on the command line. */
import { CoexistError } from '../errors.ts';

/** Returns the number that was given for `option`. Throws `usage` if it is not a whole number of at least `min`. */
export function wholeNumber(text: string, option: string, min: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min)
    throw new CoexistError('usage', `--${option} ${text}: it must be a whole number of at least ${min}`);
  return value;
}
