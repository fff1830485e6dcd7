/** Parses the options of a command with node:util. An error names the option that was probably meant. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { nearest } from '../../core/text/nearest.ts';
import { withJsonValue } from './json-output.ts';

type OptionSpec = NonNullable<ParseArgsConfig['options']>;

/**
 * Error that is thrown if `--help` or `-h` is given, whatever the other words are. The command line then prints `usage`
 * and ends.
 */
export class HelpAsked extends Error {
  readonly usage: string;

  constructor(usage: string) {
    super('help was asked for');
    this.usage = usage;
  }
}

export const asksForHelp = (argv: readonly string[]) => argv.some(word => word === '--help' || word === '-h');

/**
 * Returns the words of the command line with the values that are negative numbers joined to their options, because
 * Node's parser takes each word with a dash for an option. No command has an option that is a number.
 */
function withNegativeNumbers(argv: readonly string[], options: OptionSpec): string[] {
  const words: string[] = [];
  for (let k = 0; k < argv.length; k++) {
    const [word, next] = [argv[k]!, argv[k + 1]];
    if (word === '--') return [...words, ...argv.slice(k)];
    const takesValue = word.startsWith('--') && options[word.slice(2)]?.type === 'string';
    words.push(takesValue && next !== undefined && /^-[\d.]/.test(next) ? `${word}=${argv[++k]}` : word);
  }
  return words;
}

/** Returns the mistake that an error of Node's parser is about, in one line. `options`: names of the options. */
function mistakeIn(message: string, options: readonly string[]): string {
  const unknown = /^Unknown option '(--?[^'=]+)/.exec(message)?.[1];
  if (unknown !== undefined) {
    const meant = unknown.startsWith('--') ? nearest(unknown.slice(2), [...options, 'help']) : undefined;
    return `unknown option ${unknown}${meant === undefined ? '' : `; did you mean --${meant}?`}`;
  }
  const dashed = /^Option '([^']*)' argument is ambiguous/.exec(message)?.[1];
  if (dashed !== undefined)
    return `${dashed} has no value; if its value begins with a dash, write ${dashed.split(' ').at(-1)}=-VALUE`;
  return message.split(/\. |\n/)[0]!;
}

/**
 * Returns the options and the words that are not options. `usage`: text that is printed for `--help`, and as the hint
 * of errors.
 */
export function parseArguments<O extends OptionSpec>(argv: string[], options: O, usage: string) {
  if (asksForHelp(argv)) throw new HelpAsked(usage);
  try {
    const words = withNegativeNumbers(argv, options);
    const args = options['json']?.type === 'string' ? withJsonValue(words) : words;
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const what = mistakeIn(messageOf(error), Object.keys(options));
    throw new CoexistError('usage', what, { hint: usage, cause: error });
  }
}

/**
 * Returns the options of a command that takes no other words. Throws `usage` if another word is given. `command`: NAME
 * in "npm run NAME".
 */
export function parseOptions<O extends OptionSpec>(argv: string[], options: O, usage: string, command: string) {
  const { values, positionals } = parseArguments(argv, options, usage);
  if (positionals.length > 0)
    throw new CoexistError('usage', `npm run ${command} takes no argument "${positionals[0]}"`, { hint: usage });
  return values;
}
