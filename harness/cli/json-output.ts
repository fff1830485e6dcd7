/**
 * Output of a command's result as JSON: `--json` prints it, `--json FILE.json` or `--json=FILE` writes it to a file.
 * Scripts should use a file, because npm prints its own lines unless it is run as `npm run -s`.
 */
import { existsSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CoexistError, messageOf, systemCode } from '../../core/errors.ts';
import { giveBack } from '../../core/system/ownership.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { print } from './print.ts';

/** Option for parseArguments, which returns `printed` if no file is named. */
export const jsonOption = { json: { type: 'string' } } as const;

/** Part of a command's usage. */
export const jsonUsage = '[--json [FILE.json]]';

/** Value of `--json` without a file. */
export const printed = '-';

/** Gives each `--json` a value, because Node's parser has no options with an optional value. */
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

/** System code such as "ENOENT", also of the cause of a CoexistError; else the message. */
const reasonOf = (error: unknown) =>
  systemCode(error instanceof CoexistError ? error.cause : error) ?? messageOf(error);

/**
 * Checks before a long study that the file can be written. Removes an older file, so that a file found afterwards is
 * the result of this command.
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
 * Prints or writes `value`, or does nothing without `--json`. Returns a line on the written file, else ''. `out`:
 * stream for printing; for tests.
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
 * Throws `usage` if `--json study.json` could name the study instead of the result. `words`: words that are not
 * options. `isNamed`: true if the study is named otherwise.
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
