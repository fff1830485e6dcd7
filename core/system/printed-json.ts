/** Parses the JSON that programs print and checks it against a schema. Errors have one line. */
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
 * Parses the output of an external program. `program`: its name in messages. Empty output counts as an empty list,
 * since older versions of iproute2 print nothing for it. Throws an error with the code `code` if the output does not
 * match the schema.
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
 * Parses a line, or the whole output, of a program of this project. `teller`: name of the program and of its host in
 * messages. Throws an error with the code `code` if the text does not match the schema.
 */
export function readToldJson<S extends z.ZodType>(
  teller: string,
  told: string,
  schema: S,
  code: ErrorCode,
): z.output<S> {
  return checkTold(schema, parsed(told, `${teller} told`, code), `what ${teller} tells`, code);
}
