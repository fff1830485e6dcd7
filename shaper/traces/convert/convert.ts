/**
 * Converts files of other programs to tables: rows, and sentences about what had to be assumed. docs/links.md lists the
 * formats.
 */
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { decodeText } from '../../../core/system/text-encoding.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import { mostRows, type Table, tableOf } from '../table.ts';
import type { Converter } from './converter.ts';
import { iperf3 } from './iperf3.ts';
import { mahimahi } from './mahimahi.ts';
import { mbps } from './mbps.ts';
import { pantheon } from './pantheon.ts';
import { rattan } from './rattan.ts';

/** Converters by the name of their format, in the order in which a file is compared with them. */
const converters: Readonly<Record<string, Converter>> = { iperf3, rattan, pantheon, mahimahi, mbps };
export const convertedFormats = Object.keys(converters);

/**
 * Converts a file. `from`: its format; undefined: the first one that knows it. Throws `bad-definition` if the file is
 * not of the format, or makes no table.
 */
export function convert(
  bytes: Uint8Array,
  { name, from, everyMs }: { name: string; from?: string | undefined; everyMs: number },
): { format: string; table: Table; assumed: string[] } {
  const refuse = (what: string) =>
    new CoexistError('bad-definition', `${name} ${what}`, { hint: 'docs/links.md has the formats' });
  let text: string;
  try {
    text = decodeText(bytes, name).replace(/^\ufeff/, '');
  } catch (error) {
    throw new CoexistError('bad-definition', messageOf(error), { hint: 'save it in UTF-8', cause: error });
  }
  const format = from ?? convertedFormats.find(one => converters[one]!.knows(text));
  if (format === undefined) throw refuse(`is in none of the formats ${convertedFormats.join(', ')}`);
  if (!Object.hasOwn(converters, format))
    throw unknownName('usage', `--from ${format}: there is no such format`, format, convertedFormats);
  const { rows, assumed } = converters[format]!.convert(text, { name, everyMs, refuse });
  if (rows.length > mostRows)
    throw refuse(`makes ${rows.length} rows, and a table has at most ${mostRows}: see --every`);
  return { format, table: tableOf(rows, { name: `what ${name} becomes` }), assumed };
}
