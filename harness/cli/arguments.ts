/** Options of a command, by node:util's parser, with errors that say what was probably meant. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { nearest } from '../../core/text/nearest.ts';
import { withJsonValue } from './json-output.ts';

type OptionSpec = NonNullable<ParseArgsConfig['options']>;

/** Thrown where `--help` or `-h` was given, whatever else was: the command line prints `usage` and is done. */
export class HelpAsked extends Error {
  readonly usage: string;

  constructor(usage: string) {
    super('help was asked for');
    this.usage = usage;
  }
}

export const asksForHelp = (argv: readonly string[]) => argv.some(word => word === '--help' || word === '-h');

/** Options and positional words. `usage` is printed for `--help`, and as the hint when they do not fit. */
export function parseArguments<O extends OptionSpec>(argv: string[], options: O, usage: string) {
  if (asksForHelp(argv)) throw new HelpAsked(usage);
  try {
    const args = options['json']?.type === 'string' ? withJsonValue(argv) : argv;
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const unknown = /^Unknown option '(--?[^'=]+)/.exec(messageOf(error))?.[1];
    const meant =
      unknown?.startsWith('--') === true ? nearest(unknown.slice(2), [...Object.keys(options), 'help']) : undefined;
    const what =
      unknown === undefined
        ? messageOf(error).split('. ')[0]!
        : `unknown option ${unknown}${meant === undefined ? '' : `; did you mean --${meant}?`}`;
    throw new CoexistError('usage', what, { hint: usage, cause: error });
  }
}

/** The same of a command that takes options only; a word would otherwise be ignored. `command`: as in "npm run NAME". */
export function parseOptions<O extends OptionSpec>(argv: string[], options: O, usage: string, command: string) {
  const { values, positionals } = parseArguments(argv, options, usage);
  if (positionals.length > 0)
    throw new CoexistError('usage', `npm run ${command} takes no argument "${positionals[0]}"`, { hint: usage });
  return values;
}
