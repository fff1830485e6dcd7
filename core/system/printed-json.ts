/** The JSON that programs print: read through a schema, or refused in one line. */
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
 * `program`: for messages. Nothing is an empty list: older versions of iproute2 print nothing then. Throws `code` where
 * it is something else.
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
 * A line, or all, that a program of ours prints. `teller`: the program and its host, for messages. Throws `code` where
 * it is something else.
 */
export function readToldJson<S extends z.ZodType>(
  teller: string,
  told: string,
  schema: S,
  code: ErrorCode,
): z.output<S> {
  return checkTold(schema, parsed(told, `${teller} told`, code), `what ${teller} tells`, code);
}
