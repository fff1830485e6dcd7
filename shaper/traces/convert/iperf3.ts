/** Converts the output of `iperf3 --json`: the goodput of each interval. */
import { z } from '../../../core/schema/schema.ts';
import type { TableRow } from '../table.ts';
import { type Converter, parsedJson } from './converter.ts';

const output = z.looseObject({
  intervals: z.array(
    z.looseObject({
      sum: z.looseObject({
        start: z.number(),
        end: z.number(),
        bits_per_second: z.number(),
        omitted: z.boolean().optional(),
      }),
    }),
  ),
});

export const iperf3: Converter = {
  knows: text => /^\s*\{/.test(text) && /"intervals"\s*:/.test(text),
  convert(text, { refuse }) {
    const read = output.safeParse(parsedJson(text, refuse));
    if (!read.success) throw refuse('is no output of "iperf3 --json": it has no intervals with a sum');
    const sums = read.data.intervals.map(({ sum }) => sum).filter(({ omitted }) => omitted !== true);
    const [first, last] = [sums[0], sums.at(-1)];
    if (first === undefined || last === undefined) throw refuse('has no intervals');
    const ms = (seconds: number) => Math.round((seconds - first.start) * 1e3);
    const rows = sums.map((sum): TableRow => ({ atMs: ms(sum.start), rateBps: Math.round(sum.bits_per_second) }));
    return {
      rows: [...rows, { atMs: ms(last.end) }],
      assumed: [
        'goodput is the rate of the link: it was lower where the sender, the receiver or the congestion control was the limit',
        'a mean is the rate of its whole interval: bursts and pauses within it, and the delay of the link, are lost',
        'the headers of the packets are left out: with full packets of TCP the link had 4.6 % more',
      ],
    };
  },
};
