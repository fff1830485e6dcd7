/** Checks the JSON that programs print against a schema. Throws a one-line error if it does not match. */
import { CoexistError, type ErrorCode } from '../errors.ts';
import { checkTold, type z } from '../schema/schema.ts';

function parsed(text: string, said: string, code: ErrorCode): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CoexistError(code, `${said} ${JSON.stringify(text.slice(0, 80))}, which is not JSON`, { cause: error });
  }
}

/**
 * Checks the output of an external program. `program`: name in messages. Empty output counts as an empty list, as older
 * versions of iproute2 print it. Throws `code` if it does not match.
 */
export function readPrintedJson<S extends z.ZodType>(
  program: string,
  stdout: string,
  schema: S,
  code: ErrorCode = 'command-failed',
): z.output<S> {
  const printed = parsed(stdout.trim() === '' ? '[]' : stdout, `"${program}" printed`, code);
  return checkTold(schema, printed, `what "${program}" printed`, code);
}

/**
 * Checks a line, or the whole output, of a program of this project. `teller`: program and host in messages. Throws
 * `code` if it does not match.
 */
export function readToldJson<S extends z.ZodType>(
  teller: string,
  told: string,
  schema: S,
  code: ErrorCode,
): z.output<S> {
  return checkTold(schema, parsed(told, `${teller} told`, code), `what ${teller} tells`, code);
}
