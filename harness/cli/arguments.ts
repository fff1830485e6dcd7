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
 * Returns the options and the words that are not options. `usage`: text that is printed for `--help`, and as the hint
 * of errors.
 */
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
