/**
 * Detects options that npm has consumed. If the user leaves out the two dashes of `npm run experiment -- hello
 * --dry-run`, npm takes the options and the command gets only the other words, so it would do something else. npm
 * passes consumed options to its scripts as variables `npm_config_...` (docs.npmjs.com/cli/v11/using-npm/config). For
 * `--set a=1`, the variable for `set` is "true" and `a=1` remains as a word.
 */
import { readFileSync } from 'node:fs';
import { commandOf, commands } from './command-list.mjs';
import { shownWord } from './shell-word.mjs';

const optionsOf = ({ options }) => options.split(' ').filter(option => option !== '');
const nameOf = option => option.replace('=', '');

export const optionNames = command => optionsOf(commandOf(command)).map(nameOf);

/**
 * Options of all commands. npm may also have consumed an option that this command does not know and would have refused.
 */
const all = [...new Set(Object.values(commands).flatMap(optionsOf))];
const hasValue = name => all.includes(`${name}=`);
const names = [...new Set(all.map(nameOf))];

/** Options that npm has as well. They may be set permanently in a settings file of npm. */
const alsoOfNpm = ['all', 'dry-run', 'json', 'link'];

function isInSettings(name, { npm_config_userconfig: user, npm_config_globalconfig: everybody }) {
  return [user, everybody].some(file => {
    try {
      return new RegExp(`^\\s*${name}\\s*=`, 'm').test(readFileSync(file, 'utf8'));
    } catch {
      return false; // the file does not exist or cannot be read
    }
  });
}

/** Returns the values that npm consumed for an option, in the order in which they were given. */
function valuesOf(name, environment) {
  const told = environment[`npm_config_${name.replaceAll('-', '_')}`] ?? '';
  return told === '' || told === 'false' ? [] : told.split('\n\n');
}

/**
 * Returns a message that names the consumed options and the command that the user probably meant. Undefined if npm
 * consumed none.
 */
export function takenByNpm(command, words, environment = process.env) {
  const given = new Set(words.filter(word => word.startsWith('--')).map(word => word.slice(2).split('=')[0]));
  const taken = names.filter(
    name =>
      valuesOf(name, environment).length > 0 &&
      !given.has(name) &&
      !(alsoOfNpm.includes(name) && isInSettings(name, environment)),
  );
  if (taken.length === 0) return undefined;
  const left = [...words];
  /**
   * Removes the value of an option from the words and returns it: an assignment for `--set`, otherwise the last word.
   */
  const separated = name => {
    const at = name === 'set' ? left.findIndex(word => word.includes('=')) : left.length - 1;
    return at < 0 ? 'VALUE' : left.splice(at, 1)[0];
  };
  /**
   * Removes FILE.json of `--json FILE.json` from the words, among which npm leaves it, and returns it in a list.
   * Returns an empty list if there is none, or if it is the only word and may be the definition of a study.
   */
  const jsonFile = () => {
    const at = left.findLastIndex(word => word.endsWith('.json'));
    return at < 0 || (left.length === 1 && commandOf(command).takesDefinition === true) ? [] : left.splice(at, 1);
  };
  // values of `--set` are taken first, because the last word belongs to another option
  const options = taken
    .toSorted((a, b) => Number(b === 'set') - Number(a === 'set'))
    .flatMap(name =>
      valuesOf(name, environment).flatMap(value =>
        hasValue(name)
          ? [`--${name}`, value === 'true' ? separated(name) : value]
          : [`--${name}`, ...(name === 'json' ? jsonFile() : [])],
      ),
    );
  const meant = [...left, ...options].map(shownWord).join(' ');
  const run = command === 'test' ? 'npm test' : `npm run ${command}`;
  return (
    `npm has kept ${taken.map(name => `--${name}`).join(', ')} for itself: options of a command stand behind "--"\n` +
    `  -> ${run} -- ${meant}`
  );
}

/** Prints a message and exits with status 1 if npm has consumed options of the command. */
export function refuseTakenByNpm(command, words) {
  const refusal = takenByNpm(command, words);
  if (refusal === undefined) return;
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}
