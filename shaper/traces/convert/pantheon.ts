/**
 * Converts logs of mm-link, and of the tunnels of Pantheon, which have its form: "TIME # BYTES" is an opportunity, "TIME +
 * BYTES" an arrival, "TIME - BYTES DELAY" a delivery; times in ms from the base timestamp.
 */
import { binned, type Converter, eachLine } from './converter.ts';

const record = /^(\d+(?:\.\d+)?) ([#+-]) (\d+)(?: (\d+(?:\.\d+)?))?(?: .*)?$/;

export const pantheon: Converter = {
  knows: text => /^# .*\btimestamp: \d+/m.test(text.slice(0, 4096)),
  convert(text, { everyMs, refuse }) {
    const [opportunities, deliveries]: { atMs: number; bytes: number }[][] = [[], []];
    let baseMs: number | undefined;
    let shortestMs = Infinity;
    eachLine(text, (line, number) => {
      const base = /^# base timestamp: (\d+)/.exec(line);
      if (base !== null) baseMs = Number(base[1]);
      if (line.startsWith('#')) return;
      const found = record.exec(line);
      if (found === null) throw refuse(`, line ${number}: "${line.slice(0, 40)}" is no record of mm-link`);
      const [atMs, sign, bytes, delay] = [Number(found[1]), found[2], Number(found[3]), found[4]];
      if (sign === '#') opportunities!.push({ atMs, bytes });
      if (sign !== '-') return;
      deliveries!.push({ atMs, bytes });
      if (delay !== undefined) shortestMs = Math.min(shortestMs, Number(delay));
    });
    const isLink = opportunities!.length > 0;
    const sent = isLink ? opportunities! : deliveries!;
    const [first, last] = [sent[0], sent.at(-1)];
    if (first === undefined || last === undefined) throw refuse('has no opportunity and no delivery');
    const startMs = Math.min(baseMs ?? first.atMs, first.atMs);
    const endMs = Math.round(last.atMs - startMs);
    if (endMs < 1) throw refuse('lasts less than a millisecond');
    return {
      rows: binned(
        sent.map(({ atMs, bytes }) => ({ atMs: atMs - startMs, bytes })),
        endMs,
        { everyMs, refuse },
      ),
      assumed: [
        isLink
          ? 'its opportunities are the link'
          : 'its deliveries are the link: the rate is too low where the sender did not fill it',
        `the rate is the same within each ${everyMs} ms`,
        Number.isFinite(shortestMs)
          ? `its delays, ${shortestMs} ms and more, are those of its own queue: they are left out`
          : 'it has no delays',
      ],
    };
  },
};
