/** The JSON that a program of the machine prints: read through a schema, or refused in one line. */
import { CoexistError } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { check } from './schema.ts';
import type { z } from './schema.ts';

/**
 * `program`: for messages. Nothing is an empty list: older versions of iproute2 print nothing then. Throws `code` where
 * it is something else.
 */
export function readPrintedJson<S extends z.ZodType>(
  program: string,
  stdout: string,
  schema: S,
  code: ErrorCode = 'command-failed',
): z.output<S> {
  let told: unknown;
  try {
    told = JSON.parse(stdout.trim() === '' ? '[]' : stdout);
  } catch (error) {
    throw new CoexistError(code, `"${program}" printed ${JSON.stringify(stdout.slice(0, 80))}, which is not JSON`, {
      cause: error,
    });
  }
  return check(schema, told, `what "${program}" printed`, code);
}
