/** `npm run traces`: lists the generators of links, writes what one makes, and converts files of other programs. */
import { basename } from 'node:path';
import { CoexistError, exitStatus, messageOf, systemCode, writeError } from '../../core/errors.ts';
import { giveBack } from '../../core/system/ownership.ts';
import { readRegularBytes } from '../../core/system/regular-file.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { formatDuration, formatRatio, parseDurationMs } from '../../core/text/units.ts';
import { describeTable } from '../../core/vocabulary/trace-facts.ts';
import { convert, convertedFormats } from '../../shaper/traces/convert/convert.ts';
import { fitOf, generators, makeTable } from '../../shaper/traces/generators.ts';
import { mostTraceBytes } from '../../shaper/traces/opportunities.ts';
import type { Table } from '../../shaper/traces/table.ts';
import { tableText } from '../../shaper/traces/write-table.ts';
import { parseArguments } from './arguments.ts';
import { print } from './print.ts';

const usage =
  'npm run traces -- --list, or npm run traces -- make NAME [--seed N] [--length 60s] [--up] --out FILE.csv, or ' +
  `npm run traces -- convert FILE [--from ${convertedFormats.join('|')}] [--every 100ms] --out FILE.csv`;

const options = {
  list: { type: 'boolean' },
  seed: { type: 'string' },
  length: { type: 'string' },
  up: { type: 'boolean' },
  from: { type: 'string' },
  every: { type: 'string' },
  out: { type: 'string' },
} as const;

const wrong = (what: string) => new CoexistError('usage', what, { hint: usage });

function durationMs(text: string | undefined, option: string, usualMs: number, leastMs: number): number {
  if (text === undefined) return usualMs;
  const ms = parseDurationMs(text);
  if (ms === undefined || ms < leastMs || ms > 3600e3)
    throw wrong(`--${option} ${text} is not a duration from ${formatDuration(leastMs)} to 1 h, such as 60s`);
  return ms;
}

function seedOf(text = '1'): number {
  if (!/^\d{1,9}$/.test(text)) throw wrong(`--seed ${text} is not a whole number of at most nine digits`);
  return Number(text);
}

function list(): number {
  const lines = [...generators.values()].flatMap(plugin => [
    `${plugin.id}: ${plugin.title}`,
    `  source: ${plugin.source}`,
    `  ${plugin.about}`,
    ...fitOf(plugin).map(
      ({ name, published, made, errorRatio }) =>
        `  ${name}: published ${published}, made ${Number(made.toPrecision(4))} (error ${formatRatio(Math.abs(errorRatio))})`,
    ),
    '',
  ]);
  return print(`${lines.join('\n')}`);
}

function write(table: Table, comments: readonly string[], out: string | undefined): number {
  if (out === undefined) throw wrong('say where to write the table: --out FILE.csv');
  try {
    writeWhole(out, tableText(table, comments), { isFlushed: false });
  } catch (error) {
    throw writeError(error, out);
  }
  giveBack(out);
  return print(`written: ${out}: ${describeTable(table.facts)}\n`);
}

function read(file: string): Uint8Array {
  try {
    return readRegularBytes(file, mostTraceBytes);
  } catch (error) {
    if (error instanceof CoexistError) throw new CoexistError('bad-definition', error.message, { cause: error });
    throw new CoexistError('bad-definition', `${file} cannot be read (${systemCode(error) ?? messageOf(error)})`, {
      hint: 'give the path of a trace',
      cause: error,
    });
  }
}

export async function command(argv: string[]): Promise<number> {
  const {
    values,
    positionals: [action, name, ...rest],
  } = parseArguments(argv, options, usage);
  if (values.list === true) return list();
  if (rest.length > 0 || name === undefined || (action !== 'make' && action !== 'convert'))
    throw wrong('traces needs --list, make NAME, or convert FILE');
  if (action === 'make') {
    const direction = values.up === true ? 'up' : 'down';
    const make = { id: name, seed: seedOf(values.seed), lengthMs: durationMs(values.length, 'length', 60e3, 1000) };
    const made = makeTable(make, direction);
    const about = `made by the generator ${name}, seed ${make.seed}, direction ${direction}`;
    return write(made, [about, `source: ${generators.get(name)!.source}`], values.out);
  }
  const everyMs = durationMs(values.every, 'every', 100, 1);
  const { format, table, assumed } = convert(read(name), { name, from: values.from, everyMs });
  const comments = [`converted from ${basename(name)} (${format})`, ...assumed.map(one => `assumed: ${one}`)];
  print(assumed.map(one => `assumed: ${one}\n`).join(''));
  write(table, comments, values.out);
  return exitStatus.done;
}
