/** Converts a list of rates in Mbit/s, with times in seconds or one by the second. */
import type { TableRow } from '../table.ts';
import { type Converter, eachLine } from './converter.ts';

const secondMs = 1000;

export const mbps: Converter = {
  knows: text => {
    const lines = text.split(/\r\n|\r|\n/).filter(line => line.trim() !== '' && !line.startsWith('#'));
    // the first line may be a header
    return lines.length > 1 && lines.slice(1, 10).every(line => /^\s*[\d.]+(?:\s*[,;\t ]\s*[\d.]+)?\s*$/.test(line));
  },
  convert(text, { refuse }) {
    const found: { timeS: number | null; rate: number }[] = [];
    eachLine(text, (line, number) => {
      if (line.startsWith('#')) return;
      const cells = line.split(/\s*[,;\t ]\s*/);
      const values = cells.map(Number);
      if (values.some(Number.isNaN)) {
        if (found.length === 0 && number < 5) return; // a header
        throw refuse(`, line ${number}: "${line.slice(0, 40)}" is no rate, and no time with a rate`);
      }
      if (cells.length > 2)
        throw refuse(`, line ${number}: ${cells.length} values; a line has a rate, or a time and a rate`);
      found.push({ timeS: cells.length === 2 ? values[0]! : null, rate: values.at(-1)! });
    });
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || last === undefined) throw refuse('has no rate');
    const timed = found.every(({ timeS }) => timeS !== null);
    if (!timed && found.some(({ timeS }) => timeS !== null)) throw refuse('has lines with and without times');
    const startS = first.timeS ?? 0;
    const rows = found.map(
      ({ timeS, rate }, k): TableRow => ({
        atMs: timed ? Math.round((timeS! - startS) * secondMs) : k * secondMs,
        rateBps: Math.round(rate * 1e6),
      }),
    );
    const before = rows.at(-2);
    const lastsMs = before === undefined ? secondMs : rows.at(-1)!.atMs - before.atMs;
    return {
      rows: [...rows, { atMs: rows.at(-1)!.atMs + lastsMs }],
      assumed: [
        timed ? 'times are seconds, and the last rate lasts as long as the one before it' : 'each line is one second',
        'a mean is the rate of its whole time: bursts and pauses within it, and the delay of the link, are lost',
        ...(timed && startS !== 0 ? [`the first time, ${startS} s, becomes 0`] : []),
      ],
    };
  },
};
