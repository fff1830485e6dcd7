/**
 * Outputs the result of a command as JSON: `--json` prints the result, and `--json FILE.json` or `--json=FILE` writes
 * it to a file. Scripts should use a file, because npm prints its own lines unless it is run as `npm run -s`.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CoexistError, messageOf, systemCode } from '../../core/errors.ts';
import { giveBack } from '../../core/system/ownership.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { print } from './print.ts';

/** Definition of the option `--json` for parseArguments. Its value is `printed` if no file is named. */
export const jsonOption = { json: { type: 'string' } } as const;

/** Words on `--json` in the usage of a command. */
export const jsonUsage = '[--json [FILE.json]]';

/** Value of `--json` if no file is named. */
export const printed = '-';

/**
 * Returns the words of the command line with a value for each `--json`, because Node's parser has no options with an
 * optional value.
 */
export function withJsonValue(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let k = 0; k < argv.length; k++) {
    const [word, next] = [argv[k]!, argv[k + 1]];
    if (word === '--') return [...words, ...argv.slice(k)];
    if (word !== '--json') words.push(word);
    else if (next === printed || (next?.endsWith('.json') === true && !next.startsWith('-')))
      words.push(`--json=${argv[++k]}`);
    else words.push(`--json=${printed}`);
  }
  return words;
}

/**
 * Returns the system's error code, such as "ENOENT", of an error or of the cause of a CoexistError; the message if
 * there is no code.
 */
const reasonOf = (error: unknown) =>
  systemCode(error instanceof CoexistError ? error.cause : error) ?? messageOf(error);

/**
 * Checks before a long study that the file for the JSON result can be written. Removes an older file, so that a file
 * found after the study has the result of this command.
 */
export function prepareJson(json: string | undefined): void {
  if (json === undefined || json === printed) return;
  if (json === '')
    throw new CoexistError('usage', '--json=: no file', { hint: '--json alone prints, --json=FILE writes to a file' });
  try {
    const there = statSync(json, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile())
      throw new CoexistError('usage', `--json ${json}: this is there and is no file`, {
        hint: 'name a file, or write --json alone to print',
      });
    rmSync(json, { force: true });
    writeWhole(json, '', { isFlushed: false });
    rmSync(json);
  } catch (error) {
    if (error instanceof CoexistError && error.code !== 'cannot-write') throw error;
    throw new CoexistError('cannot-write', `--json ${json}: no file can be written there (${reasonOf(error)})`, {
      hint: 'check that its folder exists and may be written',
      cause: error,
    });
  }
}

/**
 * Prints `value` or writes it to a file; does nothing without `--json`. Returns a line on the written file, or '' if
 * none was written. `out`: stream to print to; for tests.
 */
export function putJson(
  json: string | undefined,
  value: object,
  { indent = 0, out = process.stdout }: { indent?: number; out?: NodeJS.WritableStream } = {},
): string {
  if (json === undefined) return '';
  const text = `${JSON.stringify(value, null, indent)}\n`;
  if (json === printed) {
    print(text, out);
    return '';
  }
  writeWhole(json, text);
  giveBack(json);
  return `json:    ${json}\n`;
}

/**
 * Throws `usage` if the file in `--json FILE` may be the study to run, because the result would overwrite this file.
 * `words`: words of the command line that are not options. `isNamed`: true if another option names the study.
 */
export function requireNotTheStudy(
  json: string | undefined,
  argv: readonly string[],
  words: readonly string[],
  isNamed: boolean,
): void {
  if (json === undefined || json === printed || !existsSync(json)) return;
  const isStudy = words.some(word => resolve(word) === resolve(json));
  if (!isStudy && (isNamed || words.length > 0 || !argv.includes(json))) return;
  throw new CoexistError('usage', `--json ${json} would write the result over this file`, {
    hint: isStudy
      ? 'name another file for the result'
      : `to run it as a study: ${json} --json; to write over it: --json=${json}`,
  });
}
